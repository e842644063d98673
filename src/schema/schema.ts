import * as z from 'zod/mini';

/**
 * One declaration of a value. It gives the check (`value-issues.ts`), the message, the JSON Schema (`object-schema.ts`)
 * and the row in the documentation. Behind it is a zod schema; the helpers below add what our messages and documents need.
 *
 * The type says only what callers need. zod is part of the bundle and not of an installation, so that no type of the
 * package may ask for it.
 */
export interface Schema<out Value> {
  readonly _zod: { readonly output: Value };
}

/** The TypeScript type that a schema declares. */
export type ValueOf<Declared> = Declared extends Schema<infer Value> ? Value : never;

export type JsonSchema = Readonly<Record<string, unknown>>;
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Facts about a schema besides its check. */
export interface SchemaNote {
  /** Completes "expected ..." and "allowed is ...". */
  readonly expected: string;
  /** One sentence for readers of the documentation and of the JSON Schema. */
  readonly help?: string;
  /** The value of a field that is left out; without it the field must be there. */
  readonly whenAbsent?: {
    readonly make: () => unknown;
    /** The model is told to give it anyway: the field is `required` in the JSON Schema. */
    readonly asked: boolean;
  };
  /** The JSON Schema where zod cannot write it, such as for a glob. */
  readonly json?: JsonSchema;
  /** Of an object. */
  readonly title?: string;
}

const NOTES = new WeakMap<object, SchemaNote>();

export function noteOf(schema: Schema<unknown>): SchemaNote {
  return NOTES.get(schema) ?? { expected: 'another value' };
}

/** Completes "allowed is ...". */
export const expectedOf = (schema: Schema<unknown>): string => noteOf(schema).expected;

/** The zod schema behind a declaration. Not exported: no type of the package may name zod. */
const zodOf = <Value>(schema: Schema<Value>): z.ZodMiniType<Value> =>
  schema as unknown as z.ZodMiniType<Value>;

/** Whether a value is allowed, for callers that need no reason. `safeParse` would write a message for each wrong item. */
export function isAllowed(schema: Schema<unknown>, value: unknown): boolean {
  const checked = zodOf(schema)._zod.run({ value, issues: [] }, { async: false, jitless: true });
  return (checked as { readonly issues: readonly unknown[] }).issues.length === 0;
}

/** Wraps a zod schema. `expected` must also be the schema's `error`, because messages are made from it. */
export function noted<Value>(schema: object, note: SchemaNote): Schema<Value> {
  NOTES.set(schema, note);
  return schema as Schema<Value>;
}

/** The same check under another note. */
function renoted<Value>(schema: Schema<Value>, more: Partial<SchemaNote>): Schema<Value> {
  return noted(zodOf(schema).clone(), { ...noteOf(schema), ...more });
}

/**
 * A rule beyond the type. After `z.refine` the checks go on, and a union would show the message of this rule instead of
 * its own: "a whole number" and not "a whole number or null".
 */
function rule<Value>(accepts: (value: Value) => boolean, expected: string) {
  return z.check<Value>(({ value, issues }) => {
    if (!accepts(value)) issues.push({ code: 'custom', path: [], input: value, message: expected });
  });
}

export function text(expected = 'a text'): Schema<string> {
  return noted(z.string({ error: expected }), { expected });
}

/** A text that is not blank; the length counts in UTF-16 units, as JavaScript has it. */
export function filledText(max: number, expected = `a text of 1 to ${max} characters`): Schema<string> {
  const json = { type: 'string', minLength: 1, maxLength: max };
  return textWhere(json, expected, (value) => value.trim() !== '' && value.length <= max);
}

/** A text with a rule of its own. */
export function textWhere(
  json: JsonSchema,
  expected: string,
  accepts: (value: string) => boolean,
): Schema<string> {
  const schema = z.string({ error: expected }).check(rule(accepts, expected));
  return noted(schema, { expected, json });
}

/** A text that matches; the pattern is part of the JSON Schema. */
export function matching(pattern: RegExp, expected: string): Schema<string> {
  return noted(z.string({ error: expected }).check(z.regex(pattern, { error: expected })), {
    expected,
    json: { type: 'string', pattern: pattern.source },
  });
}

