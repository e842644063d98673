import type { ManifestEntry, StoredFile, StoreSnapshot, StoreUpdate } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { refused } from './search-vectors.ts';

/** Files in order of path; an update that contradicts itself is refused before anything is sent. */
export function sortedFiles({ files, repository, branch }: StoreUpdate): readonly ManifestEntry[] {
  if (repository === '' || branch === '') throw refused('an update needs a repository and a branch');
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  sorted.forEach(({ path, contentHash }, at) => {
    if (path === '' || contentHash === '') throw refused('every file needs a path and a content hash');
    if (sorted[at + 1]?.path === path) throw refused(`the update has ${JSON.stringify(path)} twice`);
  });
  const known = new Set(sorted.map(({ path }) => path));
  for (const { path, edges } of sorted)
    for (const { to } of edges)
      if (!known.has(to))
        throw refused(`${JSON.stringify(path)} leads to ${JSON.stringify(to)}, which is not in it`);
  return sorted;
}

/** Loads what an entry promises. */
export async function loadFile(update: StoreUpdate, entry: ManifestEntry): Promise<StoredFile> {
  const file = await update.load(entry);
  const { path, contentHash, language } = entry;
  if (file.path !== path || file.contentHash !== contentHash || file.language !== language)
    throw refused(`what was loaded for ${JSON.stringify(path)} is another file`);
  return file;
}

/** The state that an update starts from; the work of another writer is never overwritten. */
export function checkExpected(
  { expected, repository, branch }: StoreUpdate,
  current: Pick<StoreSnapshot, 'generation'> | null,
): number | null {
  const generation = current?.generation ?? null;
  if (expected !== undefined && expected !== generation)
    throw conflict(repository, branch, expected, generation);
  return generation;
}

export function conflict(
  repository: string,
  branch: string,
  expected: number | null,
  found: number | null,
): LoadoutError {
  const message = `${repository}, branch ${branch}: expected generation ${expected ?? 'none'}, found ${found ?? 'none'}`;
  return new LoadoutError('store-conflict', message, { hint: 'another process updated it: try again' });
}

/** Files of the former state that are gone or have other content. */
export function countRemoved(
  former: readonly Pick<ManifestEntry, 'path' | 'contentHash'>[],
  now: readonly Pick<ManifestEntry, 'path' | 'contentHash'>[],
): number {
  const kept = new Set(now.map(({ path, contentHash }) => `${contentHash} ${path}`));
  return former.filter(({ path, contentHash }) => !kept.has(`${contentHash} ${path}`)).length;
}
