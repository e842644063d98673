import { resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { withSlashes } from '../fs/path-codec.ts';
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

/** For people and logs: a password in an address is nobody's business. */
export function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, '$1');
}