/** Both ends are allowed values. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export function integer(range: Range = {}, expected = 'a whole number'): Schema<number> {
  const { min, max } = range;
  const isInside = (value: number) =>
    Number.isSafeInteger(value) && value >= (min ?? value) && value <= (max ?? value);
  // One check for all, so that a value has one issue; `z.int()` would also write its own bounds into the JSON Schema.
  return noted(z.number({ error: expected }).check(rule(isInside, expected)), {
    expected,
    json: rangeJson('integer', range),
  });
}

export function number(range: Range, expected: string): Schema<number> {
  const { min, max } = range;
  const isInside = (value: number) => value >= (min ?? value) && value <= (max ?? value);
  return noted(z.number({ error: expected }).check(rule(isInside, expected)), {
    expected,
    json: rangeJson('number', range),
  });
}

function rangeJson(type: string, { min, max }: Range): JsonSchema {
  return {
    type,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

export function truth(expected = 'true or false'): Schema<boolean> {
  return noted(z.boolean({ error: expected }), { expected });
}

export function choice<const Choice extends string>(
  choices: readonly Choice[],
  expected = `one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`,
): Schema<Choice> {
  return noted(z.enum(choices as readonly [Choice, ...Choice[]], { error: expected }), { expected });
}

/** An object with fields of the author's choosing. */
export function freeObject(): Schema<JsonObject> {
  return checked({ type: 'object' }, 'an object', isJsonObject);
}

/** A check that zod has no word for. */
export function checked<Value>(
  json: JsonSchema,
  expected: string,
  accepts: (value: unknown) => boolean,
): Schema<Value> {
  return noted(z.custom<Value>(accepts, { error: expected }), { expected, json });
}

export function list<Item>(
  item: Schema<Item>,
  expected?: string,
  max = Number.MAX_SAFE_INTEGER,
): Schema<readonly Item[]> {
  const error = expected ?? 'a list';
  const array = z.array(zodOf(item), { error });
  const schema = max === Number.MAX_SAFE_INTEGER ? array : array.check(z.maxLength(max, { error }));
  return noted(schema, { expected: expected ?? `a list, each ${expectedOf(item)}` });
}

export function nullable<Value>(
  inner: Schema<Value>,
  expected = `${expectedOf(inner)} or null`,
): Schema<Value | null> {
  return noted(z.union([zodOf(inner), z.null()], { error: expected }), { expected });
}

/** Values by name. zod's own record would leave out a name such as `__proto__` without a word. */
export function mapOf<Value>(
  item: Schema<Value>,
  json: JsonSchema,
  expected: string,
): Schema<Readonly<Record<string, Value>>> {
  const isMap = (value: unknown) =>
    isJsonObject(value) && Object.values(value).every((one) => isAllowed(item, one));
  return checked({ type: 'object', additionalProperties: json }, expected, isMap);
}

/** The field may be left out. */
export function optional<Value>(inner: Schema<Value>, make: () => NoInfer<Value>): Schema<Value> {
  return absent(inner, make, false);
}

/** The field may be left out, and then there is none: the code that uses the value decides. */
export function maybe<Value>(inner: Schema<Value>): Schema<Value | undefined> {
  return noted(z.optional(zodOf(inner)), {
    ...noteOf(inner),
    whenAbsent: { make: () => undefined, asked: false },
  });
}

/** The model is told to give the field; an answer without it still counts. */
export function asked<Value>(inner: Schema<Value>, make: () => NoInfer<Value>): Schema<Value> {
  return absent(inner, make, true);
}

function absent<Value>(inner: Schema<Value>, make: () => Value, isAsked: boolean): Schema<Value> {
  // zod wants a default from before the check; ours are values from after it.
  const schema = z._default(zodOf(inner), make as () => never) as unknown as z.ZodMiniType<Value>;
  const { expected, help } = noteOf(inner);
  return noted(schema, {
    expected,
    ...(help === undefined ? {} : { help }),
    whenAbsent: { make, asked: isAsked },
  });
}

/** The same check with a given JSON Schema in place of zod's own. */
export function withJson<Value>(schema: Schema<Value>, json: JsonSchema): Schema<Value> {
  return renoted(schema, { json });
}

export function described<Value>(inner: Schema<Value>, help: string): Schema<Value> {
  return renoted(inner, { help });
}

/** One of several objects, told apart by a field that names its type. */
export function oneOfTypes<Member extends Schema<unknown>>(
  field: string,
  types: readonly string[],
  objects: readonly Member[],
): Schema<ValueOf<Member>> {
  const error = (issue: { readonly code?: string }) =>
    issue.code === 'invalid_union' ? `one of ${types.join(', ')}` : `an object with a ${field}`;
  const schema = z.discriminatedUnion(field, objects as unknown as [z.ZodMiniObject, ...z.ZodMiniObject[]], {
    error,
  });
  return noted(schema as unknown as z.ZodMiniType<ValueOf<Member>>, {
    expected: `an object with a ${field} (${types.join(', ')})`,
  });
}

/** A schema that names itself, such as a node with children. */
export function recursive<Value>(expected: string, schema: () => Schema<Value>): Schema<Value> {
  return noted(
    z.lazy(() => zodOf(schema())),
    { expected },
  );
}

/** Changes a value before it is checked. The change must return values that it does not understand as they are. */
export function prepared<Value>(schema: Schema<Value>, change: (value: unknown) => unknown): Schema<Value> {
  return noted(z.pipe(z.transform(change), zodOf(schema)) as unknown as z.ZodMiniType<Value>, noteOf(schema));
}
