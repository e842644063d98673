// Paths inside the repository: with `/`, relative to the root, never leaving it.

/** The folder of a path; `''` is the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The file name without its last extension: `user.service` for `src/user.service.ts`. */
export function stemOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** `relative` seen from `folder`, without `.` and `..`; null when it leaves the repository. */
export function joinWithin(folder: string, relative: string): string | null {
  let base = folder;
  let start = 0;
  // Nearly all imports are `./` or `../` and a plain path. These need no list of segments.
  while (relative.charCodeAt(start) === DOT) {
    if (relative.startsWith('./', start)) start += 2;
    else if (relative.startsWith('../', start)) {
      if (base === '') return null;
      base = folderOf(base);
      start += 3;
    } else break;
  }
  const rest = start === 0 ? relative : relative.slice(start);
  if (rest === '' || IRREGULAR.test(rest)) return joinSegments(base, rest);
  return base === '' ? rest : `${base}/${rest}`;
}

const DOT = 46;
/** Has an empty segment, `.` or `..` somewhere. */
const IRREGULAR = /(?:^|\/)(?:\.{0,2})(?:\/|$)/;

function joinSegments(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** Whether a path is the folder itself or below it. */
export function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** From the folder itself up to the root, `''` last. */
export function foldersUpward(folder: string): string[] {
  const chain = [folder];
  for (let current = folder; current !== ''; ) {
    current = folderOf(current);
    chain.push(current);
  }
  return chain;
}

/** How many leading folders two paths share. */
export function sharedDepth(left: string, right: string): number {
  let depth = 0;
  for (let index = 0; index < left.length && left[index] === right[index]; index++)
    if (left[index] === '/') depth++;
  return depth;
}
