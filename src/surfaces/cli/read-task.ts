/**
 * Reads the subject of a call: its task, a list of tasks, extra context, and the role that it is for. Text comes
 * from an argument, a file or standard input, and has a size limit everywhere.
 */

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Settings } from '../../config/index.ts';
import type { Audience } from '../../context/guidelines/index.ts';
import type { RoleLoader } from '../../context/roles/index.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import type { CommandCall } from './command.ts';

/** A task is something a person or an agent wrote, with a log pasted into it at most. */
const MAX_BYTES = 10_000_000;
/** The usual name for standard input. */
const FROM_STDIN = '-';

/** The `[TASK]` argument of all commands that take one. */
export const TASK_ARGUMENT = {
  syntax: '[TASK]',
  help: 'The task in words; - reads it from standard input.',
};

/** The flag that goes with a `[TASK]` argument. */
export const DOMAIN_FLAG = {
  syntax: '--domain <NAME>',
  help: 'The domain of the task: a name from the setting domains, or a package of the repository.',
  values: 'domains',
} as const;

/** For tasks that are too long for a command line. */
export const TASK_FILE_FLAG = {
  syntax: '--task-file <FILE>',
  help: 'Read the task from a file; - means standard input.',
};

/** The task of a call: its argument, `--task-file`, or standard input for `-`. */
export async function readTask(call: CommandCall): Promise<string> {
  const [argument] = call.arguments;
  const { taskFile } = call.flags;
  if (argument !== undefined && taskFile !== undefined) {
    throw refuse('two-tasks', 'a task is given both as an argument and by --task-file', 'give one of them');
  }
  const file = typeof taskFile === 'string' ? taskFile : argument === FROM_STDIN ? FROM_STDIN : undefined;
  if (file === FROM_STDIN) return accept(await readAll(call.io.stdin, 'standard input', call.signal), file);
  if (file !== undefined) return accept(await readNamed(resolve(call.io.cwd, file), file, call.signal), file);
  if (argument === undefined) {
    const hint = `such as: loadout ${call.command.name} "Fix the token refresh race", or --task-file FILE, or - for stdin`;
    throw refuse('no-task', 'no task is given', hint);
  }
  return accept(argument, 'the argument');
}

/** Refuses a task that is too large or blank. */
function accept(task: string, from: string): string {
  if (Buffer.byteLength(task) > MAX_BYTES) throw tooLarge(from);
  if (task.trim() !== '') return task;
  const place = from === FROM_STDIN ? 'standard input ended before a task was read' : `${from} is empty`;
  throw refuse('empty-task', `there is no task: ${place}`, 'describe the task in a sentence');
}

/** Reads a file, and closes it when reading fails. */
async function readNamed(path: string, shown: string, signal: AbortSignal): Promise<string> {
  const stream = createReadStream(path);
  try {
    return await readAll(stream, shown, signal);
  } finally {
    stream.destroy();
  }
}

/** Read as a stream: a pipe such as `<(git log -1)` has no size, and the user decides where the input of a terminal ends. */
async function readAll(stream: Readable, shown: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
      size += bytes.length;
      if (size > MAX_BYTES) throw tooLarge(shown);
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LoadoutError) throw error;
    throw cannotRead(shown, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  const decoded = decodeText(Buffer.concat(chunks));
  if (decoded.kind === 'text') return decoded.text;
  throw refuse('binary-task', `the task in ${shown} is not text`, 'give a text file');
}

/** The usual reasons why a file cannot be read, in words. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

/** An error that names the file and the reason. */
function cannotRead(shown: string, cause: unknown): LoadoutError {
  const code = errorCode(cause);
  const why = WHY[code] ?? (code || String(cause));
  return new LoadoutError('unreadable', `cannot read the task from ${shown}: ${why}`, {
    subject: shown,
    cause,
  });
}

function tooLarge(shown: string): LoadoutError {
  const limit = MAX_BYTES / 1e6;
  return refuse('task-too-large', `the task in ${shown} has more than ${limit} MB`, 'shorten it');
}

function refuse(code: string, message: string, hint: string): LoadoutError {
  return new LoadoutError(code, message, { hint });
}

/** One task of `--tasks`, with the choices that it may make for itself. */
interface ListedTask {
  readonly task: string;
  /** In place of the role of the command line. */
  readonly role?: string;
  /** In place of the targets of the command line, relative to the repository. */
  readonly targets?: readonly string[];
}

/** Each task is a paid run of an agent. */
const MAX_TASKS = 1_000;

