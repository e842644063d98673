import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, parse, resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { errorCode } from '../error-code.ts';
import { isInsideRoot } from './inside-root.ts';
import { decodePath, encodePath, withSlashes } from './path-codec.ts';

const MAX_LINKS = 40;
const DRIVE_OR_SHARE = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/;

/**
 * Follows a path the way the file system would, link by link, and answers with the place it leads to, relative
 * to the root. What cannot be followed to its end is refused, never guessed.
 */
export function containPath(root: string, userPath: string, workingDirectory: string): string {
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
