import type { JsonSchema } from './value-kind.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type ValuePath = readonly (string | number)[];

/** One way in which a value is not what was asked for. */
export interface ValueIssue {
  readonly path: ValuePath;
  /** Completes "expected ...". */
  readonly expected: string;
  /** Completes "got ...". */
  readonly received: string;
}

export type ReportIssue = (issue: ValueIssue) => void;

/** What a field is when the answer leaves it out. */
interface WhenAbsent<Value> {
  readonly make: () => Value;
  /** The model is told to give it all the same: it is `required` in the JSON Schema. */
  readonly asked: boolean;
}

/** The one definition of a value: its type, its check, its JSON Schema and its line in the docs. */
export interface Schema<Value> {
  readonly jsonSchema: JsonSchema;
  /** Completes "expected ...", and stands in the docs. */
  readonly expected: string;
  readonly help?: string;
  readonly whenAbsent?: WhenAbsent<Value>;
  /** Reports what is wrong; its result only counts when nothing was reported. */
  readonly read: (value: JsonValue, path: ValuePath, report: ReportIssue) => Value;
}

/** The TypeScript type that a schema stands for. */
export type ValueOf<Definition> = Definition extends Schema<infer Value> ? Value : never;
