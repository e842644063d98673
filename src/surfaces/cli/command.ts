import type { LoadedSettings } from '../../config/load-settings.ts';
import type { SettingName } from '../../config/settings.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { CliIo } from './cli-io.ts';
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
