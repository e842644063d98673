// Paths as strings: any bytes of a file name survive, and separators are `/`.

import { isUtf8 } from 'node:buffer';

const ESCAPE_BASE = 0xdc00;
const ESCAPED_BYTE = /[\udc80-\udcff]/u;

/**
 * File names are bytes. Valid UTF-8 becomes that string; every other byte b becomes the lone surrogate
 * U+DC00+b, which no valid text holds, so that `encodePath` finds the same bytes again.
 */
export function decodePath(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let path = '';
  let index = 0;
  while (index < bytes.length) {
    const length = validSequenceLength(bytes, index);
    if (length === 0) path += String.fromCharCode(ESCAPE_BASE + bytes[index]!);
    else path += bytes.toString('utf8', index, index + length);
    index += Math.max(length, 1);
  }
  return path;
}

/** The path for calls of the file system: the string itself, or the raw bytes when it holds escaped ones. */
export function encodePath(path: string): string | Buffer {
  return ESCAPED_BYTE.test(path) ? encodePathBytes(path) : path;
}

/** The bytes of a path, for pipes and hashes. */
export function encodePathBytes(path: string): Buffer {
  if (!ESCAPED_BYTE.test(path)) return Buffer.from(path, 'utf8');
  const parts = path.split(/([\udc80-\udcff])/u).map((part) => {
    const code = part.charCodeAt(0) - ESCAPE_BASE;
    return part.length === 1 && code >= 0x80 && code <= 0xff
      ? Buffer.from([code])
      : Buffer.from(part, 'utf8');
  });
  return Buffer.concat(parts);
}

function validSequenceLength(bytes: Buffer, index: number): number {
  const first = bytes[index]!;
  const length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // isUtf8 also rules out overlong forms, encoded surrogates and code points above U+10FFFF.
  return index + length <= bytes.length && isUtf8(bytes.subarray(index, index + length)) ? length : 0;
}

/** Paths are written with `/` everywhere; a backslash is a separator on Windows only. */
export function withSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

const LEADS_OUT = /(^|\/)\.{0,2}(\/|$)|\0/;
const DRIVE_OR_STREAM = /[\\:]/;
/** Windows opens these in every folder, whatever their extension, and drops dots and spaces at the end of a name. */
const WINDOWS_ALIAS =
  /(?:^|\/)(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.[^/]*)?(?:\/|$)|[. ](?:\/|$)/i;

/**
 * Whether a path below the root might not be the file that its name says: it leads out, or on Windows it is a device, a
 * stream or another spelling (`key.` opens `key`, which a guideline may hide).
 */
export function isUnsafePath(path: string, system: NodeJS.Platform = process.platform): boolean {
  if (LEADS_OUT.test(path)) return true;
  return system === 'win32' && (DRIVE_OR_STREAM.test(path) || WINDOWS_ALIAS.test(path));
}

/** By whole segments: `/repo-evil` is not inside `/repo`. Both paths are absolute and already real. */
export function isInsideRoot(root: string, path: string): boolean {
  if (path === root) return true;
  return path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

/** The path from a work tree to a folder in it (`''` or `sub/folder/`), or null when the folder is elsewhere. */
export function prefixBelow(workTree: string, folder: string): string | null {
  if (workTree === folder) return '';
  const start = workTree.endsWith('/') ? workTree : `${workTree}/`;
  return folder.startsWith(start) ? `${folder.slice(start.length)}/` : null;
}
