// Shared by all stores: the names and hashes of snapshots, the checks before an update, the clock of a call, and
// vectors of one byte per number. Each store adds only where the data lives.

import { createHash } from 'node:crypto';
import type {
  ManifestEntry,
  PackedVector,
  StoreCall,
  StoredFile,
  StoredPassage,
  StoreSnapshot,
  StoreUpdate,
  VectorQuery,
} from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { LineSpan } from '../../model/ranking.ts';
import { monotonicMs } from '../../platform/clock.ts';

/** The head of the snapshot that an update makes. `entries` are in the order of `sortedFiles`. */
export function headOf(
  { repository, branch, commit, model }: StoreUpdate,
  entries: readonly ManifestEntry[],
  generation: number,
): StoreSnapshot {
  const hash = manifestHash(model, entries);
  return { repository, branch, commit, model, generation, manifestHash: hash, fileCount: entries.length };
}

/** A snapshot of the same files at the same commit needs no other one. */
export function isSameSnapshot(a: StoreSnapshot, b: StoreSnapshot): boolean {
  return a.manifestHash === b.manifestHash && a.commit === b.commit;
}

/** Order of lists: by repository, then by branch. */
export const bySnapshotName = (
  a: Pick<StoreSnapshot, 'repository' | 'branch'>,
  b: Pick<StoreSnapshot, 'repository' | 'branch'>,
): number =>
  a.repository === b.repository ? (a.branch < b.branch ? -1 : 1) : a.repository < b.repository ? -1 : 1;

/** Goes up when the stored form of a content changes. */
const DOCUMENT_FORMAT = 1;

/** The id of a content in a store: the same for every branch that has it, so that it is sent once. */
export function documentId(
  team: string,
  repository: string,
  model: string,
  { path, contentHash, language }: Omit<ManifestEntry, 'edges'>,
): string {
  const parts = [DOCUMENT_FORMAT, team, repository, model, path, contentHash, language];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** A hash over everything that an answer can depend on. */
function manifestHash(model: string, files: readonly ManifestEntry[]): string {
  const hash = createHash('sha256').update(JSON.stringify([DOCUMENT_FORMAT, model]));
  for (const { path, contentHash, language, edges } of files)
    hash.update(
      JSON.stringify([path, contentHash, language, ...edges.map(({ to, kind }) => `${kind} ${to}`)]),
    );
  return hash.digest('hex');
}

/** Throws when the call was aborted or its time is up. */
export type CallCheck = () => void;

/** Starts the clock of a call; the returned check throws when the call is aborted or over its budget. */
export function openCall(store: string, { signal, budgetMs }: StoreCall = {}): CallCheck {
  const deadline = budgetMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs() + budgetMs;
  const check = () => {
    if (signal?.aborted)
      throw new LoadoutError('store-cancelled', `the request to the ${store} store was cancelled`);
    if (monotonicMs() >= deadline)
      throw new LoadoutError('store-timeout', `the ${store} store did not answer within ${budgetMs} ms`);
  };
  check();
  return check;
}

/** Files in order of path; an update that contradicts itself is refused before anything is sent. */
export function sortedFiles({ files, repository, branch }: StoreUpdate): readonly ManifestEntry[] {
  if (repository === '' || branch === '') throw refused('an update needs a repository and a branch');
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  sorted.forEach(({ path, contentHash }, at) => {
    if (path === '' || contentHash === '') throw refused('every file needs a path and a content hash');
    if (sorted[at + 1]?.path === path) throw refused(`the update contains ${JSON.stringify(path)} twice`);
  });
  const known = new Set(sorted.map(({ path }) => path));
  for (const { path, edges } of sorted)
    for (const { to } of edges)
      if (!known.has(to))
        throw refused(`${JSON.stringify(path)} leads to ${JSON.stringify(to)}, which is not in the update`);
  return sorted;
}

/** Loads the file of an entry. */
export async function loadFile(update: StoreUpdate, entry: ManifestEntry): Promise<StoredFile> {
  const file = await update.load(entry);
  const { path, contentHash, language } = entry;
  if (file.path !== path || file.contentHash !== contentHash || file.language !== language)
    throw refused(`the file that was loaded for ${JSON.stringify(path)} is another one`);
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

/** The error when another writer was faster. */
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

/** The best passage of a file and how near it is, from 0 to 1. */
interface PassageScore {
  readonly score: number;
  readonly span: LineSpan;
}

/** The best passage of a file against a query; null when none points the same way. */
type PassageSearch = (passages: readonly StoredPassage[]) => PassageScore | null;

/**
 * Prepares a query. Throws `store-refused` for a vector without a direction or of another length than the
 * stored ones.
 */
export function passageSearch({ vector }: VectorQuery): PassageSearch {
  const unit = unitVector(vector);
  if (!unit) throw refused('the vector of a query has no direction');
  return (passages) => {
    let best: StoredPassage | null = null;
    let most = 0;
    for (const passage of passages) {
      const { length } = passage.vector.codes;
      if (length !== unit.length)
        throw refused(`the query has ${unit.length} numbers, the stored vectors have ${length}`);
      const score = cosine(passage.vector, unit);
      if (score <= most) continue;
      most = score;
      best = passage;
    }
    return best && { score: most, span: { startLine: best.startLine, endLine: best.endLine } };
  };
}

/** The error for a request that would fail again. */
export function refused(message: string): LoadoutError {
  return new LoadoutError('store-refused', message);
}

/** The largest code of a byte with a sign. */
const MAX_VALUE = 127;

/** Brings a vector to length 1 and a byte for each number; null when it has no direction. */
export function packVector(vector: ArrayLike<number>): PackedVector | null {
  let squares = 0;
  let largest = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at]!;
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return null;
  const codes = new Int8Array(vector.length);
  for (let at = 0; at < codes.length; at++) codes[at] = Math.round((vector[at]! / largest) * MAX_VALUE);
  return { codes, scale: largest / length / MAX_VALUE };
}

/** Cosine of a packed vector and one of length 1. */
export function cosine({ codes, scale }: PackedVector, unit: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < codes.length; at++) sum += codes[at]! * unit[at]!;
  return sum * scale;
}

/** The same direction at length 1; null when it has none. */
export function unitVector(vector: ArrayLike<number>): Float32Array | null {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += vector[at]! * vector[at]!;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return null;
  return Float32Array.from(vector, (value) => value / length);
}
