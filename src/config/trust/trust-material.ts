import { createHash } from 'node:crypto';
import type { SafeRoot } from '../../platform/safe-root.ts';
import { REPOSITORY_CONFIG_NAMES } from '../config-file.ts';

const FOLDER = '.loadout';
/** What Loadout writes there itself: it changes all the time, and nothing in it is obeyed. */
export const NOT_COVERED: ReadonlySet<string> = new Set(
  ['ast-context', 'loop', 'runs'].map((name) => `${FOLDER}/${name}`),
);
const MOST_FILES = 1_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Every file of a repository that may say what runs or what is reached, as it is now. */
export interface TrustMaterial {
  /** sha256 over paths and bytes; empty when there is more than anybody could look through. */
  readonly digest: string;
  /** Sorted by path; `sha256` is of the bytes, or says why they are not read. */
  readonly files: readonly CoveredFile[];
}

export interface CoveredFile {
  readonly path: string;
  readonly sha256: string;
}

/** Reads what trust is bound to. One byte more, less or elsewhere gives another digest. */
export function readTrustMaterial(root: SafeRoot): TrustMaterial {
  const paths = coveredPaths(root);
  if (paths === null) return { digest: '', files: [] };
  const files: CoveredFile[] = [];
  const all = createHash('sha256');
  let left = MOST_BYTES;
  for (const path of paths) {
    const outcome = root.read(path, left);
    if (outcome.kind === 'skipped' && outcome.reason === 'too-large') return { digest: '', files: [] };
    if (outcome.kind === 'skipped' && outcome.reason === 'vanished') continue;
    const bytes = outcome.kind === 'content' ? outcome.bytes : Buffer.from(outcome.reason);
    left -= bytes.length;
    // Lengths in front: no file can end in what looks like the beginning of the next.
    all.update(`${outcome.kind} ${Buffer.byteLength(path)} ${bytes.length}\n${path}`).update(bytes);
    const own = createHash('sha256').update(bytes).digest('hex');
    files.push({ path, sha256: outcome.kind === 'content' ? own : `not read: ${outcome.reason}` });
  }
  return { digest: all.digest('hex'), files };
}

/** Null when there are too many. Links are listed, never followed. */
function coveredPaths(root: SafeRoot): string[] | null {
  const found: string[] = REPOSITORY_CONFIG_NAMES.filter((name) => root.stat(name) !== null);
  const open = root.stat(FOLDER) === null ? [] : [FOLDER];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = root.list(folder);
    // A link or a file in the place of the folder: it counts as what it is.
    if (entries === null) found.push(folder);
    for (const { name, type } of entries ?? []) {
      const path = `${folder}/${name}`;
      if (NOT_COVERED.has(path)) continue;
      (type === 'directory' ? open : found).push(path);
      if (found.length + open.length > MOST_FILES) return null;
    }
  }
  return found.sort((left, right) => (left < right ? -1 : 1));
}
