import type { JsonSchema } from './schema.ts';

/** One sort of value: how it is read from text and from a file, how it is shown and described. */
export interface ValueKind<Value> {
  readonly name: string;
  /** Stands for the value in help: `--budget TOKENS`; empty when the flag takes none. */
  readonly placeholder: string;
  /** Completes the sentence "allowed is ...". */
  readonly allowed: string;
  /** The flag may be given more than once, and every one counts. */
  readonly repeatable: boolean;
  /** From a flag or a variable; undefined means that this text is not allowed. */
  readonly fromText: (text: string) => Value | undefined;
  /** From a parsed config file; undefined means that this value is not allowed. */
  readonly fromFile: (value: unknown) => Value | undefined;
  /** From a program, where a time is in milliseconds; as from a file if absent. */
  readonly fromValue?: (value: unknown) => Value | undefined;
  /** As the user would write it in a flag or a variable. */
  readonly show: (value: Value) => string;
  readonly schema: JsonSchema;
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}
