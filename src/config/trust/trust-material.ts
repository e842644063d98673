// The files that trust is bound to, and their digest.

import { createHash } from 'node:crypto';
import type { FolderEntry, ReadOutcome, SafeRoot } from '../../platform/fs/safe-root.ts';
import { REPOSITORY_CONFIG_NAMES } from '../config-file.ts';

const FOLDER = '.loadout';
/** Folders that Loadout itself writes: they change all the time, and nothing in them is obeyed. */
export const OWN_FOLDERS: readonly string[] = ['ast-context', 'loop', 'runs'].map(
  (name) => `${FOLDER}/${name}`,
);
const MAX_FILES = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Every file of a repository that may say what runs or what is reached, as it is now. */
export interface TrustMaterial {
  /** sha256 over paths and bytes; empty when there are more bytes than a person could review. */
  readonly digest: string;
  /** Sorted by path; `sha256` is of the bytes, or says why they are not read. */
  readonly files: readonly CoveredFile[];
  /** The repository, with the covered files as they were read for the digest, whatever is written to them later. */
  readonly root: SafeRoot;
}

export interface CoveredFile {
  readonly path: string;
  readonly sha256: string;
}

/** Reads the files that trust is bound to. Any changed byte or path gives another digest. */
export function readTrustMaterial(root: SafeRoot): TrustMaterial {
  const folders = new Map<string, readonly FolderEntry[] | null>();
  const paths = coveredPaths(root, folders);
  // Not trusted, so nothing in them is obeyed, and it does no harm to read them as they are.
  const tooMuch: TrustMaterial = { digest: '', files: [], root };
  if (paths === null) return tooMuch;
  const outcomes = new Map<string, ReadOutcome>();
  const files: CoveredFile[] = [];
  const all = createHash('sha256');
  let left = MAX_BYTES;
  for (const path of paths) {
    const outcome = root.read(path, left);
    if (outcome.kind === 'skipped' && outcome.reason === 'too-large') return tooMuch;
    outcomes.set(path, outcome);
    if (outcome.kind === 'skipped' && outcome.reason === 'vanished') continue;
    const bytes = outcome.kind === 'content' ? outcome.bytes : Buffer.from(outcome.reason);
    left -= bytes.length;
    // Lengths in front: no file can end in what looks like the beginning of the next.
    all.update(`${outcome.kind} ${Buffer.byteLength(path)} ${bytes.length}\n${path}`).update(bytes);
    const own = createHash('sha256').update(bytes).digest('hex');
    files.push({ path, sha256: outcome.kind === 'content' ? own : `not read: ${outcome.reason}` });
  }
  return { digest: all.digest('hex'), files, root: holdStill(root, folders, outcomes) };
}

/** A file that is read for the digest and once more for its content could be another one by then. */
function holdStill(
  root: SafeRoot,
  folders: ReadonlyMap<string, readonly FolderEntry[] | null>,
  outcomes: ReadonlyMap<string, ReadOutcome>,
): SafeRoot {
  const held = (path: string): ReadOutcome =>
    outcomes.get(path) ?? { kind: 'skipped', reason: 'vanished', size: 0 };
  return {
    ...root,
    read: (path, maxBytes) => {
      if (!isCovered(path)) return root.read(path, maxBytes);
      const outcome = held(path);
      if (outcome.kind === 'skipped' || outcome.bytes.length <= maxBytes) return outcome;
      return { kind: 'skipped', reason: 'too-large', size: outcome.bytes.length };
    },
    readHead: (path, bytes) => {
      if (!isCovered(path)) return root.readHead(path, bytes);
      const outcome = held(path);
      return outcome.kind === 'skipped' ? outcome : { ...outcome, bytes: outcome.bytes.subarray(0, bytes) };
    },
    list: (folder) => (isCovered(folder) ? (folders.get(folder) ?? null) : root.list(folder)),
  };
}

function isCovered(path: string): boolean {
  if ((REPOSITORY_CONFIG_NAMES as readonly string[]).includes(path)) return true;
  if (path !== FOLDER && !path.startsWith(`${FOLDER}/`)) return false;
  return !OWN_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Null when there are too many. Links are listed, never followed. */
function coveredPaths(root: SafeRoot, folders: Map<string, readonly FolderEntry[] | null>): string[] | null {
  const found: string[] = REPOSITORY_CONFIG_NAMES.filter((name) => root.stat(name) !== null);
  const open = root.stat(FOLDER) === null ? [] : [FOLDER];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = root.list(folder);
    folders.set(folder, entries);
    // A link or a file in place of the folder is listed as it is.
    if (entries === null) found.push(folder);
    for (const { name, type } of entries ?? []) {
      const path = `${folder}/${name}`;
      if (OWN_FOLDERS.includes(path)) continue;
      (type === 'directory' ? open : found).push(path);
      if (found.length + open.length > MAX_FILES) return null;
    }
  }
  return found.sort((left, right) => (left < right ? -1 : 1));
}
