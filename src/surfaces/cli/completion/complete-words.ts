/**
 * Finds the words that can end an unfinished command line. They come from the declarations of the commands. The caller
 * looks up lists that depend on the repository.
 */

import { settingByName } from '../../../config/index.ts';
import { type CliCommand, type CommandFlag, GLOBAL_FLAGS, type PossibleValues } from '../command.ts';

/** One word that fits, and a few words about it. */
export interface Candidate {
  readonly value: string;
  readonly help: string;
}

/** The candidates: words, and whether the shell should add files or folders to them. */
export interface Completion {
  readonly paths: 'none' | 'files' | 'folders';
  readonly candidates: readonly Candidate[];
}

/** Lists that are not in the declarations. */
export interface CompletionSources {
  /** The names of all commands, in the order of the help. */
  readonly names: readonly string[];
  /** Null when there is no such command. */
  load(name: string): Promise<CliCommand | null>;
  /** `repo` is the value of `--repo` so far, or empty. */
  list(
    source: Exclude<PossibleValues, readonly string[] | 'setting-value' | 'roles-or-files'>,
    repo: string,
  ): Promise<readonly string[]>;
}

const NOTHING: Completion = { paths: 'none', candidates: [] };
const plain = (values: readonly string[]): Completion => ({
  paths: 'none',
  candidates: values.map((value) => ({ value, help: '' })),
});

/** A flag as the reader of a command line needs it. */
interface Flag {
  readonly long: string;
  readonly short: string;
  /** The text between the brackets, such as `FILE` or `a|b`; empty for a flag without a value. */
  readonly placeholder: string;
  readonly isOptional: boolean;
  readonly isVariadic: boolean;
  readonly help: string;
  readonly values: PossibleValues | undefined;
}

const FLAG = /^(?:(-\w), )?(--[\w-]+)(?: ([<[])(.+?)(\.\.\.)?[>\]])?$/;

function readFlag({ syntax, help, values }: CommandFlag): Flag {
  const [, short = '', long = syntax, bracket = '', placeholder = '', dots] = FLAG.exec(syntax) ?? [];
  const isOptional = bracket === '[';
  return { long, short, placeholder, isOptional, isVariadic: dots !== undefined, help, values };
}

/** All flags of a command: its own, those of its settings, and those of every command. */
function flagsOf(command: CliCommand | null): readonly Flag[] {
  const ofSettings = (command?.settings ?? []).flatMap((name) => {
    const { flag, shortFlag, kind, help } = settingByName(name)!;
    if (flag === undefined) return [];
    const value = kind.placeholder === '' ? '' : ` <${kind.placeholder}>`;
    const values: PossibleValues | undefined = name === 'store' ? 'stores' : undefined;
    return [
      { syntax: `${shortFlag ? `${shortFlag}, ` : ''}${flag}${value}`, help, ...(values ? { values } : {}) },
    ];
  });
  const own = command?.flags ?? [];
  const taken = new Set(own.map((flag) => readFlag(flag).long));
  const others = [...ofSettings, ...GLOBAL_FLAGS, { syntax: '--help', help: 'Show the help.' }];
  return [...own.map(readFlag), ...others.map(readFlag).filter(({ long }) => !taken.has(long))];
}

/** The meaning of the words before the last one. */
interface ReadWords {
  readonly positional: readonly string[];
  /** The flag whose value the last word is. */
  readonly open: Flag | null;
  readonly used: ReadonlySet<string>;
  readonly repo: string;
  /** After `--` nothing is a flag. */
  readonly isAfterDashes: boolean;
}

function readWords(words: readonly string[], flags: readonly Flag[]): ReadWords {
  const positional: string[] = [];
  const used = new Set<string>();
  let open: Flag | null = null;
  let isAfterDashes = false;
  let repo = '';
  for (const word of words) {
    const isFlag = !isAfterDashes && word.length > 1 && word.startsWith('-');
    if (open !== null && !(isFlag && (open.isOptional || open.isVariadic))) {
      if (open.long === '--repo') repo = word;
      if (!open.isVariadic) open = null;
      continue;
    }
    open = null;
    if (isAfterDashes || !isFlag) positional.push(word);
    else if (word === '--') isAfterDashes = true;
    else {
      const [name = '', value] = word.split(/=(.*)/s);
      const flag = flags.find(({ long, short }) => long === name || short === name);
      if (flag === undefined) continue;
      used.add(flag.long);
      if (flag.long === '--repo' && value !== undefined) repo = value;
      if (flag.placeholder !== '' && value === undefined) open = flag;
    }
  }
  return { positional, open, used, repo, isAfterDashes };
}

