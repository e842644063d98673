import type { ObeyedFile } from '../agents/agent-worker.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { Environment } from '../platform/environment.ts';
import { folderIsGone } from '../platform/fs/make-folder.ts';
import { openSafeRoot } from '../platform/fs/safe-root.ts';

const MAX_BYTES = 256 * 1024;
const MAX_NAMES = 1_000;
/** Everything that a reader of such files could take for a name, and some words more: those do no harm. */
const NAME = /([\w.-]+)\s*[=:]/g;

/**
 * Some CLIs read environment files of the folder they work in and set what is not set yet: where requests go, which
 * program starts with theirs. A repository must not be the one to say so, and what is set to nothing stays nothing.
 */
export function blanksForFiles(
  folder: string,
  files: readonly string[],
  env: Environment,
): Readonly<Record<string, string>> {
  if (files.length === 0 || folderIsGone(folder)) return {};
  const root = openSafeRoot(folder);
  const blanks: Record<string, string> = {};
  for (const file of files) {
    const stat = root.stat(file);
    // A folder of this name is a virtual environment, and no CLI can read it as a file.
    if (stat === null || stat.type === 'directory') continue;
    const read = root.read(file, MAX_BYTES);
    if (read.kind !== 'content') throw refused(file, `it cannot be read safely (${read.reason})`);
    for (const [, name = ''] of read.bytes.toString('utf8').matchAll(NAME))
      if (env[name] === undefined) blanks[name] = '';
  }
  const { length } = Object.keys(blanks);
  if (length > MAX_NAMES) throw refused(files.join(' and '), `${length} names are more than ${MAX_NAMES}`);
  return blanks;
}

/** Refuses to start an agent in a repository that tells it what to run or where to send requests. */
export function refuseObeyedFiles(folder: string, files: readonly ObeyedFile[]): void {
  if (files.length === 0 || folderIsGone(folder)) return;
  const root = openSafeRoot(folder);
  for (const { path, holding } of files) {
    if (root.stat(path) === null) continue;
    const read = holding === undefined ? null : root.read(path, MAX_BYTES);
    if (read?.kind === 'content' && !holding!.test(read.bytes.toString('utf8'))) continue;
    throw refused(path, 'it has no option for that');
  }
}

/** The variables in it would count although they are set to nothing. */
export function refuseNames(files: readonly string[], names: readonly string[]): void {
  if (names.length > 0)
    throw refused(
      files.join(' or '),
      `it sets ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}`,
    );
}

function refused(file: string, why: string): LoadoutError {
  const message = `this agent would take settings from ${file} of the repository, and they cannot be kept from it: ${why}`;
  return new LoadoutError('environment-file-refused', message, {
    subject: file,
    hint: 'choose another agent with --cli, or take the file out of the repository',
  });
}