/** A task a line, `#` for remarks; or a JSON list of texts and of `{ "task", "role", "targets" }`. */
export async function readTaskList(call: CommandCall, file: string): Promise<readonly ListedTask[]> {
  const text = await readTask({ ...call, arguments: [], flags: { taskFile: file } });
  const tasks = text.trimStart().startsWith('[') ? readJson(text, file) : readLines(text);
  if (tasks.length > 0 && tasks.length <= MAX_TASKS) return tasks;
  const message = `${file} holds ${tasks.length} tasks; allowed is 1 to ${MAX_TASKS}`;
  throw new LoadoutError('bad-task-list', message, { subject: file });
}

/** One task per line. Blank lines and lines with `#` are skipped. */
function readLines(text: string): ListedTask[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((task) => ({ task }));
}

/** Names the line of the first item that is not a task. */
function readJson(text: string, file: string): ListedTask[] {
  const { value, positions } = parseJsonDocument(text, file);
  return (value as unknown[]).map((item, at) => {
    const listed = typeof item === 'string' ? { task: item } : (item as Record<string, unknown> | null);
    const { task, role, targets, ...rest } = { ...listed } as Record<string, unknown>;
    const isSound =
      typeof task === 'string' &&
      task.trim() !== '' &&
      (role === undefined || typeof role === 'string') &&
      (targets === undefined ||
        (Array.isArray(targets) && targets.every((one) => typeof one === 'string'))) &&
      Object.keys(rest).length === 0;
    if (isSound) return listed as unknown as ListedTask;
    const line = positions.get(`/${at}`)?.line ?? 1;
    throw new LoadoutError('bad-task-list', `${file}:${line}: this is not a task`, {
      subject: file,
      hint: 'give a text, or an object with task and, if need be, role and targets',
    });
  });
}

/** Of each value. A prompt keeps far less of it. */
const MAX_EXTRA_BYTES = 10_000_000;

/** Values for the prompt beyond task and files, such as the output of a test. */
export const EXTRA_FLAG = {
  syntax: '--extra <KEY=VALUE...>',
  help: 'More context, such as test_output=@failures.txt; @ reads a file, @- standard input.',
};

/** `key=value`, `key=@file`, `key=@-`. */
export async function readExtra(call: CommandCall, given: unknown): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const one of Array.isArray(given) ? given.map(String) : []) {
    const at = one.indexOf('=');
    if (at < 1) {
      const message = `--extra: ${JSON.stringify(one.slice(0, 80))} is not allowed; give KEY=VALUE or KEY=@FILE`;
      throw new LoadoutError('bad-flag', message, { subject: '--extra' });
    }
    const value = one.slice(at + 1);
    const key = one.slice(0, at);
    if (entries.some(([known]) => known === key))
      throw new LoadoutError('bad-flag', `--extra: ${key} is given twice`, { subject: '--extra' });
    entries.push([key, value.startsWith('@') ? await readValue(call, value.slice(1)) : value]);
  }
  return Object.fromEntries(entries);
}

/** Reads a file or standard input for one value. */
async function readValue({ io }: CommandCall, name: string): Promise<string> {
  const stream = name === '-' ? io.stdin : createReadStream(resolve(io.cwd, name));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk as Buffer | string);
      size += bytes.length;
      // Stop reading here: a pipe may never end.
      if (size > MAX_EXTRA_BYTES) break;
      chunks.push(bytes);
    }
  } catch (cause) {
    const message = `cannot read the extra context from ${name}: ${(cause as Error).message}`;
    throw new LoadoutError('unreadable', message, { subject: name, cause });
  }
  if (size <= MAX_EXTRA_BYTES) return Buffer.concat(chunks).toString('utf8');
  throw new LoadoutError('extra-too-large', `${name} has more than ${MAX_EXTRA_BYTES / 1e6} MB`, {
    subject: name,
  });
}

/** The roles that this call can use. */
export async function openRoles(
  { io, repository }: Pick<CommandCall, 'io' | 'repository'>,
  { maxTokenBudget }: Pick<Settings, 'maxTokenBudget'>,
): Promise<RoleLoader> {
  const roles = await import('../../context/roles/open-roles.ts');
  return roles.openRoles({ repo: repository(), environment: io.env, maxTokenBudget });
}

/** For commands that only list or outline files. */
export const ROLE_FLAG = {
  syntax: '--role <ROLE>',
  help: 'Leave out files that guidelines hide from an agent in this role.',
  values: 'roles',
} as const;

/** The reader of this call's files: guidelines may keep some of them from a role. */
export async function readAudience(call: CommandCall, settings: Settings): Promise<Audience> {
  const userDirectory = configDirectory(call.io.env);
  if (typeof call.flags.role !== 'string') return { userDirectory };
  const { role } = await (await openRoles(call, settings)).load(call.flags.role);
  return { userDirectory, role: role.name };
}
