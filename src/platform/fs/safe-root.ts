// The only reader of a repository's files. It checks every path before and the opened file after opening it, so
// that no link, swap or device leads outside of the root.

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { isAbsolute, parse, resolve } from 'node:path';
import type { SkipReason, StatHint } from '../../model/file-entry.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { decodePath, encodePath, isInsideRoot, isUnsafePath, withSlashes } from './path-codec.ts';

/** The type of a path and the facts by which a change shows. */
export interface FileStat {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly hint: StatHint;
  /** For the owner, the group or others. */
  readonly executable: boolean;
}

/** The bytes of a file, or the reason why it was not read. */
export type ReadOutcome =
  | { readonly kind: 'content'; readonly bytes: Buffer; readonly hint: StatHint }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly size: number };

/** A name in a folder and its type. Links are not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly type: FileStat['type'];
}

/** The only reader of a repository. Paths are relative to the root, with `/`; no answer holds a byte from outside. */
export interface SafeRoot {
  /** The real path of the root. */
  readonly path: string;
  /**
   * Facts about the file itself; a link is not followed. Null when it is gone or unreadable. Unlike `read`, this does
   * not check the folders above it: the answer is a hint, never content.
   */
  stat(path: string): FileStat | null;
  /** The whole file, or why not. The size is checked before anything is read. */
  read(path: string, maxBytes: number): ReadOutcome;
  /** At most this many bytes from the start. */
  readHead(path: string, bytes: number): ReadOutcome;
  /** `''` is the root; sorted by code unit; null when unreadable, not a folder or reached through a link. */
  list(folder: string): readonly FolderEntry[] | null;
  /** A path a user typed becomes a path below the root, or a `path-outside-root` error. The file need not exist. */
  contain(userPath: string, workingDirectory?: string): string;
}

// Not blocking on a FIFO, not following a last link, not becoming the terminal's process.
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens a folder for reading. No path and no link leads out of it. */
export function openSafeRoot(directory: string): SafeRoot {
  const root = realRoot(directory);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const read = (path: string, limit: number, wholeOnly: boolean): ReadOutcome =>
    isUnsafePath(path) ? skipped('outside-root', 0) : readRegularFile(root, prefix + path, limit, wholeOnly);
  return {
    path: root,
    stat: (path) => (path !== '' && isUnsafePath(path) ? null : statFile(path === '' ? root : prefix + path)),
    read: (path, maxBytes) => read(path, maxBytes, true),
    readHead: (path, bytes) => read(path, bytes, false),
    list: (folder) =>
      folder !== '' && isUnsafePath(folder) ? null : listFolder(root, folder === '' ? root : prefix + folder),
    contain: (userPath, workingDirectory = root) => containPath(root, userPath, workingDirectory),
  };
}

/** The real path of the root; throws when it is not a folder. */
function realRoot(directory: string): string {
  try {
    const real = realpathSync.native(encodePath(directory), 'buffer');
    if (lstatSync(real).isDirectory()) return withSlashes(decodePath(real));
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new LoadoutError('unreadable', `cannot read the directory ${directory} (${code})`, {
        subject: directory,
        hint: 'check its permissions',
        cause: error,
      });
    }
  }
  throw new LoadoutError('not-a-directory', `${directory} is not a directory`, {
    subject: directory,
    hint: 'name a directory that exists',
  });
}

function statFile(fullPath: string): FileStat | null {
  try {
    const stats = lstatSync(encodePath(fullPath), { throwIfNoEntry: false });
    if (stats === undefined) return null;
    return {
      type: typeOf(stats),
      hint: hintOf(stats),
      executable: stats.isFile() && (stats.mode & 0o111) !== 0,
    };
  } catch {
    return null;
  }
}

