/**
 * The types of the command line: a command as data, one call of it, and the streams it works on. A command file
 * declares a `CliCommand`; everything else reads these declarations.
 */

import type { Readable, Writable } from 'node:stream';
import type { LoadedSettings, SettingName, ValueKind } from '../../config/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { Output } from './views/output.ts';

/** The flags that every command takes. */
export interface GlobalFlags {
  /** As given; empty means "the git root above the current directory". */
  readonly repo: string;
  /** All of them, in order, for the commands that take several. */
  readonly repos: readonly string[];
  /** Print the result as JSON on stdout. */
  readonly json: boolean;
  /** No progress and no notes on stderr. */
  readonly quiet: boolean;
  /** False after `--no-color`. The terminal and NO_COLOR count as well. */
  readonly color: boolean;
  /** The file of `--config`; empty without one. */
  readonly config: string;
}

/**
 * The values that shell completion offers for an argument: words, or the name of a list that is looked up
 * when a user asks. Files, folders and choices (`<a|b>`) are read from the syntax.
 */
export type PossibleValues =
  | readonly string[]
  | 'roles'
  | 'runs'
  | 'domains'
  | 'stores'
  | 'setting-value'
  | 'roles-or-files';

/** A flag that only this command has. */
export interface CommandFlag {
  /** `--verify`, `-o, --output <FILE>`, `--ast-context [DIR]`, `--focus <PATH...>`. */
  readonly syntax: string;
  readonly help: string;
  readonly values?: PossibleValues;
}

/** The flags that every command takes, as `GlobalFlags` has them. A command must not declare one of these names again. */
export const GLOBAL_FLAGS: readonly CommandFlag[] = [
  {
    syntax: '--repo <DIR>',
    help: 'The repository: a folder, a URL, or OWNER/NAME on GitHub. (default: the git root above the current directory)',
  },
  { syntax: '--json', help: 'Print the result as JSON.' },
  {
    syntax: '--quiet',
    help: 'Print no progress and no notes on stderr, only errors and warnings about trust.',
  },
  { syntax: '--no-color', help: 'Do not use colours (also: NO_COLOR).' },
  { syntax: '--config <FILE>', help: "Read settings from this file instead of the repository's file." },
];

/** A positional argument. Brackets make it optional, as commander reads them. */
interface CommandArgument {
  /** `[TASK]` or `<TASK>`. */
  readonly syntax: string;
  readonly help: string;
  readonly values?: PossibleValues;
}

/** A line for the end of `--help`. */
export interface CommandExample {
  /** The command line, ready to be copied. */
  readonly line: string;
  /** Its effect in a few words. */
  readonly does: string;
}

/** One call of a command: its arguments and its environment. */
export interface CommandCall {
  readonly command: CliCommand;
  /** Positional words, as typed. */
  readonly arguments: readonly string[];
  /** The command's own flags, camel case: `astContext`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly global: GlobalFlags;
  readonly io: CliIo;
  /** Results and notes go through here, so that secrets and control characters are removed. */
  readonly output: Output;
  /** Aborted when the user interrupts, or when the reader of the output has gone. */
  readonly signal: AbortSignal;
  /** Opens the repository. Throws when the folder does not exist. */
  repository(): SafeRoot;
  /** All that were named, for the commands that take several. */
  repositories(): readonly SafeRoot[];
  /** The settings of this call, flags included. Their diagnostics are printed on stderr. */
  settings(): Promise<LoadedSettings>;
}

/** One command of the command line. It parses input, calls one function and formats the answer; nothing more. */
export interface CliCommand {
  /** The word after `loadout`. */
  readonly name: string;
  /** Other words for it. Each has a row of its own in the table. */
  readonly aliases?: readonly string[];
  /** Shown by `--help`. Its first sentence is the row in the list of commands. */
  readonly summary: string;
  readonly arguments: readonly CommandArgument[];
  /** The groups of flags in `--help`, by long names. Flags in no group come last, under "Advanced". */
  readonly groups?: readonly { readonly title: string; readonly flags: readonly string[] }[];
  /** Settings that can be given as a flag here. */
  readonly settings: readonly SettingName[];
  readonly flags: readonly CommandFlag[];
  /** At least two, ready to be copied. */
  readonly examples: readonly CommandExample[];
  /** `--repo` may be given more than once. */
  readonly takesSeveralRepositories?: boolean;
  /** Resolves to the exit code: 0 for success, 1 for a negative result. Errors are `LoadoutError`s. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** The streams and the environment of one call. Tests pass their own. */
export interface CliIo {
  /** For the result, and nothing else: other programs read it. */
  readonly stdout: Writable;
  /** For progress, notes and errors. */
  readonly stderr: Writable;
  /** Read only when an argument says `-`, or to answer a question. */
  readonly stdin: Readable;
  readonly env: Environment;
  /** Relative paths on the command line start here. */
  readonly cwd: string;
  /** Decides about colours, progress and questions, for each stream on its own. */
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal on stderr. */
  readonly columns: number;
  /** Calls back with the exit code for a signal. Returns a function that stops listening. */
  onInterrupt(listener: (exitCode: number) => void): () => void;
  /** Ends the process at once, for a command that does not stop in time. */
  forceExit(exitCode: number): void;
}

/** Whether a person can answer a question. */
export const canAsk = ({ stdin, isTerminal }: CliIo): boolean =>
  isTerminal.stderr && (stdin as { readonly isTTY?: boolean }).isTTY === true;

/** Asks a question on stderr. Only "y" and "yes" count as yes. */
export async function askYes(
  { stdin, stderr }: CliIo,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  stderr.write(`${question} [y/N] `);
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let answer = '';
  try {
    // One line is enough, and the stream may stay open after it.
    for await (const chunk of stdin) {
      answer += String(chunk);
      if (answer.includes('\n')) break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  return /^y(es)?$/i.test(answer.split('\n')[0]!.trim());
}

/** A flag with a number or a duration; undefined when it is absent. */
export function numberFlag(
  { flags }: CommandCall,
  name: string,
  kind: ValueKind<number>,
): number | undefined {
  if (flags[name] === undefined) return undefined;
  return kind.fromText(String(flags[name])) ?? refuseFlag(name, flags[name], kind.allowed);
}

/** A flag with one of a few words; undefined when it is absent. */
export function choiceFlag<const Choice extends string>(
  { flags }: CommandCall,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (flags[name] === undefined) return undefined;
  return (
    choices.find((choice) => choice === flags[name]) ?? refuseFlag(name, flags[name], choices.join(', '))
  );
}

function refuseFlag(name: string, given: unknown, allowed: string): never {
  // the parser gives `maxChars` for `--max-chars`
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const message = `${flag}: ${JSON.stringify(given)} is not allowed; give ${allowed}`;
  throw new LoadoutError('bad-flag', message, { subject: flag });
}

/** The error of a command whose first argument is not one of its actions. */
export function unknownAction({ command, arguments: [given] }: CommandCall, actions: readonly string[]) {
  const message = `there is no action ${JSON.stringify(given)} for ${command.name}`;
  return new LoadoutError('bad-action', message, { hint: `use one of ${actions.join(', ')}` });
}
