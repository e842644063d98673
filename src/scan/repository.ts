// A directory that is opened for scanning, the folder of its index, and the turn to write that index.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Diagnostic } from '../model/diagnostic.ts';
import { CacheFolder } from '../platform/cache/cache-folder.ts';
import { monotonicMs } from '../platform/clock.ts';
import { processId } from '../platform/environment.ts';
import { tryLock } from '../platform/fs/file-lock.ts';
import { openSafeRoot, type SafeRoot } from '../platform/fs/safe-root.ts';
import { type GitAbsence, type GitClient, openGit } from '../platform/git/git.ts';
import { repositoryIdentity } from '../platform/git/own-git-directory.ts';
import { INDEX_FORMAT, IndexStore, WRITER_LOCK } from './format/index.ts';

/** A repository that is ready to be read: its files, its git, and the folder that holds its index. */
export interface Repository {
  readonly root: SafeRoot;
  readonly git: GitClient | null;
  readonly store: IndexStore;
  readonly cache: CacheFolder;
  /** A part of the names of files that this process writes. No other writer has the same. */
  readonly writerId: string;
  /** Whether there is an index of another format, which this version cannot read. */
  readonly hasFormerIndex: () => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The name of an index folder: readable, and unique by its hash. */
function indexKey(identity: string): string {
  const name =
    identity
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.git')
      .at(-1) ?? 'root';
  const readable = name.replace(/[^\w.-]+/g, '-').slice(0, 40);
  return `${readable}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
}

/**
 * Opens a directory as a repository. The index belongs to the git directory that all work trees share, so that
 * a fresh work tree finds what its siblings have read.
 */
export async function openRepository(directory: string, cacheDirectory: string): Promise<Repository> {
  const root = openSafeRoot(directory);
  const opening = await openGit(root.path, { toList: true });
  const git = opening.kind === 'git' ? opening.client : null;
  const diagnostics: Diagnostic[] = [];
  if (opening.kind === 'none') diagnostics.push(describeAbsence(opening.reason, opening.detail));
  const indexes = `${cacheDirectory}/index`;
  const key = indexKey(git ? repositoryIdentity(git.commonDirectory, cacheDirectory) : root.path);
  const cache = new CacheFolder(`${indexes}/${INDEX_FORMAT}/${key}`);
  return {
    root,
    git,
    cache,
    // One process may scan the same repository twice at the same time.
    writerId: `${processId()}-${randomBytes(4).toString('hex')}`,
    store: new IndexStore(cache),
    hasFormerIndex: () => formatsWith(indexes, key).length > 1,
    diagnostics,
  };
}

function describeAbsence(reason: GitAbsence, detail: string): Diagnostic {
  if (reason !== 'not-a-repository') return { code: reason, severity: 'warning', message: detail };
  const message =
    'not a git repository: files are found by walking the tree, and there is no history to rank by';
  return { code: 'no-git', severity: 'info', message };
}

/** Formats that have an index for the repository. */
function formatsWith(indexes: string, key: string): readonly string[] {
  const formats = new CacheFolder(indexes).list().filter((name) => /^v\d/.test(name));
  return formats.filter((format) => new CacheFolder(`${indexes}/${format}`).list().includes(key));
}

/** The right to write the index of a repository. */
export interface Turn {
  /** Another process has written the index in the meantime, so it must be read again. */
  readonly waited: boolean;
  release(): void;
}

/** Between two looks at the lock. */
const POLL_MS = 50;
const MAX_WAIT_MS = 60_000;

/** For a scan that writes no segments. */
export const NO_TURN: Turn = { waited: false, release: () => {} };

/**
 * Waits until no other process writes this index, at most a minute. Then the work begins anyway: two writers cost time
 * and nothing else, because no two write the same file and a commit is one rename.
 */
export async function takeTurn(cache: CacheFolder, signal: AbortSignal | undefined): Promise<Turn> {
  const path = cache.filePath(WRITER_LOCK);
  const started = monotonicMs();
  let lock = tryLock(path);
  const waited = lock === null;
  while (lock === null && monotonicMs() - started < MAX_WAIT_MS) {
    await delay(POLL_MS, undefined, signal ? { signal } : {});
    lock = tryLock(path);
  }
  return { waited, release: () => lock?.release() };
}
