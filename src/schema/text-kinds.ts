import type { ValueKind } from './value-kind.ts';

const TRUE_WORDS = ['true', '1', 'yes', 'on'];
const FALSE_WORDS = ['false', '0', 'no', 'off'];

export const booleanKind: ValueKind<boolean> = {
  name: 'boolean',
  placeholder: '',
  allowed: 'true or false (also 1, 0, yes, no, on, off)',
  repeatable: false,
  fromText: (text) => {
    const word = text.trim().toLowerCase();
    if (TRUE_WORDS.includes(word)) return true;
    return FALSE_WORDS.includes(word) ? false : undefined;
  },
  fromFile: (value) => (typeof value === 'boolean' ? value : undefined),
  show: String,
  schema: { type: 'boolean' },
};

export const stringKind: ValueKind<string> = {
  name: 'string',
  placeholder: 'TEXT',
  allowed: 'text that is not empty or blank',
  repeatable: false,
  fromText: (text) => (text.trim() === '' ? undefined : text),
  fromFile: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
  show: (value) => value,
  schema: { type: 'string', pattern: '\\S' },
};

const ABSOLUTE_PATH = /^(\/|[A-Za-z]:[\\/]|\\\\)[^\0]*$/;

/** Absolute, because a relative one would mean another folder for each place a command is started from. */
export const directoryKind: ValueKind<string> = {
  name: 'directory',
  placeholder: 'DIR',
  allowed: 'an absolute path',
  repeatable: false,
  fromText: (text) => (ABSOLUTE_PATH.test(text) ? text : undefined),
  fromFile: (value) => (typeof value === 'string' && ABSOLUTE_PATH.test(value) ? value : undefined),
  show: (value) => value,
  schema: { type: 'string', pattern: '^(/|[A-Za-z]:[\\\\/]|\\\\\\\\)' },
};

export function choiceKind<const Value extends string>(values: readonly Value[]): ValueKind<Value> {
  const known = (text: string) => values.find((value) => value === text);
  return {
    name: 'choice',
    placeholder: values.join('|'),
    allowed: values.map((value) => `"${value}"`).join(' or '),
    repeatable: false,
    fromText: (text) => known(text.trim()),
    fromFile: (value) => (typeof value === 'string' ? known(value) : undefined),
    show: (value) => value,
    schema: { enum: values },
  };
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

export function listKind(placeholder: string): ValueKind<readonly string[]> {
  return {
    name: 'list',
    placeholder,
    allowed: 'a list of texts (in a variable: separated by commas)',
    repeatable: true,
    fromText: splitList,
    fromFile: (value) => {
      const items: unknown = typeof value === 'string' ? [value] : value;
      if (!Array.isArray(items)) return undefined;
      return items.every((item): item is string => typeof item === 'string' && item !== '')
        ? items
        : undefined;
    },
    show: (value) => value.join(','),
    schema: { type: 'array', items: { type: 'string', minLength: 1 } },
  };
}

export type TextMap = Readonly<Record<string, string>>;

/** Path prefix or other key to a name; `key=name,key=name` in a variable. */
export const mapKind: ValueKind<TextMap> = {
  name: 'map',
  placeholder: 'KEY=NAME',
  allowed: 'names by key, all of them texts (in a variable: key=name,key=name)',
  repeatable: true,
  fromText: (text) => readPairs(splitList(text)),
  fromFile: (value) => {
    if (Array.isArray(value)) return readPairs(value);
    if (typeof value !== 'object' || value === null) return undefined;
    const entries = Object.entries(value);
    return entries.every(([key, name]) => key !== '' && typeof name === 'string' && name !== '')
      ? Object.fromEntries(entries)
      : undefined;
  },
  show: (value) =>
    Object.entries(value)
      .map(([key, name]) => `${key}=${name}`)
      .join(','),
  schema: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
};

function readPairs(pairs: readonly unknown[]): TextMap | undefined {
  const entries = pairs.map((pair) => (typeof pair === 'string' ? /^([^=]+)=(.+)$/.exec(pair) : null));
  if (entries.some((entry) => entry === null)) return undefined;
  return Object.fromEntries(entries.map((entry) => [entry![1]!.trim(), entry![2]!.trim()]));
}
