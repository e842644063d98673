import { join, resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { withSlashes } from '../fs/path-codec.ts';
import { readRegularFile } from '../fs/read-file.ts';
import { isBareRepository } from './locate-repository.ts';

/** A repository that is not a folder of files: an address, or a repository without a work tree. */
export interface RepositorySource {
  readonly url: string;
  /** Branch, tag or commit; empty means the one that the repository shows first. */
  readonly ref: string;
}

const ADDRESS = /^(?:https?|ssh|git|file):\/\/./i;
/** `git@host:owner/name`, but not `C:\folder` and not `ext::command`. */
const SHORT_ADDRESS = /^[\w.-]+@[\w.-]+:(?!:)[^\s]+$/;
const REF = /^(?!.*\.\.)[\w][\w./@+-]*$/;
const CREDENTIALS = /(\b[a-z]+:\/\/)[^/\s@]+@/gi;

/** What `--repo` names when it has to be brought here first; null when it is an ordinary folder. */
export function repositorySource(given: string, cwd: string): RepositorySource | null {
  if (ADDRESS.test(given) || SHORT_ADDRESS.test(given)) {
    const at = given.indexOf('#');
    const source = at < 0 ? { url: given, ref: '' } : { url: given.slice(0, at), ref: given.slice(at + 1) };
    if (source.ref === '' || REF.test(source.ref)) return source;
    const message = `${JSON.stringify(source.ref)} is no name of a branch, a tag or a commit`;
    throw new LoadoutError('bad-repository', message, { subject: given });
  }
  const path = withSlashes(resolve(cwd, given));
  return isBareRepository(path) ? { url: path, ref: '' } : null;
}

/** Removes user and password from addresses, for messages and logs. */
export function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, '$1');
}

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
