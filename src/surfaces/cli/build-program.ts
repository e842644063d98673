/**
 * Turns the declarations of the commands into a commander program: options, groups, help text and usage errors.
 * Nothing here knows what a command does.
 */

import { Command, Help, Option } from 'commander';
import { type Setting, type SettingName, type SettingsSources, settingByName } from '../../config/index.ts';
import {
  type CliCommand,
  type CliIo,
  type CommandExample,
  GLOBAL_FLAGS,
  type GlobalFlags,
} from './command.ts';
import { COMMAND_GROUPS } from './command-list.ts';

/** A command line after parsing, before repository and settings are opened. */
export interface ParsedCall {
  readonly command: CliCommand;
  /** Positional words, in order. */
  readonly arguments: readonly string[];
  /** The command's own flags in camel case. Flags of settings are not among them. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Flags that stand for a setting, by the name of the setting. They are checked when settings are loaded. */
  readonly settingFlags: SettingsSources['flags'];
  readonly global: GlobalFlags;
}

/** The command line as commander understands it, made from the commands' declarations. */
export function buildProgram(
  commands: readonly CliCommand[],
  io: CliIo,
  run: (call: ParsedCall) => Promise<void>,
): Command {
  const program = new Command('loadout').description(
    'The context engine for coding agents: the right files for a task, inside a token budget.',
  );
  for (const { syntax, help } of GLOBAL_FLAGS) program.addOption(globalOption(syntax, help));
  program
    .option('-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Show this help, or the help of a command.')
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: MIN_HELP_WIDTH / 2,
      padWidth,
      formatItem,
      subcommandTerm,
      commandUsage,
    })
    .commandsGroup(COMMAND_GROUPS.at(-1)!.title)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => helpWidth(io, 'stdout'),
      getErrHelpWidth: () => helpWidth(io, 'stderr'),
      outputError: (text, write) => write(describeUsageError(text)),
    })
    .addHelpText('after', '\nExit codes: 0 success, 1 negative result, 2 error.');
  // For a known command only that one is loaded, so a group may lack the others.
  for (const { title, names } of COMMAND_GROUPS)
    for (const name of names) {
      const command = commands.find((one) => one.name === name);
      if (command) addCommand(program, command, title, run);
    }
  return program.helpCommand('help [COMMAND]', 'Show the help of a command.');
}

/** A flag of all commands. `--repo` may be given more than once. */
function globalOption(syntax: string, help: string): Option {
  const built = new Option(syntax, help);
  return built.long === '--repo' ? built.argParser(collect) : built;
}

const collect = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value];

/** Longer lines are hard to read, even on a wide terminal. */
const MAX_HELP_WIDTH = 100;
/** Columns where help does not go to a terminal. */
const DEFAULT_HELP_WIDTH = 80;
/** Narrower terminals get lines of this width: shorter ones break every word. */
const MIN_HELP_WIDTH = 40;
/** A longer flag gets a line of its own, so that it does not push all texts to the right. */
const MAX_TERM_WIDTH = 28;

/** The width of the terminal; 80 where help goes into a file or a pipe. */
function helpWidth({ columns, isTerminal }: CliIo, stream: 'stdout' | 'stderr'): number {
  const width = isTerminal[stream] ? columns : DEFAULT_HELP_WIDTH;
  return Math.max(MIN_HELP_WIDTH, Math.min(width, MAX_HELP_WIDTH));
}

/** Every command has options, so the list of commands does not say so each time. */
function subcommandTerm(this: Help, command: Command): string {
  const term = Help.prototype.subcommandTerm.call(this, command);
  return term.replace(' [options]', '');
}

/** The list of commands has their other names; the usage would be too wide with them. */
function commandUsage(this: Help, command: Command): string {
  return Help.prototype.commandUsage.call(this, command).replace(/^(loadout \w+)\|\S+/, '$1');
}

/** The width of the column with the flags: at most a third of the line. */
function padWidth(this: Help, command: Command, helper: Help): number {
  const width = Math.floor((helper.helpWidth ?? MAX_HELP_WIDTH) / 3);
  return Math.min(Help.prototype.padWidth.call(this, command, helper), MAX_TERM_WIDTH, width);
}

/** One row of help. A term that is too wide for its column has its text on the next line. */
function formatItem(this: Help, term: string, termWidth: number, text: string, helper: Help): string {
  const width = helper.helpWidth ?? MAX_HELP_WIDTH;
  const textIndent = ' '.repeat(termWidth + 4);
  const lines = helper.boxWrap(text, width - textIndent.length).split('\n');
  const isLong = helper.displayWidth(term) > termWidth;
  const first = isLong ? `  ${term}\n${textIndent}${lines[0]}` : `  ${term.padEnd(termWidth)}  ${lines[0]}`;
  return [first, ...lines.slice(1).map((line) => textIndent + line)].join('\n');
}

