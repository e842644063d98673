import type { Settings } from '../../config/settings.ts';
import { loadTokenCounter } from '../../context/fit/count-tokens.ts';
import { loadModelCounter } from '../../context/fit/models.ts';
import { checkTargets } from '../../context/pack/check-targets.ts';
import type { BuiltPackage, PackageRequest } from '../../context/pack/package-request.ts';
import { buildPackage, packScan } from '../../context/pack.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { watchTree } from '../../platform/fs/watch-tree.ts';
import { DamagedFileError } from '../../scan/format/section-file.ts';
import { indexKey, KeptScan } from '../../scan/kept-scan.ts';
import { type OpenScan, runScan, withIndex } from '../../scan/run-scan.ts';

/** One repository whose index stays open between calls. */
export interface WarmRepository {
  readonly path: string;
  /** Reads the index now, so that the first call need not. */
  warmUp(): Promise<void>;
  buildPackage(request: PackageRequest): Promise<BuiltPackage>;
  /** The open index, up to date as far as the watch has told. */
  withScan<Answer>(settings: Settings, use: (scan: OpenScan) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Opens a repository and keeps its index. A watch tells when a file changes; the next call then brings the index up
 * to date. What a package shows is read from disk at every call, and a package that met a file other than the index
 * knows it is built again from a new scan.
 */
export async function openWarmRepository(repo: string, settings: Settings): Promise<WarmRepository> {
  const root = openSafeRoot(repo);
  const closing = new AbortController();
  // before the first scan, so that nothing changes unseen between the two
  const watch = await watchTree(root.path, closing.signal).catch(() => null);
  let isDirty = false;
  let kept: Promise<KeptScan> | null = null;

  const retire = async (old: Promise<KeptScan> | null) => (await old?.catch(() => null))?.retire();
  const rescan = (): Promise<KeptScan> => {
    const old = kept;
    isDirty = false;
    const next = runScan({ repo: root.path, settings, mode: settings.scanMode, signal: closing.signal }).then(
      (scan) => new KeptScan(scan),
    );
    kept = next;
    next.catch(() => {
      if (kept === next) kept = null;
    });
    void retire(old);
    return next;
  };
  const use = async <Answer>(work: (scan: OpenScan) => Promise<Answer>, fresh: boolean): Promise<Answer> => {
    const one = await (fresh || kept === null || isDirty || watch === null ? rescan() : kept);
    return one.use(work);
  };
  const build = (request: PackageRequest, fresh: boolean) =>
    use(async (scan) => {
      const targets = checkTargets(root, request.targets ?? [], settings.maxFileBytes);
      const counting = request.model ? loadModelCounter(request.model) : loadTokenCounter('o200k_base');
      return packScan(request, scan, targets, await counting);
    }, fresh);

  if (watch) void followChanges();
  async function followChanges(): Promise<void> {
    while (!closing.signal.aborted) {
      await watch!.changed();
      if (closing.signal.aborted) return;
      isDirty = true;
      // done while nobody waits, so that the next call finds it done
      if (kept) await rescan().catch(() => {});
    }
  }

  return {
    path: root.path,
    warmUp: async () => {
      // code that has run once runs faster: a task of no interest takes the slow first time
      const small = { ...settings, tokenBudget: 2_000 };
      await build({ repo: root.path, settings: small, task: 'where the program starts' }, false);
    },
    async withScan(wanted, work) {
      const cold = () => withIndex({ repo: root.path, settings: wanted, mode: wanted.scanMode }, work);
      if (indexKey(wanted) !== indexKey(settings)) return cold();
      try {
        return await use(work, false);
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        await retire(kept);
        kept = null;
        return cold();
      }
    },
    async buildPackage(request) {
      const isOurs = request.settings.enabled && indexKey(request.settings) === indexKey(settings);
      if (!isOurs || request.task.trim() === '') return buildPackage(request);
      try {
        const built = await build(request, false);
        return meetsOtherFiles(built) ? await build(request, true) : built;
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        await retire(kept);
        kept = null;
        return buildPackage(request);
      }
    },
    async close() {
      closing.abort();
      await watch?.close();
      await retire(kept);
      kept = null;
    },
  };
}

/** Something changed so lately that the watch has not said so yet. */
function meetsOtherFiles({ pack }: BuiltPackage): boolean {
  return pack.diagnostics.some(({ code }) => code === 'file-changed' || code === 'file-not-read');
}
