// Kinds of settings: how a text, a value of a file and a value of a program become one checked value.

import { jsonSchemaOf } from '../schema/object-schema.ts';
import {
  checked,
  choice,
  integer,
  isJsonObject,
  type JsonSchema,
  list,
  mapOf,
  matching,
  number,
  prepared,
  type Range,
  type Schema,
  truth,
} from '../schema/schema.ts';
import {
  BYTE_UNITS,
  DURATION_UNITS,
  quantityPattern,
  readQuantity,
  showQuantity,
  TOKEN_UNITS,
  type Units,
} from '../schema/text-values.ts';
import { valueOrUndefined } from '../schema/value-issues.ts';

/**
 * One sort of setting: how it is read from a flag, a variable, a file or a program, and how it is shown. The check is one
 * schema for all of them; what differs is how a text becomes a value.
 */
export interface ValueKind<Value> {
  readonly name: string;
  /** The placeholder of the value in help: `--budget TOKENS`; empty when the flag takes no value. */
  readonly placeholder: string;
  /** Completes the sentence "allowed is ...". */
  readonly allowed: string;
  /** The flag may be given several times, and every value counts. */
  readonly repeatable: boolean;
  /** From a flag or a variable; undefined means that this text is not allowed. */
  readonly fromText: (text: string) => Value | undefined;
  /** From a parsed config file; undefined means that this value is not allowed. */
  readonly fromFile: (value: unknown) => Value | undefined;
  /** From a program, where a time is in milliseconds. */
  readonly fromValue: (value: unknown) => Value | undefined;
  /** A text as a config file would have it: `true`, `30k`, `["a", "b"]`. Not checked; `fromFile` does that. */
  readonly toFile: (text: string) => unknown;
  /** The JSON Schema of its values in a config file. */
  readonly fileJson: () => JsonSchema;
  /** As the user would write it in a flag or a variable. */
  readonly show: (value: Value) => string;
}

interface KindDeclaration<Value> extends Pick<ValueKind<Value>, 'name' | 'placeholder' | 'allowed' | 'show'> {
  readonly repeatable?: boolean;
  /** `allowed` is its message. */
  readonly schema: (allowed: string) => Schema<Value>;
  /** Turns a text into a value, which the schema checks. */
  readonly textToValue: (text: string) => unknown;
  readonly fileToValue?: (value: unknown) => unknown;
  readonly programToValue?: (value: unknown) => unknown;
  /** The value of a text in a file, where that is not what the text means. */
  readonly textToFile?: (text: string) => unknown;
  /** The JSON Schema of its values in a file, where `schema` does not say it all. */
  readonly fileJson?: (ofSchema: JsonSchema) => JsonSchema;
}

export function valueKind<Value>(declared: KindDeclaration<Value>): ValueKind<Value> {
  const { name, placeholder, allowed, show, repeatable = false, textToValue } = declared;
  const { fileToValue = asIs, programToValue = fileToValue } = declared;
  // Made when a value comes in: nearly all settings of a command keep their defaults.
  let schema: Schema<Value> | undefined;
  const check = (value: unknown): Value | undefined => {
    schema ??= declared.schema(allowed);
    return value === undefined ? undefined : valueOrUndefined(schema, value);
  };
  return {
    name,
    placeholder,
    allowed,
    show,
    repeatable,
    fromText: (text) => check(textToValue(text)),
    fromFile: (value) => check(fileToValue(value)),
    fromValue: (value) => check(programToValue(value)),
    toFile: declared.textToFile ?? textToValue,
    fileJson: () => {
      const ofSchema = jsonSchemaOf(declared.schema(allowed));
      return declared.fileJson?.(ofSchema) ?? ofSchema;
    },
  };
}

const asIs = (value: unknown): unknown => value;

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

export const booleanKind: ValueKind<boolean> = valueKind({
  name: 'boolean',
  placeholder: '',
  allowed: 'true or false (also 1, 0, yes, no, on, off)',
  schema: truth,
  textToValue: (text) => WORDS.get(text.trim().toLowerCase()),
  show: String,
});

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

export const stringKind: ValueKind<string> = valueKind({
  name: 'string',
  placeholder: 'TEXT',
  allowed: 'text that is not empty or blank',
  schema: (allowed) => checked<string>({ type: 'string', pattern: '\\S' }, allowed, isFilled),
  textToValue: asIs,
  show: asText,
});

function asText(text: string): string {
  return text;
}

const ABSOLUTE_PATH = /^(\/|[A-Za-z]:[\\/]|\\\\)[^\0]*$/;

/** Absolute, because a relative path would depend on the folder that a command is started in. */
export const directoryKind: ValueKind<string> = valueKind({
  name: 'directory',
  placeholder: 'DIR',
  allowed: 'an absolute path',
  schema: (allowed) => matching(ABSOLUTE_PATH, allowed),
  textToValue: asIs,
  show: asText,
});

export function choiceKind<const Value extends string>(values: readonly Value[]): ValueKind<Value> {
  return valueKind<Value>({
    name: 'choice',
    placeholder: values.join('|'),
    allowed: values.map((value) => `"${value}"`).join(' or '),
    schema: (allowed) => choice(values, allowed),
    textToValue: (text) => text.trim(),
    show: asText,
  });
}

