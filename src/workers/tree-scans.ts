import { type CountMemory, createCountMemory } from '../context/prompt/count-memory.ts';
import { monotonicMs } from '../platform/clock.ts';
import { DamagedFileError } from '../scan/format/section-file.ts';
import { indexKey, KeptScan } from '../scan/kept-scan.ts';
import { type OpenScan, runScan, type ScanRequest, withIndexEarly } from '../scan/run-scan.ts';

type Use<Answer> = (scan: OpenScan) => Promise<Answer>;

/** Indexes of the work trees of runs, open from one run to the next. */
export interface TreeScans {
  readonly counts: CountMemory;
  /**
   * `state` names what is in the tree: under the same name it was, or is, the same in every file. Null when nobody can
   * tell; then the files are looked at. `onNear` is called before an index is used that is open already, with the time
   * that its last use took; not while others are at work, who take their time first.
   */
  withScan<Answer>(
    state: string | null,
    request: ScanRequest,
    use: Use<Answer>,
    onNear?: (expectedMs: number) => void,
  ): Promise<Answer>;
}

interface Kept {
  readonly state: string;
  readonly scan: Promise<KeptScan>;
  /** How long its last use took. */
  lastMs: number | null;
}

/** As many trees as wait for the next run in two repositories. */
const MOST_TREES = 4;

/**
 * A run starts from a commit, and its tree was just made to be that: an index of the same tree at the same commit needs
 * no second look at any file.
 */
export function createTreeScans(): TreeScans {
  const byTree = new Map<string, Kept>();
  let users = 0;
  const drop = (repo: string) => {
    const scan = byTree.get(repo)?.scan;
    byTree.delete(repo);
    scan?.then((one) => one.retire()).catch(() => {});
  };
  const open = (state: string, request: ScanRequest): Kept => {
    drop(request.repo);
    const kept: Kept = {
      state,
      scan: runScan({ ...request, isAwaited: true }).then((scan) => new KeptScan(scan)),
      lastMs: null,
    };
    byTree.set(request.repo, kept);
    kept.scan.catch(() => {
      if (byTree.get(request.repo) === kept) byTree.delete(request.repo);
    });
    if (byTree.size > MOST_TREES) drop(byTree.keys().next().value!);
    return kept;
  };
  const timed = async <Answer>(
    kept: Kept,
    work: () => Promise<Answer>,
    onNear: ((expectedMs: number) => void) | undefined,
  ): Promise<Answer> => {
    if (kept.lastMs !== null && users === 0) onNear?.(kept.lastMs);
    const started = monotonicMs();
    users += 1;
    try {
      const answer = await work();
      kept.lastMs = monotonicMs() - started;
      return answer;
    } finally {
      users -= 1;
    }
  };
  const find = (state: string, request: ScanRequest): Kept | null => {
    const known = byTree.get(request.repo);
    return known?.state === nameOf(state, request) ? known : null;
  };
  return {
    counts: createCountMemory(),
    async withScan(state, request, use, onNear) {
      if (state === null) return withIndexEarly(request, use);
      const kept = find(state, request) ?? open(nameOf(state, request), request);
      try {
        const scan = await kept.scan;
        return await timed(kept, () => scan.use(use), onNear);
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        drop(request.repo);
        return withIndexEarly(request, use);
      }
    },
  };
}

function nameOf(state: string, { settings }: ScanRequest): string {
  return `${state} ${indexKey(settings)}`;
}
