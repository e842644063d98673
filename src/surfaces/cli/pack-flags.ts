/** Reads the flags that `pack`, `pack --all`, `prompt` and `run` share, and checks them before any work starts. */

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type Settings, tokensKind } from '../../config/index.ts';
import type { ChangeSelection } from '../../context/compose/index.ts';
import { type Model, parseBudget, resolveModel } from '../../context/fit/index.ts';
import { PACK_STRATEGIES, type PackageRequest, type PackStrategy } from '../../context/pack/index.ts';
import { PACK_FORMATS } from '../../context/render/index.ts';
import { ITEM_FORMS } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { isInsideRoot, withSlashes } from '../../platform/fs/path-codec.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { CommandCall } from './command.ts';
import { containPaths } from './named-files.ts';
import { openRoles } from './read-task.ts';
import { printable } from './views/output.ts';

/** `summary` is a short text with a limit of its own, the setting summaryMaxTokens. */
export const FORMATS = [...PACK_FORMATS, 'summary'] as const;
export type ShownFormat = (typeof FORMATS)[number];

/** A flag that takes one of a few words. */
function choose<Word extends string>(
  flag: string,
  words: readonly Word[],
  given: unknown,
  usual: Word,
): Word {
  if (given === undefined) return usual;
  const word = words.find((one) => one === given);
  if (word !== undefined) return word;
  const message = `${flag}: ${JSON.stringify(given)} is not known; allowed is ${words.join(', ')}`;
  throw new LoadoutError('bad-flag', message, { subject: flag });
}

/** The format that the budget counts. `--json` prints the same package as data. */
export function readFormat({ flags }: CommandCall): ShownFormat {
  return choose('--format', FORMATS, flags.format, 'markdown');
}

/** The form of the files with `--all`. */
export function readForm({ flags }: CommandCall): 'full' | 'signatures' {
  const given = Array.isArray(flags.form) ? flags.form.map(String) : [];
  const ofFile = given.find((word) => word.includes('='));
  if (ofFile === undefined && given.length < 2)
    return choose('--form', ['full', 'signatures'], given[0], 'full');
  const message = `--form: with --all it is one word for all files, full or signatures, and not ${JSON.stringify(ofFile ?? given.join(' '))}`;
  throw new LoadoutError('bad-flag', message, {
    subject: '--form',
    hint: 'give a task to choose the form of a file',
  });
}

/** The forms of single files in a package for a task. */
export function readFileForms(call: CommandCall): NonNullable<PackageRequest['forms']> {
  const { flags, global, io } = call;
  const given = Array.isArray(flags.form) ? flags.form.map(String) : [];
  if (given.length > 0 && global.repos.length > 1)
    throw new LoadoutError('bad-flag', '--form does not go with several repositories', { subject: '--form' });
  if (given.length > 0 && flags.strategy === 'signature_only')
    throw new LoadoutError('bad-flag', '--form does not go with --strategy signature_only', {
      subject: '--form',
    });
  return Object.fromEntries(
    given.map((word) => {
      const at = word.lastIndexOf('=');
      const form = ITEM_FORMS.find((one) => one === word.slice(at + 1));
      if (at < 1 || form === undefined)
        throw new LoadoutError('bad-flag', `--form: ${JSON.stringify(word)} is not PATH=FORM`, {
          subject: '--form',
          hint: `such as src/api.ts=signatures; a form is one of ${ITEM_FORMS.join(', ')}`,
        });
      const [path] = containPaths(call.repository(), [word.slice(0, at)], io.cwd);
      return [path!, form];
    }),
  );
}

/** The token limit of a part, when the text is split. */
export function readSplit({ flags, global }: CommandCall, format: ShownFormat): number | undefined {
  if (flags.split === undefined) return undefined;
  if (global.json || format === 'json' || format === 'summary')
    throw new LoadoutError('bad-flag', '--split writes markdown or xml', { subject: '--split' });
  if (typeof flags.output !== 'string')
    throw new LoadoutError('bad-flag', '--split needs --output FILE: its parts are FILE with a number', {
      subject: '--split',
      hint: 'such as: --split 100k --output pack.md, which writes pack.1.md, pack.2.md and so on',
    });
  const { fromText, allowed } = tokensKind({ min: 200 });
  const tokens = fromText(String(flags.split));
  if (tokens !== undefined) return tokens;
  const message = `--split: ${JSON.stringify(flags.split)} is not a size; allowed is ${allowed}`;
  throw new LoadoutError('bad-flag', message, { subject: '--split' });
}

