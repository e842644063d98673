import { LoadoutError } from '../../src/model/loadout-error.ts';
import type { FuzzWorld } from './environment.ts';
import type { Random } from './random.ts';

/** The classes of inputs that others write and Loadout reads. */
export const CLASS_NAMES = [
  'role-yaml',
  'templates',
  'hook-json',
  'mcp-calls',
  'selectors',
  'ignore-files',
  'index-bytes',
  'git-output',
  'answers',
] as const;
export type ClassName = (typeof CLASS_NAMES)[number];

/** One kind of input from outside, and the code of Loadout that reads it. */
export interface FuzzClass<State = unknown> {
  /** Prepares the state once: a repository, an open index. */
  setUp(environment: FuzzWorld): Promise<State>;
  /** The same for the same numbers, on every machine. */
  generate(random: Random): Buffer;
  /** Returns all output that leaves the program. An error that it throws must be documented; any other is a fault. */
  run(state: State, input: Buffer): Promise<string | Buffer> | string | Buffer;
  /** Errors besides `LoadoutError` that are documented for callers of this class. */
  isDocumented?(error: unknown): boolean;
  tearDown?(state: State): Promise<void>;
}

/** Keeps the type of the state inside. */
export const fuzzClass = <State>(one: FuzzClass<State>): FuzzClass => one as FuzzClass;

/** For the second of two readers of an input: it runs even when the first one failed. */
export function orError(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return `${error.message}\n${error.hint}`;
  }
}
