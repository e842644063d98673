import type { LoadedSettings } from '../../config/load-settings.ts';
import type { SettingName } from '../../config/settings.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { CliIo } from './cli-io.ts';
import type { Output } from './views/output.ts';

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

export interface CommandExample {
  readonly line: string;
  readonly does: string;
}

export interface CommandCall {
  readonly command: CliCommand;
  readonly arguments: readonly string[];
  /** The command's own flags, camel case: `astContext`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly global: GlobalFlags;
  readonly io: CliIo;
  readonly output: Output;
  /** Aborted when the user interrupts or nobody reads the output any more. */
  readonly signal: AbortSignal;
  repository(): SafeRoot;
  /** All that were named, for the commands that take several. */
  repositories(): readonly SafeRoot[];
  /** Settings with this call's flags on top; what there is to say about them has been said on stderr. */
  settings(): Promise<LoadedSettings>;
}

/** One command of the command line. Parse input, call one function, format its answer: no more happens here. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly CommandArgument[];
  /** How `--help` groups the flags, by their long names. Flags in no group are listed last, as advanced ones. */
  readonly groups?: readonly { readonly title: string; readonly flags: readonly string[] }[];
  /** Settings that can be given as a flag here. */
  readonly settings: readonly SettingName[];
  readonly flags: readonly CommandFlag[];
  readonly examples: readonly CommandExample[];
  /** `--repo` may be given more than once. */
  readonly takesSeveralRepositories?: boolean;
  /** Resolves to the exit code: 0 done, 1 the answer is no. What cannot be done is a `LoadoutError`. */
  readonly run: (call: CommandCall) => Promise<number>;
}
