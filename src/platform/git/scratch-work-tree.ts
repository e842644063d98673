// Work trees for evaluations: any commit of a repository as files, without touching the repository.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { makeFolder } from '../fs/make-folder.ts';
import { encodePath, encodePathBytes, isUnsafePath } from '../fs/path-codec.ts';
import { writeOwnGitDirectory } from './own-git-directory.ts';

/** A file of a commit; links and submodules do not count. */
export interface TreeFile {
  readonly path: string;
  readonly blob: string;
  readonly executable: boolean;
}

/**
 * A work tree of a repository in a folder of Loadout. Its git directory belongs to Loadout too and borrows objects from the
 * repository's: nothing is written there, not even that this work tree exists. Contents are written
 * as they are stored: no filter, hook or line-ending rule applies.
 */
export interface ScratchWorkTree {
  readonly path: string;
  /** Files that differ from the commit; pass their contents to `moveTo`. */
  missing(files: readonly TreeFile[]): readonly TreeFile[];
  /** Writes the files of a commit. A file without content, old or given, is left out. */
  moveTo(commit: string, files: readonly TreeFile[], contents: ReadonlyMap<string, Buffer>): void;
  remove(): void;
}

/** Names that lead out of the folder or into a git directory on some system. */
const UNSAFE_SEGMENT = /^(?:|\.{1,2}|\.git|git~\d+)$/i;
/** The file system of macOS ignores these, so that `.g\u200cit` is `.git`. */
const IGNORED_ON_MAC = /[\u200c-\u200f\u202a-\u202e\ufeff]/;

/** Whether a path of a commit may be written on this system. */
export function isSafeTreePath(path: string, system: NodeJS.Platform = process.platform): boolean {
  if (isUnsafePath(path, system) || (system === 'darwin' && IGNORED_ON_MAC.test(path))) return false;
  return !path.split('/').some((segment) => UNSAFE_SEGMENT.test(segment));
}

/** Replaces anything at `folder`. */
export function openScratchWorkTree(folder: string, commonDirectory: string): ScratchWorkTree {
  const written = new Map<string, IndexedFile>();
  remove(folder);
  const tree = makeFolder(`${folder}/tree`);
  const gitDirectory = `${tree}/.git`;
  const borrowed = { gitDirectory: commonDirectory, commonDirectory };

  let isOpen = false;
  // The tree holds this very content from an earlier commit.
  const isThere = ({ path, blob, executable }: TreeFile): boolean => {
    const known = written.get(path);
    return known?.blob === blob && known.executable === executable;
  };
  // Removes files that the next commit does not have, or has with another content.
  const dropOthers = (files: readonly TreeFile[]): void => {
    const wanted = new Map(files.map((file) => [file.path, file]));
    for (const path of [...written.keys()]) {
      const file = wanted.get(path);
      if (file && isThere(file)) continue;
      rmSync(encodePath(`${tree}/${path}`), { force: true });
      written.delete(path);
    }
  };
  return {
    path: tree,
    missing: (files) => files.filter((file) => isSafeTreePath(file.path) && !isThere(file)),
    moveTo: (commit, files, contents) => {
      try {
        dropOthers(files);
        for (const file of files) {
          const content = contents.get(file.blob);
          if (content === undefined || isThere(file) || !isSafeTreePath(file.path)) continue;
          written.set(file.path, writeTreeFile(tree, file, content));
        }
        if (!isOpen) writeOwnGitDirectory(gitDirectory, borrowed, commit, { refs: new Map(), settings: [] });
        isOpen = true;
        writeFileSync(`${gitDirectory}/index`, encodeGitIndex([...written.values()]), { mode: 0o600 });
        writeFileSync(`${gitDirectory}/HEAD`, `${commit}\n`, { mode: 0o600 });
      } catch (cause) {
        throw new LoadoutError('cannot-write', `cannot write the tree of ${commit} (${errorCode(cause)})`, {
          subject: folder,
          hint: 'free some space, or set LOADOUT_CACHE_DIR to another folder',
          cause,
        });
      }
    },
    remove: () => remove(folder),
  };
}