/** The candidates for the last word of a command line. That word is being typed, and may be empty. */
export async function completeWords(
  words: readonly string[],
  sources: CompletionSources,
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // The command is the first word that is neither a flag nor the value of one.
  const general = readWords(before, GLOBAL_FLAGS.map(readFlag));
  const name = general.positional[0];
  const command = name === undefined || name === 'help' ? null : await sources.load(name);
  const flags = flagsOf(command);
  const read = readWords(before, flags);
  const fit = await whatFits({ typed, command, flags, read, words: before }, sources);
  return { ...fit, candidates: fit.candidates.filter(({ value }) => value.startsWith(typed)) };
}

/** An unfinished command line, read as far as it goes. */
interface Unfinished {
  readonly typed: string;
  readonly command: CliCommand | null;
  readonly flags: readonly Flag[];
  readonly read: ReadWords;
  readonly words: readonly string[];
}

async function whatFits(line: Unfinished, sources: CompletionSources): Promise<Completion> {
  const { typed, command, flags, read } = line;
  const { open, positional, isAfterDashes } = read;
  const isFlag = !isAfterDashes && typed.startsWith('-');
  if (open !== null && !(isFlag && (open.isOptional || open.isVariadic)))
    return valuesFor(open.values, open.placeholder, line, sources);
  if (isFlag) return typed.includes('=') ? afterEquals(line, sources) : unusedFlags(flags, read.used);
  if (positional.length === 0 || (positional[0] === 'help' && positional.length === 1))
    return commandNames(sources);
  const place = command?.arguments[positional.length - 1];
  return place === undefined ? NOTHING : valuesFor(place.values, '', line, sources);
}

/** `--format=js` is completed as a whole, because a shell replaces the whole word. */
async function afterEquals(line: Unfinished, sources: CompletionSources): Promise<Completion> {
  const name = line.typed.slice(0, line.typed.indexOf('='));
  const flag = line.flags.find(({ long }) => long === name);
  if (flag === undefined || flag.placeholder === '') return NOTHING;
  const { candidates } = await valuesFor(flag.values, flag.placeholder, line, sources);
  // Not every shell can complete a path after the equals sign.
  return { paths: 'none', candidates: candidates.map((one) => ({ ...one, value: `${name}=${one.value}` })) };
}

function unusedFlags(flags: readonly Flag[], used: ReadonlySet<string>): Completion {
  const left = flags.filter(({ long, isVariadic }) => isVariadic || long === '--repo' || !used.has(long));
  return {
    paths: 'none',
    candidates: left.map(({ long, help }) => ({ value: long, help: firstSentence(help) })),
  };
}

async function commandNames({ names, load }: CompletionSources): Promise<Completion> {
  const loaded = await Promise.all(names.map((name) => load(name)));
  const candidates = loaded.flatMap((command) =>
    command === null ? [] : [{ value: command.name, help: firstSentence(command.summary) }],
  );
  return {
    paths: 'none',
    candidates: [...candidates, { value: 'help', help: 'Show the help of a command.' }],
  };
}

const MAX_HELP = 80;

/** One short line, because shells list candidates one per line. */
function firstSentence(help: string): string {
  const sentence = help.split(/(?<=[.;]) /)[0]!.replace(/[.;]$/, '');
  return sentence.length <= MAX_HELP ? sentence : `${sentence.slice(0, MAX_HELP - 3).trimEnd()}...`;
}

/** Placeholders that stand for files, and for folders. */
const FILES = /^(?:FILE|PATH|FILE\|TEXT)$/;
const FOLDERS = /^DIR$/;

async function valuesFor(
  values: PossibleValues | undefined,
  placeholder: string,
  { words, read }: Unfinished,
  sources: CompletionSources,
): Promise<Completion> {
  if (typeof values === 'object') return plain(values);
  switch (values) {
    case undefined:
      break;
    case 'setting-value':
      return settingValues(words);
    case 'roles-or-files': {
      const roles = plain(await sources.list('roles', read.repo));
      return read.positional[1] === 'check' ? { ...roles, paths: 'files' } : roles;
    }
    default:
      return plain(await sources.list(values, read.repo));
  }
  if (FILES.test(placeholder)) return { paths: 'files', candidates: [] };
  if (FOLDERS.test(placeholder)) return { paths: 'folders', candidates: [] };
  return placeholder.includes('|') ? plain(placeholder.split('|')) : NOTHING;
}

/** The words that a setting allows, for `loadout settings set NAME VALUE`. */
function settingValues(words: readonly string[]): Completion {
  const setting = words.map((word) => settingByName(word)).findLast((found) => found !== null);
  if (!setting) return NOTHING;
  const { name, placeholder } = setting.kind;
  if (name === 'boolean') return plain(['true', 'false']);
  if (name === 'directory') return { paths: 'folders', candidates: [] };
  return placeholder.includes('|') ? plain(placeholder.split('|')) : NOTHING;
}