/** Adds one command with its arguments, its own flags and the flags of its settings. */
function addCommand(
  program: Command,
  command: CliCommand,
  group: string,
  run: (call: ParsedCall) => Promise<void>,
): void {
  const child = program
    .command(command.name)
    .description(command.summary)
    .summary(command.summary.split(/(?<=\.) /)[0]!)
    .helpGroup(group)
    .aliases(command.aliases ?? [])
    .addHelpText('after', renderExamples(command.examples));
  for (const { syntax, help } of command.arguments) child.argument(syntax, help);
  // A setting without a flag can only be set by a variable or a file.
  const settingOptions = command.settings.flatMap((name) => {
    const setting = settingByName(name)!;
    return setting.flag ? [{ name, option: settingOption(setting) }] : [];
  });
  const own = command.flags.map(({ syntax, help }) => new Option(syntax, help));
  for (const option of inGroups(command, [...own, ...settingOptions.map(({ option }) => option)]))
    child.addOption(option);
  const settingFlags = settingOptions.map(({ name, option }) => ({
    name,
    attribute: option.attributeName(),
  }));
  child.action(async () => {
    const given = child.opts<Record<string, unknown>>();
    // Commander returns all options in one object: separate settings from the rest.
    const own = new Set(settingFlags.map(({ attribute }) => attribute));
    await run({
      command,
      arguments: child.args,
      flags: Object.fromEntries(Object.entries(given).filter(([attribute]) => !own.has(attribute))),
      settingFlags: collectSettings(settingFlags, given),
      global: readGlobalFlags(program.opts()),
    });
  });
}

/** The options in the order of the command's groups; the others come last, as advanced ones. */
function inGroups({ groups = [] }: CliCommand, options: readonly Option[]): Option[] {
  if (groups.length === 0) return [...options];
  const listed = groups.flatMap(({ title, flags }) =>
    flags.map((flag) => options.find(({ long }) => long === flag)!.helpGroup(`${title}:`)),
  );
  const others = options.filter((option) => !listed.includes(option));
  return [...listed, ...others.map((option) => option.helpGroup('Advanced:'))];
}

/** The flag of a setting. Name, placeholder, help and default come from its declaration. */
function settingOption(setting: Setting<unknown>): Option {
  const { flag, shortFlag, kind, help, default: value, defaultText } = setting;
  const names = shortFlag ? `${shortFlag}, ${flag}` : flag!;
  const syntax = kind.placeholder ? `${names} <${kind.placeholder}>` : names;
  const plainDefault = (defaultText ?? kind.show(value)).replaceAll('`', '');
  const built = new Option(syntax, `${help} (default: ${plainDefault})`);
  if (!kind.repeatable) return built;
  return built.argParser(collect);
}

/** The settings that were given as flags, still as text. */
function collectSettings(
  names: readonly { readonly name: SettingName; readonly attribute: string }[],
  given: Readonly<Record<string, unknown>>,
): SettingsSources['flags'] {
  const entries = names.flatMap(({ name, attribute }) => {
    return given[attribute] === undefined ? [] : [[name, given[attribute]]];
  });
  return Object.fromEntries(entries);
}

/** Flags that every command takes, with a value for each. */
function readGlobalFlags(given: Readonly<Record<string, unknown>>): GlobalFlags {
  const repos = Array.isArray(given.repo) ? given.repo.map(String) : [];
  return {
    repo: repos[0] ?? '',
    repos,
    json: given.json === true,
    quiet: given.quiet === true,
    color: given.color !== false,
    config: typeof given.config === 'string' ? given.config : '',
  };
}

/** The end of `--help`: command lines with a sentence below each. */
function renderExamples(examples: readonly CommandExample[]): string {
  if (examples.length === 0) return '';
  return `\nExamples:\n${examples.map(({ line, does }) => `  $ ${line}\n      ${does}`).join('\n')}`;
}

/** `error: unknown option '--mdoe'\n(Did you mean --mode?)` in the words of all our errors. */
function describeUsageError(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  const message = first.replace(/^error: /, '');
  const suggestion = rest.join(' ').replace(/^\(Did you mean (.*)\?\)$/, 'did you mean $1?');
  const hint = suggestion || taskHint(message);
  return `loadout: ${message}\n${hint ? `hint: ${hint}\n` : ''}`;
}

/** A task without quotes is many arguments, and a task that begins with a dash is taken for a flag. */
function taskHint(message: string): string {
  if (/^unknown option '-.*\s.*'$/.test(message)) return 'put -- before a task that begins with a dash';
  return message.startsWith('too many arguments') ? 'put quotes around an argument of several words' : '';
}
