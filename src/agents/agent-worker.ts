import { LoadoutError } from '../model/loadout-error.ts';
import { isPlainArgument, PLAIN_ARGUMENT_ALLOWED } from '../schema/plain-argument.ts';

export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/** What a run asks of an agent, apart from its prompt. */
export interface AgentStart {
  readonly cwd: string;
  readonly permissions: 'read-only' | 'edit' | 'full';
  readonly model: string | null;
  /** The role's own flags; they come last, so that they win over ours. */
  readonly flags: readonly string[];
  readonly schema: JsonSchemaObject | null;
  /** Where the caller wrote `schema`, for a CLI that reads it from a file. */
  readonly schemaFile: string | null;
  /** The session id of an earlier answer that this prompt continues. */
  readonly resume: string | null;
}

/** The process to start for it. */
interface AgentInvocation {
  readonly command: string;
  readonly args: readonly string[];
  /** To be set over the worker's environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentUsage {
  /** Every token the model read, cached ones included. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  /** Every token the model wrote, reasoning included. */
  readonly outputTokens: number;
}

export type AgentFailureKind =
  | 'auth'
  | 'bad-request'
  | 'rate-limit'
  | 'overloaded'
  | 'network'
  | 'blocked'
  | 'turn-limit'
  /** Of money or of output tokens. */
  | 'budget'
  | 'empty'
  | 'untrusted-folder'
  | 'crash'
  | 'unknown';

export interface AgentFailure {
  readonly kind: AgentFailureKind;
  readonly message: string;
  /** The same call may work a little later. */
  readonly isTransient: boolean;
  /** Of HTTP, where the CLI tells it. */
  readonly status: number | null;
}

/** The output of any agent CLI, read into one form. */
export interface AgentAnswer {
  /** The CLI did its work. What the text is worth is for others to judge. */
  readonly ok: boolean;
  readonly text: string;
  /** From the CLI's structured channel; undefined when it has none or the model did not comply. */
  readonly structured: unknown | undefined;
  readonly sessionId: string | null;
  readonly usage: AgentUsage | null;
  readonly costUsd: number | null;
  /** Null exactly when `ok`. */
  readonly error: AgentFailure | null;
  readonly warnings: readonly string[];
}

/** All that a CLI left behind when it ended. */
export interface AgentOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A file or folder of a repository; one with `holding` counts only when its text has that in it. */
export interface ObeyedFile {
  readonly path: string;
  readonly holding?: RegExp;
}

/** How a client works as a worker: the command that starts it without a terminal, and the reader of what it prints. */
export interface AgentWorker {
  readonly installLine: string;
  readonly versionArgs: readonly string[];
  readonly canResume: boolean;
  readonly hasNativeSchema: 'argument' | 'file' | null;
  /** Files of the folder it works in from which it would set variables of its environment. */
  readonly environmentFiles?: readonly string[];
  /** Variables that are set to nothing unless the user has set them, so that no file of a repository can. */
  readonly blankVariables?: readonly string[];
  /** It takes a variable that is set to nothing for one that is not set. */
  readonly fillsBlanks?: true;
  /** What it obeys in the folder it works in, and no option of its own switches off. */
  readonly obeyedFiles?: readonly ObeyedFile[];
  /** The schema as its service takes it, to be passed and written to the file; null when that is not possible. */
  nativeSchema?(schema: JsonSchemaObject): JsonSchemaObject | null;
  /** How to start it: it reads its prompt from standard input, up to the end of that, and never from its arguments. */
  start(options: AgentStart): AgentInvocation;
  read(output: AgentOutput): AgentAnswer;
}

/** A worker that says whose it is. */
export interface NamedWorker extends AgentWorker {
  /** The id of its client. */
  readonly name: string;
}

/**
 * Values that roles, flags or answers bring to the command line of an agent come through here and nowhere else. What
 * does not look like a name is refused: after `--model`, a value such as `--yolo` would be an option of its own.
 */
export function plainArgument(what: string, value: string): string {
  if (isPlainArgument(value)) return value;
  const shown = JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  throw new LoadoutError(
    'bad-argument',
    `the ${what} ${shown} is not allowed; allowed is ${PLAIN_ARGUMENT_ALLOWED}`,
    {
      subject: what,
    },
  );
}

/** Flag and value as one argument, so that no parser can take them for two; nothing when there is no value. */
export function option(flag: string, what: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${flag}=${plainArgument(what, value)}`];
}

/** Our own hooks and MCP server stay silent in a worker: its prompt holds the context already. */
export const WORKER_ENVIRONMENT = { LOADOUT_WORKER: '1' } as const;
