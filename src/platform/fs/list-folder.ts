import type { Dirent } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, readdirSync } from 'node:fs';
import { checkDescriptor } from './check-descriptor.ts';
import { decodePath, encodePath } from './path-codec.ts';
import type { FolderEntry } from './safe-root.ts';

const OPEN_FLAGS =
  constants.O_RDONLY |
  (constants.O_DIRECTORY ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** What a folder holds, or null when it cannot be read or is not really at this place inside the root. */
export function listFolder(root: string, fullPath: string): readonly FolderEntry[] | null {
  let descriptor = -1;
  try {
    const location = encodePath(fullPath);
    descriptor = openSync(location, OPEN_FLAGS);
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
  return { name: decodePath(entry.name), type: typeOf(entry) };
}

function typeOf(entry: Dirent<Buffer>): FolderEntry['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