/** Splits at commas, but not at those inside `{a,b}`. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const character = text[index];
    if (character === '{') depth += 1;
    else if (character === '}') depth = Math.max(0, depth - 1);
    else if (character === undefined || (character === ',' && depth === 0)) {
      const part = text.slice(start, index).trim();
      if (part) parts.push(part);
      start = index + 1;
    }
  }
  return parts;
}

const ITEM = { type: 'string', minLength: 1 };
const item = (allowed: string): Schema<string> =>
  checked(ITEM, allowed, (value) => typeof value === 'string' && value !== '');

export function listKind(placeholder: string): ValueKind<readonly string[]> {
  return valueKind({
    name: 'list',
    placeholder,
    allowed: 'a list of texts (in a variable: separated by commas)',
    repeatable: true,
    schema: (allowed) => list(item(allowed), allowed),
    textToValue: splitList,
    fileToValue: (value) => (typeof value === 'string' ? [value] : value),
    fileJson: (items) => ({ anyOf: [items, ITEM] }),
    show: (value) => value.join(','),
  });
}

export type TextMap = Readonly<Record<string, string>>;

/** Path prefix or other key to a name; `key=name,key=name` in a variable. */
export const mapKind: ValueKind<TextMap> = valueKind({
  name: 'map',
  placeholder: 'KEY=NAME',
  allowed: 'names by key, all of them texts (in a variable: key=name,key=name)',
  repeatable: true,
  schema: (allowed) =>
    prepared(mapOf(item(allowed), ITEM, allowed), (value) => (hasEmptyKey(value) ? null : value)),
  textToValue: (text) => readPairs(splitList(text)),
  fileToValue: (value) => (Array.isArray(value) ? readPairs(value) : value),
  fileJson: (table) => ({
    anyOf: [
      { ...table, propertyNames: { minLength: 1 } },
      { type: 'array', items: { type: 'string', pattern: '^[^=]+=.+$' } },
    ],
  }),
  show: (value) =>
    Object.entries(value)
      .map(([key, name]) => `${key}=${name}`)
      .join(','),
});

const hasEmptyKey = (value: unknown): boolean => isJsonObject(value) && Object.hasOwn(value, '');

function readPairs(pairs: readonly unknown[]): TextMap | undefined {
  const entries = pairs.map((pair) => (typeof pair === 'string' ? /^([^=]+)=(.+)$/.exec(pair) : null));
  if (entries.some((entry) => entry === null)) return undefined;
  return Object.fromEntries(entries.map((entry) => [entry![1]!.trim(), entry![2]!.trim()]));
}

function describeRange({ min = 0, max }: Range, show: (value: number) => string): string {
  return max === undefined ? `${show(min)} or more` : `${show(min)} to ${show(max)}`;
}

function plainNumber(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

export function integerKind(range: Range): ValueKind<number> {
  return valueKind({
    name: 'integer',
    placeholder: 'N',
    allowed: `a whole number, ${describeRange(range, String)}`,
    schema: (allowed) => integer({ min: 0, ...range }, allowed),
    textToValue: plainNumber,
    show: String,
  });
}

export function numberKind(range: Range, name = 'number'): ValueKind<number> {
  return valueKind({
    name,
    placeholder: 'N',
    allowed: `a number, ${describeRange(range, String)}`,
    schema: (allowed) => number({ min: 0, max: Number.MAX_SAFE_INTEGER, ...range }, allowed),
    textToValue: plainNumber,
    show: String,
  });
}

export const ratioKind: ValueKind<number> = numberKind({ min: 0, max: 1 }, 'ratio');

/** The differences between sizes, tokens and times. */
interface QuantityStyle {
  readonly name: string;
  readonly placeholder: string;
  readonly noun: string;
  readonly examples: string;
  readonly units: Units;
  readonly shownUnits: readonly string[];
}

function quantityKind(style: QuantityStyle, range: Range): ValueKind<number> {
  const { name, placeholder, noun, examples, units, shownUnits } = style;
  const show = (value: number) => showQuantity(value, units, shownUnits);
  const amount = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? readQuantity(String(value), units) : undefined;
  return valueKind({
    name,
    placeholder,
    allowed: `${noun} such as ${examples}, ${describeRange(range, show)}`,
    schema: (allowed) => integer({ min: 0, ...range }, allowed),
    textToValue: amount,
    // A file keeps the unit that its author has chosen.
    fileJson: () => ({
      // A number counts in the unit of a bare number, so the range of the value does not apply to it.
      anyOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern: quantityPattern(units) },
      ],
    }),
    textToFile: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : text.trim()),
    // A bare number means the same in a file as in a variable; a program means the amount itself.
    fileToValue: amount,
    programToValue: (value) => (typeof value === 'string' ? amount(value) : value),
    show,
  });
}

const BYTES: QuantityStyle = {
  name: 'bytes',
  placeholder: 'SIZE',
  noun: 'a size',
  examples: '500000, 2MB or 512KiB',
  units: BYTE_UNITS,
  shownUnits: ['', 'KB', 'MB', 'GB'],
};
const TOKENS: QuantityStyle = {
  name: 'tokens',
  placeholder: 'TOKENS',
  noun: 'a number of tokens',
  examples: '30000 or 30k',
  units: TOKEN_UNITS,
  shownUnits: [''],
};
const DURATION: QuantityStyle = {
  name: 'duration',
  placeholder: 'TIME',
  noun: 'a time',
  examples: '30 (seconds), 500ms, 2s, 5m or 1h',
  units: DURATION_UNITS,
  shownUnits: ['s', 'ms', 'm', 'h'],
};

export const bytesKind = (range: Range): ValueKind<number> => quantityKind(BYTES, range);
export const tokensKind = (range: Range): ValueKind<number> => quantityKind(TOKENS, range);
/** Milliseconds once read. */
export const durationKind = (range: Range): ValueKind<number> => quantityKind(DURATION, range);
