// The one way to hold an index open. Every command, hook and server reads the index through a session, which scans when
// files may have changed and builds a damaged index again.
import type { Settings } from '../config/index.ts';
import { watchTree } from '../platform/fs/watch-tree.ts';
import { listingKey } from './discover/index.ts';
import { DamagedFileError } from './format/index.ts';
import { type OpenScan, rebuilt, runScan, type ScanRequest } from './run-scan.ts';

/**
 * How long a session keeps its index.
 * - `once`: each use scans, and closes the index afterwards. For commands.
 * - `pinned`: the first use scans, and the index stays as it is until `refresh`. For files that only the caller changes.
 * - `watched`: like `pinned`, and a watch on the files refreshes it. For servers.
 */
export type IndexLife = 'once' | 'pinned' | 'watched';

/** The one way to hold an index open. */
export interface IndexSession {
  /** Calls `work` with an index that is up to date. A damaged index is built again, and `work` runs again. */
  use<Answer>(work: (scan: OpenScan) => Answer | Promise<Answer>): Promise<Answer>;
  /** The next use scans again. */
  refresh(): void;
  /** Uses that are under way keep their index until they are done. */
  close(): Promise<void>;
}

/** Opens a session on a repository. Nothing is scanned before the first use. */
export async function openIndexSession(request: ScanRequest, life: IndexLife): Promise<IndexSession> {
  if (life === 'once') return { use: (work) => useIndex(request, work), refresh() {}, close: async () => {} };
  const closing = new AbortController();
  // The watch starts before the first scan, so that no change is lost between the two.
  const watch = life === 'watched' ? await watchTree(request.repo, closing.signal).catch(() => null) : null;
  const canTrustWatch = life === 'pinned' || watch !== null;
  const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
  // The current scan. Uses share it; a newer scan replaces it, and it closes after its last use.
  let current: Promise<SharedScan> | null = null;
  let isStale = false;

  /** Gives up a scan. It is closed when its last user is done. */
  const drop = async (old: Promise<SharedScan> | null): Promise<void> => {
    if (current === old) current = null;
    (await old?.catch(() => null))?.retire();
  };
  /** Starts a new scan and retires the current one. */
  const scan = (mode = request.mode): Promise<SharedScan> => {
    const old = current;
    isStale = false;
    const next = runScan({ ...request, mode, signal }).then((one) => new SharedScan(one));
    current = next;
    next.catch(() => void drop(next));
    if (old) void drop(old);
    return next;
  };
  /** Without a watch that can be trusted, each use scans again. */
  const upToDate = () => (current === null || isStale || !canTrustWatch ? scan() : current);

  async function followChanges(): Promise<void> {
    while (!closing.signal.aborted) {
      await watch!.changed();
      if (closing.signal.aborted) return;
      isStale = true;
      // Scan at once, while nothing waits for the answer.
      if (current) await scan().catch(() => {});
    }
  }
  if (watch) void followChanges();

  return {
    async use(work) {
      try {
        return await (await upToDate()).use(work);
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        return (await scan('full')).use((one) => work(rebuilt(one)));
      }
    },
    refresh() {
      isStale = true;
    },
    async close() {
      closing.abort();
      await watch?.close();
      await drop(current);
    },
  };
}

/** Scans, calls `work` with the index and closes it. Damage may show only when the index is read; it is then built again. */
export async function useIndex<Answer>(
  request: ScanRequest,
  work: (scan: OpenScan) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await useAndClose(await runScan(request), work);
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    return await useAndClose(rebuilt(await runScan({ ...request, mode: 'full' })), work);
  }
}

/** Closes the index even when `work` throws. */
async function useAndClose<Answer>(
  scan: OpenScan,
  work: (scan: OpenScan) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await work(scan);
  } finally {
    scan.index.close();
  }
}

/** An index with several users. Once retired, it is closed when the last of them is done. */
class SharedScan {
  readonly #scan: OpenScan;
  #users = 0;
  #isRetired = false;

  constructor(scan: OpenScan) {
    this.#scan = scan;
  }

  async use<Answer>(work: (scan: OpenScan) => Answer | Promise<Answer>): Promise<Answer> {
    this.#users += 1;
    try {
      return await work(this.#scan);
    } finally {
      this.#users -= 1;
      if (this.#isRetired) this.#closeWhenFree();
    }
  }

  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#closeWhenFree();
  }

  #closeWhenFree(): void {
    if (this.#users === 0) this.#scan.index.close();
  }
}

/** Equal for settings that share an index: the same listing in the same cache directory. */
export const indexKey = (settings: Settings): string =>
  JSON.stringify([settings.cacheDir, listingKey(settings)]);
