/**
 * `--files-from FILE`: the files that another program has chosen, such as `git diff --name-only` or `fd`. Names are taken
 * as they are; those that are missing or lead out of the repository are named and left out.
 */

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { CommandCall } from './command.ts';
import { containPaths } from './named-files.ts';
import { printable } from './views/output.ts';

/** Which files may be in a package. */
interface ListedFiles {
  /** The file is in the list, or below a folder of the list. */
  readonly allow: (path: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const FLAG = '--files-from';
/** A list of a million files is smaller. */
const MAX_BYTES = 100_000_000;
/** Of the names that cannot be used, so many are said. */
const MAX_NAMED = 10;

/** Reads the list, and finds each of its names in the repository. Throws when nothing of it can be used. */
export async function readFilesFrom(call: CommandCall, file: string): Promise<ListedFiles> {
  refuseOthers(call, file);
  const names = namesIn(await readBytes(call, file));
  const root = call.repository();
  const found = new Set<string>();
  const bad: string[] = [];
  for (const name of names) {
    const path = pathOf(root, name, call.io.cwd);
    if (path === null) bad.push(name);
    else found.add(path);
  }
  const shown = `${bad
    .slice(0, MAX_NAMED)
    .map((name) => printable(JSON.stringify(name)))
    .join(', ')}${bad.length > MAX_NAMED ? ` and ${bad.length - MAX_NAMED} more` : ''}`;
  const place = file === '-' ? 'standard input' : file;
  if (found.size === 0)
    throw new LoadoutError(
      'no-files-listed',
      names.length === 0
        ? `${FLAG}: ${place} names no file`
        : `${FLAG}: nothing that ${place} names is in the repository: ${shown}`,
      { subject: FLAG, hint: `such as: git ls-files -z | loadout pack ${FLAG} -` },
    );
  const message = `${FLAG}: not in the repository, and left out: ${shown}`;
  return {
    allow: (path) => isListed(found, path),
    diagnostics: bad.length === 0 ? [] : [{ code: 'file-not-found', severity: 'warning', message }],
  };
}

/** Standard input can be read once, and a list belongs to one repository. */
function refuseOthers({ arguments: [task], flags, global }: CommandCall, file: string): void {
  const refuse = (message: string): never => {
    throw new LoadoutError('bad-flag', message, { subject: FLAG });
  };
  if (global.repos.length > 1) refuse(`${FLAG} does not go with several repositories`);
  if (file === '-' && (task === '-' || flags.taskFile === '-'))
    refuse('standard input can be the task or the list of files, and not both');
}

/** Separated by NUL if there is one, else by line ends. */
function namesIn(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  const names = text.includes('\0') ? text.split('\0') : text.split(/\r?\n/);
  return [...new Set(names.filter((name) => name.trim() !== ''))];
}

/** The path inside the repository; null for what is not there. */
function pathOf(root: SafeRoot, name: string, cwd: string): string | null {
  try {
    const [path = ''] = containPaths(root, [name], cwd);
    if (path === '' || path === '.') return '';
    if (root.list(path) !== null) return path;
    const outcome = root.read(path, 0);
    // Only the existence counts here: a scan decides about the content.
    return outcome.kind === 'skipped' && outcome.reason === 'vanished' ? null : path;
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

/** The path itself or one of its folders; the empty path is the whole repository. */
function isListed(found: ReadonlySet<string>, path: string): boolean {
  if (found.has('') || found.has(path)) return true;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (found.has(path.slice(0, at))) return true;
  return false;
}

/** As bytes, because NUL would make a text binary. */
async function readBytes({ io, signal }: CommandCall, file: string): Promise<Buffer> {
  const stream: Readable = file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file));
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
      size += bytes.length;
      if (size > MAX_BYTES)
        throw new LoadoutError('list-too-large', `${FLAG}: ${file} has more than ${MAX_BYTES / 1e6} MB`, {
          subject: FLAG,
        });
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LoadoutError) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'it does not exist' : errorCode(error) || String(error);
    throw new LoadoutError('unreadable', `${FLAG}: cannot read ${file}: ${why}`, {
      subject: FLAG,
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    if (file !== '-') stream.destroy();
  }
  return Buffer.concat(chunks);
}