/** The change under review that the flags ask for. */
export function readChangeFlags({ flags }: CommandCall): ChangeSelection | undefined {
  const given = [flags.diff, flags.staged, flags.since].filter((flag) => flag !== undefined);
  if (given.length > 1) {
    const message = 'only one of --diff, --staged and --since can be given';
    throw new LoadoutError('bad-flag', message, { subject: '--diff' });
  }
  if (flags.staged === true) return { base: 'HEAD', staged: true };
  if (typeof flags.since === 'string') return { base: 'HEAD', since: flags.since };
  return flags.diff === undefined
    ? undefined
    : { base: typeof flags.diff === 'string' ? flags.diff : 'HEAD' };
}

/** The parts of a request that flags and a role decide: all but task, repository and format. */
export type PackChoices = Pick<
  PackageRequest,
  | 'settings'
  | 'role'
  | 'domain'
  | 'userDirectory'
  | 'targets'
  | 'allow'
  | 'select'
  | 'model'
  | 'lineNumbers'
  | 'redact'
  | 'strategy'
  | 'instructions'
  | 'removeComments'
>;

/** Reads model, budget, role and targets of a package. A role decides only what the flags leave open. */
export async function readPackFlags(call: CommandCall, settings: Settings): Promise<PackChoices> {
  const { flags } = call;
  const model = typeof flags.model === 'string' ? resolveModel(flags.model) : undefined;
  const strategy: PackStrategy = choose('--strategy', PACK_STRATEGIES, flags.strategy, 'value');
  const named = Array.isArray(flags.target) ? flags.target.map(String) : [];
  // With several repositories targets are assigned later, see `targetsByRepository`.
  const roots = call.repositories();
  const role = typeof flags.role === 'string' ? await readRole(call, settings, flags.role) : null;
  const listed = typeof flags.filesFrom === 'string' ? await readListedFiles(call, flags.filesFrom) : null;
  const budget = readBudget(flags.budget, model, role?.tokenBudget ?? settings.tokenBudget);
  return {
    settings: { ...settings, tokenBudget: budget },
    role: role?.name ?? null,
    userDirectory: configDirectory(call.io.env),
    targets: roots.length > 1 ? [] : containPaths(roots[0]!, named, call.io.cwd),
    lineNumbers: flags.lineNumbers === true,
    redact: flags.redact !== false,
    strategy,
    removeComments: flags.removeComments === true,
    ...(typeof flags.instructions === 'string'
      ? { instructions: await readInstructions(call, flags.instructions) }
      : {}),
    ...(typeof flags.domain === 'string' ? { domain: flags.domain } : {}),
    ...(listed ? { allow: listed } : {}),
    ...(role ? { select: listed ? within(role.select, listed) : role.select } : {}),
    ...(model ? { model } : {}),
  };
}

/** A text that a reader is told after the files: a page at most, and never a program. */
const MAX_INSTRUCTIONS_BYTES = 1_000_000;
const INSTRUCTIONS_FLAG = '--instructions';

/** The text of `--instructions`. */
async function readInstructions(call: CommandCall, file: string): Promise<string> {
  const refuse = (why: string) =>
    new LoadoutError('bad-instructions', `${INSTRUCTIONS_FLAG}: ${file} ${why}`, {
      subject: INSTRUCTIONS_FLAG,
    });
  if (call.flags.format === 'summary')
    throw new LoadoutError('bad-flag', `${INSTRUCTIONS_FLAG} does not go with --format summary`, {
      subject: INSTRUCTIONS_FLAG,
    });
  const decoded = decodeText(await readBytes(call, file, INSTRUCTIONS_FLAG, MAX_INSTRUCTIONS_BYTES));
  if (decoded.kind !== 'text') throw refuse('is not text');
  if (decoded.text.trim() === '') throw refuse('is empty');
  return decoded.text;
}

type Allow = NonNullable<PackageRequest['allow']>;
type Select = NonNullable<PackageRequest['select']>;

/** The files of `--files-from`. */
async function readListedFiles(call: CommandCall, file: string): Promise<Allow> {
  const { allow, diagnostics } = await readFilesFrom(call, file);
  call.output.diagnostics(diagnostics);
  return allow;
}

