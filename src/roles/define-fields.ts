import type { FieldKind } from './field-kinds.ts';

/**
 * How an overlay's value meets the one it inherits. `own`: nothing is inherited. `replace`: the overlay's value
 * counts. `append`: the overlay's items come after the inherited ones. `append-new`: the same, but an item that is
 * there already is not repeated. `extend-prompt`: the text comes after the system prompt.
 */
export type MergeRule = 'own' | 'replace' | 'append' | 'append-new' | 'extend-prompt';

export interface Field<Value, Fallback> {
  readonly kind: FieldKind<Value>;
  readonly merge: MergeRule;
  readonly help: string;
  readonly isRequired: boolean;
  /** What holds when no file of the chain says anything. */
  readonly fallback?: Fallback;
  /** It can end up on a command line, so that it takes trust to hand it on. */
  readonly runsCommands: boolean;
}

/** A map of fields, merged field by field. */
export interface FieldGroup<Fields> {
  readonly fields: Fields;
  readonly help: string;
}

export type AnyField = Field<unknown, unknown>;
export type FieldTable = Readonly<Record<string, AnyField | FieldGroup<Readonly<Record<string, AnyField>>>>>;

type ValueOf<Declared> =
  Declared extends FieldGroup<infer Fields>
    ? ValuesOf<Fields>
    : Declared extends Field<infer Value, infer Fallback>
      ? Value | Fallback
      : never;

/** The type of what the files of a chain say together. */
export type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

interface Declaration {
  readonly merge: MergeRule;
  readonly help: string;
}

export function required<Value>(kind: FieldKind<Value>, declaration: Declaration): Field<Value, never> {
  return { ...declaration, kind, isRequired: true, runsCommands: false };
}

export function optional<Value, const Fallback extends NoInfer<Value> | null>(
  kind: FieldKind<Value>,
  declaration: Declaration & { readonly fallback: Fallback; readonly runsCommands?: boolean },
): Field<Value, Fallback> {
  return { runsCommands: false, ...declaration, kind, isRequired: false };
}

export const isGroup = (
  declared: FieldTable[string],
): declared is FieldGroup<Readonly<Record<string, AnyField>>> => 'fields' in declared;

/** `tokenBudget` in code is `token_budget` in a file. */
export const nameInFile = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