/** Writes a file and notes what git's index says of it. */
function writeTreeFile(tree: string, file: TreeFile, content: Buffer): IndexedFile {
  const path = encodePath(`${tree}/${file.path}`);
  const folder = encodePath(dirname(`${tree}/${file.path}`));
  clearTheWay(tree, file.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: file.executable ? 0o700 : 0o600 });
  const stat = lstatSync(path, { bigint: true });
  return { path: encodePathBytes(file.path), blob: file.blob, executable: file.executable, stat };
}

/** A folder of one commit may be a file of another. */
function clearTheWay(tree: string, path: string): void {
  const segments = path.split('/');
  for (let depth = 1; depth < segments.length; depth++) {
    const above = encodePath(`${tree}/${segments.slice(0, depth).join('/')}`);
    const stats = lstatSync(above, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) rmSync(above, { force: true });
  }
  const own = encodePath(`${tree}/${path}`);
  if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory()) rmSync(own, { recursive: true, force: true });
}

function remove(folder: string): void {
  try {
    rmSync(encodePath(folder), { recursive: true, force: true });
  } catch {
    // the next run replaces what is left
  }
}

/** A tracked file with the facts of `lstat`, so that git need not read it to know that it is unchanged. */
interface IndexedFile {
  readonly path: Buffer;
  readonly blob: string;
  readonly executable: boolean;
  readonly stat: {
    readonly ctimeNs: bigint;
    readonly mtimeNs: bigint;
    readonly dev: bigint;
    readonly ino: bigint;
    readonly uid: bigint;
    readonly gid: bigint;
    readonly size: bigint;
  };
}

const SECOND_NS = 1_000_000_000n;
const LOW_BITS = 0xffff_ffffn;
/** Longer names have this length in the index, and end at a NUL. */
const MAX_NAME = 0xfff;
/** Ten numbers of four bytes in front of the id. */
const FIXED_BYTES = 40;

/** The bytes of a git index, version 2, that lists these files. */
function encodeGitIndex(files: readonly IndexedFile[]): Buffer {
  const header = Buffer.alloc(12);
  header.write('DIRC', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(files.length, 8);
  const sorted = [...files].sort((a, b) => Buffer.compare(a.path, b.path));
  const body = Buffer.concat([header, ...sorted.map(encodeEntry)]);
  const usesSha256 = (files[0]?.blob.length ?? 40) > 40;
  const checksum = createHash(usesSha256 ? 'sha256' : 'sha1')
    .update(body)
    .digest();
  return Buffer.concat([body, checksum]);
}

/** One file of the index, as git's documentation of the format has it. */
function encodeEntry({ path, blob, executable, stat }: IndexedFile): Buffer {
  const id = Buffer.from(blob, 'hex');
  const length = FIXED_BYTES + id.length + 2 + path.length;
  // at least one NUL, and as many as make the length a multiple of eight
  const entry = Buffer.alloc(length + 8 - (length % 8));
  const numbers = [
    stat.ctimeNs / SECOND_NS,
    stat.ctimeNs % SECOND_NS,
    stat.mtimeNs / SECOND_NS,
    stat.mtimeNs % SECOND_NS,
    stat.dev,
    stat.ino,
    executable ? 0o100755n : 0o100644n,
    stat.uid,
    stat.gid,
    stat.size,
  ];
  for (const [at, number] of numbers.entries()) entry.writeUInt32BE(Number(number & LOW_BITS), at * 4);
  id.copy(entry, FIXED_BYTES);
  entry.writeUInt16BE(Math.min(path.length, MAX_NAME), FIXED_BYTES + id.length);
  path.copy(entry, FIXED_BYTES + id.length + 2);
  return entry;
}