/** What a role selects, as far as a list has it. */
function within(select: Select, listed: Allow): Select {
  return async (scan, targets) => {
    const selection = await select(scan, targets);
    return { ...selection, allow: (path) => listed(path) && selection.allow(path) };
  };
}

/** Which of several repositories each target belongs to: the one whose folder holds it. */
export function targetsByRepository(call: CommandCall): { path: string; targets: string[] }[] {
  const named = Array.isArray(call.flags.target) ? call.flags.target.map(String) : [];
  const places = call.repositories().map((root) => ({ root, path: root.path, targets: [] as string[] }));
  for (const target of named) {
    const absolute = withSlashes(resolve(call.io.cwd, target));
    const place = places.find(({ path }) => isInsideRoot(path, absolute));
    if (place === undefined)
      throw new LoadoutError('outside-root', `${target} is in none of the repositories`, {
        subject: target,
        hint: `give a path inside one of ${places.map(({ path }) => path).join(', ')}`,
      });
    place.targets.push(place.root.contain(absolute, call.io.cwd));
  }
  return places.map(({ path, targets }) => ({ path, targets }));
}

/** A default budget shrinks to a small window; a budget from the flags does not. */
function readBudget(given: unknown, model: Model | undefined, usual: number): number {
  if (typeof given === 'string') return parseBudget(given, model);
  return model ? Math.min(usual, model.window) : usual;
}

/** Diagnostics about system prompts, which a package does not contain. */
const ABOUT_PROMPTS: ReadonlySet<string> = new Set(['role-prompt-withheld', 'role-not-trusted']);

/** The files, restrictions and budget of a role. */
async function readRole(call: CommandCall, settings: Settings, name: string) {
  const { roleForPackage } = await import('../../context/prompt/role-for-package.ts');
  const loader = await openRoles(call, settings);
  const { role, diagnostics } = await loader.load(name);
  // A package holds no system prompt.
  const aboutFiles = diagnostics.filter(({ code }) => !ABOUT_PROMPTS.has(code));
  call.output.diagnostics(aboutFiles);
  return roleForPackage(role);
}

/** Which files may be in a package. */
interface ListedFiles {
  /** The file is in the list, or below a folder of the list. */
  readonly allow: (path: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const LIST_FLAG = '--files-from';
/** A list of a million files is smaller. */
const MAX_LIST_BYTES = 100_000_000;
/** Of the names that cannot be used, so many are said. */
const MAX_NAMED = 10;

/** Reads the list, and finds each of its names in the repository. Throws when nothing of it can be used. */
async function readFilesFrom(call: CommandCall, file: string): Promise<ListedFiles> {
  refuseOtherInput(call, file);
  const names = namesIn(await readBytes(call, file, LIST_FLAG, MAX_LIST_BYTES));
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
        ? `${LIST_FLAG}: ${place} names no file`
        : `${LIST_FLAG}: nothing that ${place} names is in the repository: ${shown}`,
      { subject: LIST_FLAG, hint: `such as: git ls-files -z | loadout pack ${LIST_FLAG} -` },
    );
  const message = `${LIST_FLAG}: not in the repository, and left out: ${shown}`;
  return {
    allow: (path) => isListed(found, path),
    diagnostics: bad.length === 0 ? [] : [{ code: 'file-not-found', severity: 'warning', message }],
  };
}

/** Standard input can be read once, and a list belongs to one repository. */
function refuseOtherInput({ arguments: [task], flags, global }: CommandCall, file: string): void {
  const refuse = (message: string): never => {
    throw new LoadoutError('bad-flag', message, { subject: LIST_FLAG });
  };
  if (global.repos.length > 1) refuse(`${LIST_FLAG} does not go with several repositories`);
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
async function readBytes(
  { io, signal }: CommandCall,
  file: string,
  flag: string,
  most: number,
): Promise<Buffer> {
  const stream: Readable = file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file));
  const stop = () => stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
      size += bytes.length;
      if (size > most)
        throw new LoadoutError('list-too-large', `${flag}: ${file} has more than ${most / 1e6} MB`, {
          subject: flag,
        });
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LoadoutError) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'it does not exist' : errorCode(error) || String(error);
    throw new LoadoutError('unreadable', `${flag}: cannot read ${file}: ${why}`, {
      subject: flag,
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    if (file !== '-') stream.destroy();
  }
  return Buffer.concat(chunks);
}
