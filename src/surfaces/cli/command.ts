import type { Readable, Writable } from 'node:stream';
import type { LoadedSettings } from '../../config/load-settings.ts';
import type { SettingName } from '../../config/settings.ts';
import type { Environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { Output } from './views/output.ts';

/** The flags that every command takes. */
export interface GlobalFlags {
  /** As given; empty means "the git root above the current directory". */
  readonly repo: string;
  /** All of them, in order, for the commands that take several. */
  readonly repos: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly config: string;
}

interface CommandFlag {
  /** `--verify`, `-o, --output <FILE>`, `--ast-context [DIR]`, `--focus <PATH...>`. */
  readonly syntax: string;
  readonly help: string;
}

interface CommandArgument {
  /** `[TASK]` or `<TASK>`. */
  readonly syntax: string;
  readonly help: string;
}

/** A line for the end of `--help`. */
export interface CommandExample {
  readonly line: string;
  readonly does: string;
}

/** One call of a command: its arguments, and what it works with. */
export interface CommandCall {
  readonly command: CliCommand;
  readonly arguments: readonly string[];
  /** The command's own flags, camel case: `astContext`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly global: GlobalFlags;
  readonly io: CliIo;
  readonly output: Output;
  /** Aborted when the user interrupts, or when the reader of the output has gone. */
  readonly signal: AbortSignal;
  repository(): SafeRoot;
  /** All that were named, for the commands that take several. */
  repositories(): readonly SafeRoot[];
  /** The settings of this call, flags included. Their diagnostics are printed on stderr. */
  settings(): Promise<LoadedSettings>;
}

/** One command of the command line. It parses input, calls one function and formats the answer; nothing more. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly CommandArgument[];
  /** The groups of flags in `--help`, by long names. Flags in no group come last, under "Advanced". */
  readonly groups?: readonly { readonly title: string; readonly flags: readonly string[] }[];
  /** Settings that can be given as a flag here. */
  readonly settings: readonly SettingName[];
  readonly flags: readonly CommandFlag[];
  readonly examples: readonly CommandExample[];
  /** `--repo` may be given more than once. */
  readonly takesSeveralRepositories?: boolean;
  /** Resolves to the exit code: 0 for success, 1 for a negative result. Errors are `LoadoutError`s. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** The streams and the environment of one call. Tests pass their own. */
export interface CliIo {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdin: Readable;
  readonly env: Environment;
  readonly cwd: string;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal behind stderr. */
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
