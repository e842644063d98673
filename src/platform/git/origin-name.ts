import { join } from 'node:path';
import { readRegularFile } from '../fs/read-file.ts';

const MAX_CONFIG_BYTES = 1_000_000;

/** The last two parts of the address of `origin`, such as `org/app`; empty when there is none. The address itself may hold a key. */
export function originName(gitCommonDirectory: string): string {
  let inOrigin = false;
  for (const line of configLines(gitCommonDirectory)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line);
    if (section) inOrigin = /^remote\s+"origin"$/.test(section[1]!.trim());
    const url = inOrigin ? /^\s*url\s*=\s*(\S+)\s*$/.exec(line) : null;
    if (url) return lastParts(url[1]!);
  }
  return '';
}

function configLines(folder: string): readonly string[] {
  try {
    return readRegularFile(join(folder, 'config'), MAX_CONFIG_BYTES).toString().split('\n');
  } catch {
    return [];
  }
}

function lastParts(address: string): string {
  const path = address
    .replace(/^\w[\w+.-]*:\/\/[^/]*/, '')
    .replace(/^[^/:]*:(?!\\)/, '/')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const parts = path.split(/[\\/]/).filter((part) => /^[\w.-]+$/.test(part));
  return parts.slice(-2).join('/');
}