/** Opens, checks, reads and closes one file. `wholeOnly` refuses a file that is larger than the limit. */
function readRegularFile(root: string, fullPath: string, limit: number, wholeOnly: boolean): ReadOutcome {
  const location = encodePath(fullPath);
  let descriptor = -1;
  let size = 0;
  try {
    // A device may act on being opened, so look first; the checks that count come after the opening.
    const before = lstatSync(location, { throwIfNoEntry: false });
    if (before === undefined) return skipped('vanished', 0);
    size = before.size;
    if (before.isSymbolicLink()) return skipped('symlink', size);
    if (!before.isFile()) return skipped('not-a-regular-file', size);
    descriptor = openSync(location, OPEN_FLAGS);
    const stats = fstatSync(descriptor);
    size = stats.size;
    if (!stats.isFile()) return skipped('not-a-regular-file', size);
    const refusal = checkDescriptor(root, fullPath, descriptor, stats);
    if (refusal !== null) return skipped(refusal, 0);
    if (wholeOnly && size > limit) return skipped('too-large', size);
    return { kind: 'content', bytes: readUpTo(descriptor, Math.min(size, limit)), hint: hintOf(stats) };
  } catch (error) {
    return skipped(reasonFor(error), size);
  } finally {
    if (descriptor !== -1) closeSync(descriptor);
  }
}

/** Reads what the file held when it was opened: growth meanwhile is not followed, shrinking ends early. */
function readUpTo(descriptor: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return filled === length ? bytes : bytes.subarray(0, filled);
}

function reasonFor(error: unknown): SkipReason {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'vanished';
  return code === 'ELOOP' || code === 'EMLINK' ? 'symlink' : 'unreadable';
}

function skipped(reason: SkipReason, size: number): ReadOutcome {
  return { kind: 'skipped', reason, size };
}

function hintOf(stats: Stats): StatHint {
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, inode: stats.ino };
}

function typeOf(stats: Stats): FileStat['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

const MAX_LINKS = 40;
const DRIVE_OR_SHARE = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/;

/**
 * Follows a path the way the file system would, link by link, and returns the place it leads to, relative
 * to the root. A path that cannot be followed to its end is refused.
 */
function containPath(root: string, userPath: string, workingDirectory: string): string {
  const refuse = (why: string): never => {
    throw new LoadoutError('path-outside-root', `the path ${JSON.stringify(userPath)} ${why}`, {
      subject: userPath,
      hint: `only paths inside ${root} are allowed`,
    });
  };
  if (userPath.includes('\0')) refuse('holds a NUL character');
  if (/^~[^/\\]*(?:[/\\]|$)/.test(userPath)) refuse('names a home directory; write ./~ for a file called ~');
  if (!isAbsolute(userPath) && DRIVE_OR_SHARE.test(userPath)) refuse('names a drive or a network share');
  const place = follow(workingDirectory, userPath, refuse);
  if (!isInsideRoot(root, place)) refuse(`leads to ${place}, which is outside the root`);
  return place.slice(root.length).replace(/^\/+/, '');
}

/** The path that is reached in the end, link by link. Parts that do not exist are kept as they are written. */
function follow(workingDirectory: string, userPath: string, refuse: (why: string) => never): string {
  const start = isAbsolute(userPath) ? userPath : `${resolve(workingDirectory)}/${userPath}`;
  let { root: place } = parse(start);
  const pending = segmentsOf(start.slice(place.length));
  let links = 0;
  let exists = true;
  for (let segment = pending.shift(); segment !== undefined; segment = pending.shift()) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      place = parentOf(place);
      exists = true;
      continue;
    }
    const next = place.endsWith('/') || place.endsWith('\\') ? place + segment : `${place}/${segment}`;
    const target = exists ? linkTarget(next, refuse) : null;
    if (target === null) {
      place = next;
    } else if (target === 'missing') {
      place = next;
      exists = false;
    } else {
      links += 1;
      if (links > MAX_LINKS) refuse(`goes through more than ${MAX_LINKS} links`);
      pending.unshift(...segmentsOf(target.link));
      if (isAbsolute(target.link)) place = parse(target.link).root;
    }
  }
  return realSpelling(place);
}

