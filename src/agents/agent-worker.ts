// How an agent client works without a terminal: its command, and the reader of its output.

import { LoadoutError } from '../model/loadout-error.ts';
import { isPlainArgument, PLAIN_ARGUMENT_ALLOWED } from '../schema/text-values.ts';

/** A JSON Schema, as data. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;

/** The request of a run to an agent, apart from its prompt. */
export interface AgentStart {
  readonly cwd: string;
  readonly permissions: 'read-only' | 'edit' | 'full';
  readonly model: string | null;
  /** The role's own flags. They come last, so that they override Loadout's. */
  readonly flags: readonly string[];
  readonly schema: JsonSchemaObject | null;
  /** Where the caller wrote `schema`, for a CLI that reads it from a file. */
  readonly schemaFile: string | null;
  /** The session id of an earlier answer that this prompt continues. */
  readonly resume: string | null;
}

/** The process to start. */
interface AgentInvocation {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables on top of the worker's environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The tokens of a call. */
export interface AgentUsage {
  /** Every token the model read, cached ones included. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  /** Every token the model wrote, reasoning included. */
  readonly outputTokens: number;
}

/** Why a CLI failed, in words that are the same for all of them. */
export type AgentFailureKind =
  | 'auth'
  | 'bad-request'
  | 'rate-limit'
  | 'overloaded'
  | 'network'
  | 'blocked'
  | 'turn-limit'
  /** No money or no output tokens are left. */
  | 'budget'
  | 'empty'
  | 'untrusted-folder'
  | 'crash'
  | 'unknown';

/** The failure of a CLI. */
export interface AgentFailure {
  readonly kind: AgentFailureKind;
  readonly message: string;
  /** The same call may work a little later. */
  readonly isTransient: boolean;
  /** The HTTP status, if the CLI reports it. */
  readonly status: number | null;
}

/** The output of any agent CLI, read into one form. */
export interface AgentAnswer {
  /** The CLI did its work. The text may still be wrong. */
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

/** The output of a CLI and how its process ended. */
export interface AgentOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A file or folder of a repository. With `holding` it counts only when its text matches. */
export interface ObeyedFile {
  readonly path: string;
  readonly holding?: RegExp;
}

/** A client as a worker: the command that starts it without a terminal, and the reader of its output. */
export interface AgentWorker {
  readonly installLine: string;
  readonly versionArgs: readonly string[];
  readonly canResume: boolean;
  readonly hasNativeSchema: 'argument' | 'file' | null;
  /** Files in its working folder from which it sets variables of its environment. */
  readonly environmentFiles?: readonly string[];
  /** Variables that get an empty value unless the user has set them, so that no file of a repository can set them. */
  readonly blankVariables?: readonly string[];
  /** It treats an empty variable as one that is not set. */
  readonly fillsBlanks?: true;
  /** Files in its working folder that it obeys, and that no option of it switches off. */
  readonly obeyedFiles?: readonly ObeyedFile[];
  /** The schema in the form that its service accepts; null when it cannot be expressed. */
  nativeSchema?(schema: JsonSchemaObject): JsonSchemaObject | null;
  /** How to start it. It reads its whole prompt from standard input, never from its arguments. */
  start(options: AgentStart): AgentInvocation;
  read(output: AgentOutput): AgentAnswer;
}

/** A worker with the name of its client. */
export interface NamedWorker extends AgentWorker {
  /** The id of its client. */
  readonly name: string;
}

/**
 * Checks a value for the command line of an agent. All values from roles, flags and answers pass through here. Values that
 * do not look like a name are refused: after `--model`, a value such as `--yolo` would be an option of its own.
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

/** Flag and value as one argument, so that no parser can split them; nothing when there is no value. */
export function option(flag: string, what: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${flag}=${plainArgument(what, value)}`];
}

/** Tells Loadout's own hooks and MCP server to stay silent: the prompt of a worker holds the context already. */
export const WORKER_ENVIRONMENT = { LOADOUT_WORKER: '1' } as const;
