import type { Schema } from '../../schema/schema.ts';

/**
 * How an overlay's value meets the one it inherits. `own`: nothing is inherited. `replace`: the overlay's value
 * counts. `append`: the overlay's items come after the inherited ones. `append-new`: the same, but an item that is
 * there already is not repeated. `extend-prompt`: the text comes after the system prompt.
 */
export type MergeRule = 'own' | 'replace' | 'append' | 'append-new' | 'extend-prompt';

/**
 * What takes trust when the file is the repository's own. `always`: it can end up on a command line.
 * `in-place-of-another`: it would speak for a role of the user's or a built-in one, whose name the file takes.
 */
export type FieldTrust = 'always' | 'in-place-of-another';

export interface Field<Value, Fallback> {
  readonly kind: Schema<Value>;
  readonly merge: MergeRule;
  readonly help: string;
  readonly isRequired: boolean;
  /** What holds when no file of the chain says anything. */
  readonly fallback?: Fallback;
  readonly needsTrust?: FieldTrust;
  /** Another name for it, at the top of a file; its own name counts when a file has both. */
  readonly alias?: string;
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

type Declaration = Pick<AnyField, 'merge' | 'help' | 'needsTrust' | 'alias'>;

export function required<Value>(kind: Schema<Value>, declaration: Declaration): Field<Value, never> {
  return { ...declaration, kind, isRequired: true };
}

export function optional<Value, const Fallback extends NoInfer<Value> | null>(
  kind: Schema<Value>,
  declaration: Declaration & { readonly fallback: Fallback },
): Field<Value, Fallback> {
  return { ...declaration, kind, isRequired: false };
}

export const isGroup = (
  declared: FieldTable[string],
): declared is FieldGroup<Readonly<Record<string, AnyField>>> => 'fields' in declared;

/** The fields that have another name, by that name. */
export function aliasesIn(table: FieldTable): ReadonlyMap<string, AnyField> {
  const fields = Object.values(table).flatMap((one) => (isGroup(one) ? Object.values(one.fields) : [one]));
  return new Map(fields.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field]])));
}

/** `tokenBudget` in code is `token_budget` in a file. */
export const nameInFile = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