function linkTarget(path: string, refuse: (why: string) => never): { link: string } | 'missing' | null {
  try {
    const location = encodePath(path);
    if (!lstatSync(location).isSymbolicLink()) return null;
    return { link: decodePath(readlinkSync(location, 'buffer')) };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    return refuse(`cannot be checked (${code || 'unknown error'})`);
  }
}

/** On a file system that folds case, the spelling on disk is the one that compares. */
function realSpelling(place: string): string {
  let missing = '';
  let existing = place;
  while (parentOf(existing) !== existing) {
    try {
      const real = decodePath(realpathSync.native(encodePath(existing), 'buffer'));
      return withSlashes(real) + missing;
    } catch {
      missing = existing.slice(parentOf(existing).length).replace(/^\/?/, '/') + missing;
      existing = parentOf(existing);
    }
  }
  return withSlashes(place);
}

function parentOf(place: string): string {
  const { root } = parse(place);
  const end = place.lastIndexOf('/');
  return end < root.length ? root : place.slice(0, end);
}

function segmentsOf(path: string): string[] {
  return withSlashes(path).split('/');
}

/**
 * Checks the file that was really opened, because a path may have changed its meaning since it was looked at.
 * Null when the descriptor is the file at `fullPath`, reached through real folders inside the root.
 */
function checkDescriptor(
  root: string,
  fullPath: string,
  descriptor: number,
  stats: Stats,
): SkipReason | null {
  const opened = openedPath(fullPath, descriptor, stats);
  if (opened === fullPath) return null;
  if (opened === null) return 'vanished';
  if (!isInsideRoot(root, opened)) return opened === `${fullPath} (deleted)` ? 'vanished' : 'outside-root';
  // Inside, but under another name: through a link, or a file system that folds case.
  return hasLinkedFolder(root, fullPath) ? 'symlink' : null;
}

/** The real path of an open file; null when the path leads to another file by now. */
function openedPath(fullPath: string, descriptor: number, stats: Stats): string | null {
  if (process.platform === 'linux') {
    try {
      return decodePath(readlinkSync(`/proc/self/fd/${descriptor}`, 'buffer'));
    } catch {
      // No /proc here: compare the way other systems do.
    }
  }
  const real = realpathSync.native(encodePath(fullPath), 'buffer');
  const now = statSync(real);
  return now.dev === stats.dev && now.ino === stats.ino ? withSlashes(decodePath(real)) : null;
}

/** Whether a folder between the root and the file is a link. */
function hasLinkedFolder(root: string, fullPath: string): boolean {
  let end = fullPath.lastIndexOf('/');
  while (end > root.length) {
    if (lstatSync(encodePath(fullPath.slice(0, end))).isSymbolicLink()) return true;
    end = fullPath.lastIndexOf('/', end - 1);
  }
  return false;
}

const FOLDER_FLAGS =
  constants.O_RDONLY |
  (constants.O_DIRECTORY ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** The entries of a folder, or null when it cannot be read or is not really at this place inside the root. */
function listFolder(root: string, fullPath: string): readonly FolderEntry[] | null {
  let descriptor = -1;
  try {
    const location = encodePath(fullPath);
    descriptor = openSync(location, FOLDER_FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isDirectory() || checkDescriptor(root, fullPath, descriptor, stats) !== null) return null;
    // Listing the descriptor leaves no moment in which the folder could be swapped for a link.
    const source = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : location;
    const entries = readdirSync(source, { withFileTypes: true, encoding: 'buffer' });
    return entries.map(toFolderEntry).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return null;
  } finally {
    if (descriptor !== -1) closeSync(descriptor);
  }
}

function toFolderEntry(entry: Dirent<Buffer>): FolderEntry {
  return { name: decodePath(entry.name), type: entryType(entry) };
}

function entryType(entry: Dirent<Buffer>): FolderEntry['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
