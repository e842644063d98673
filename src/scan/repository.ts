import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import { CacheFolder } from '../platform/cache-folder.ts';
import { processId } from '../platform/environment.ts';
import { type GitDoor, openGit } from '../platform/git.ts';
import { openSafeRoot, type SafeRoot } from '../platform/safe-root.ts';
import { INDEX_FORMAT, IndexStore } from '../store/index-store.ts';

/** A repository that is ready to be read: its files, its git, and the folder that holds its index. */
export interface Repository {
  readonly root: SafeRoot;
  readonly git: GitDoor | null;
  readonly store: IndexStore;
  readonly cache: CacheFolder;
  /** Makes the names of files that this process writes unlike those of any other writer. */
  readonly writerId: string;
  readonly diagnostics: readonly Diagnostic[];
}

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
  const opening = await openGit(root.path);
  const git = opening.kind === 'git' ? opening.door : null;
  const diagnostics: Diagnostic[] = [];
  if (opening.kind === 'none' && opening.reason !== 'not-a-repository')
    diagnostics.push({ code: opening.reason, severity: 'warning', message: opening.detail });
  const cache = new CacheFolder(
    `${cacheDirectory}/index/${INDEX_FORMAT}/${indexKey(git?.commonDirectory ?? root.path)}`,
  );
  return { root, git, cache, writerId: processId(), store: new IndexStore(cache), diagnostics };
}
