import { Command, Option } from 'commander';
import type { Setting } from '../../config/define-settings.ts';
import type { SettingsSources } from '../../config/load-settings.ts';
import { type SettingName, settingByName } from '../../config/settings.ts';
import type { CliIo } from './cli-io.ts';
import type { CliCommand, CommandExample, GlobalFlags } from './command.ts';

export interface ParsedCall {
  readonly command: CliCommand;
  readonly arguments: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly settingFlags: SettingsSources['flags'];
  readonly global: GlobalFlags;
}

/** The command line as commander understands it, made from the commands' declarations. */
export function buildProgram(
  commands: readonly CliCommand[],
  io: CliIo,
  run: (call: ParsedCall) => Promise<void>,
): Command {
  const program = new Command('loadout')
    .description('The context engine for coding agents: the right files for a task, inside a token budget.')
    .option(
      '--repo <DIR>',
      'Work on this repository: a folder, or the address of one. (default: the git root above the current directory)',
      (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
    )
    .option('--json', 'Print the result as JSON.')
    .option('--quiet', 'No progress and no diagnostics on stderr.')
    .option('--no-color', 'No colours (also: NO_COLOR).')
    .option('--config <FILE>', "Take settings from this file instead of the repository's own.")
    .option('-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Show help, also after a command.')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(describeUsageError(text)),
    })
    .addHelpText('after', '\nExit codes: 0 done, 1 the answer is no, 2 could not do it.');
  for (const command of commands) addCommand(program, command, run);
  return program;
}

function addCommand(program: Command, command: CliCommand, run: (call: ParsedCall) => Promise<void>): void {
  const child = program
    .command(command.name)
    .description(command.summary)
    .addHelpText('after', renderExamples(command.examples));
  for (const { syntax, help } of command.arguments) child.argument(syntax, help);
  for (const { syntax, help } of command.flags) child.option(syntax, help);
  const settingFlags = command.settings.flatMap((name) => {
    const setting = settingByName(name)!;
    if (!setting.flag) return [];
    const flag = settingOption(setting);
    child.addOption(flag);
    return [{ name, attribute: flag.attributeName() }];
  });
  child.action(async () => {
    const given = child.opts<Record<string, unknown>>();
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

function settingOption({ flag, kind, help, default: value, defaultText }: Setting<unknown>): Option {
  const syntax = kind.placeholder ? `${flag} <${kind.placeholder}>` : flag!;
  const plainDefault = (defaultText ?? kind.show(value)).replaceAll('`', '');
  const built = new Option(syntax, `${help} (default: ${plainDefault})`);
  if (!kind.repeatable) return built;
  return built.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
}

function collectSettings(
  names: readonly { readonly name: SettingName; readonly attribute: string }[],
  given: Readonly<Record<string, unknown>>,
): SettingsSources['flags'] {
  const entries = names.flatMap(({ name, attribute }) => {
    return given[attribute] === undefined ? [] : [[name, given[attribute]]];
  });
  return Object.fromEntries(entries);
}

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

export function renderExamples(examples: readonly CommandExample[]): string {
  if (examples.length === 0) return '';
  return `\nExamples:\n${examples.map(({ line, does }) => `  $ ${line}\n      ${does}`).join('\n')}`;
}

/** `error: unknown option '--mdoe'\n(Did you mean --mode?)` in the words of all our errors. */
function describeUsageError(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  const hint = rest.join(' ').replace(/^\(Did you mean (.*)\?\)$/, 'did you mean $1?');
  return `loadout: ${first.replace(/^error: /, '')}\n${hint ? `hint: ${hint}\n` : ''}`;
}
