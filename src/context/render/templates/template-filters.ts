import { fenced } from '../../../redact/fence.ts';
import { isList, isObject, type TemplateValue } from './template-data.ts';

/** What a filter may use: its arguments, and a way to say how much text it will make before it makes it. */
interface FilterUse {
  readonly given: readonly TemplateValue[];
  readonly reserve: (characters: number) => void;
  readonly fail: (what: string) => never;
}

export interface TemplateFilter {
  /** How many arguments it takes at least and at most. */
  readonly takes: readonly [number, number];
  readonly apply: (value: TemplateValue, use: FilterUse) => TemplateValue;
}

const MAX_INDENTATION = 64;

/** `default` is not here: it alone may be given what is not defined. */
export const TEMPLATE_FILTERS: ReadonlyMap<string, TemplateFilter> = new Map<string, TemplateFilter>([
  [
    'truncate_lines',
    { takes: [1, 1], apply: (value, use) => truncateLines(asText(value, use), asCount(use, 0, null), use) },
  ],
  [
    'format_diff',
    {
      takes: [0, 0],
      apply: (value, use) => {
        const diff = asText(value, use);
        use.reserve(diff.length + 16);
        return fenced(diff, 'diff');
      },
    },
  ],
  ['trim', textFilter((text) => text.trim())],
  ['upper', textFilter((text) => text.toUpperCase())],
  ['lower', textFilter((text) => text.toLowerCase())],
  ['length', { takes: [0, 0], apply: lengthOf }],
  ['count', { takes: [0, 0], apply: lengthOf }],
  ['join', { takes: [0, 1], apply: join }],
  ['indent', { takes: [0, 2], apply: indent }],
  ['tojson', { takes: [0, 1], apply: toJson }],
]);

function textFilter(change: (text: string) => string): TemplateFilter {
  return {
    takes: [0, 0],
    apply: (value, use) => {
      const text = asText(value, use);
      use.reserve(text.length);
      return change(text);
    },
  };
}

function truncateLines(text: string, most: number, use: FilterUse): string {
  use.reserve(text.length + 40);
  let kept = 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (lines === most) kept = at;
    lines += 1;
  }
  return lines <= most ? text : `${text.slice(0, kept)}\n\n[Truncated ${lines - most} lines]`;
}

function lengthOf(value: TemplateValue, use: FilterUse): number {
  if (typeof value === 'string' || isList(value)) return value.length;
  if (!isObject(value)) return use.fail(`takes a text, a list or an object, not ${kindOf(value)}`);
  const { length } = Object.keys(value);
  use.reserve(length);
  return length;
}

function join(value: TemplateValue, use: FilterUse): string {
  if (!isList(value)) return use.fail(`takes a list, not ${kindOf(value)}`);
  const separator = asText(use.given[0] ?? '', use);
  const texts = value.map((item) => (typeof item === 'number' ? String(item) : asText(item, use)));
  use.reserve(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

function indent(value: TemplateValue, use: FilterUse): string {
  const text = asText(value, use);
  const width = asCount(use, 0, 4);
  if (width > MAX_INDENTATION) use.fail(`takes at most ${MAX_INDENTATION} columns, not ${width}`);
  const lines = text.split('\n');
  use.reserve(text.length + lines.length * width);
  const space = ' '.repeat(width);
  const first = use.given[1] === true;
  // Empty lines stay empty, as in Jinja.
  return lines
    .map((line, index) => (line === '' || (index === 0 && !first) ? line : space + line))
    .join('\n');
}

function toJson(value: TemplateValue, use: FilterUse): string {
  const width = Math.min(asCount(use, 0, 0), 8);
  reserveAll(value, use);
  return JSON.stringify(value, null, width);
}

/** A list written in a template may hold one long text many times. */
function reserveAll(value: TemplateValue, use: FilterUse): number {
  let characters = typeof value === 'string' ? value.length : 8;
  if (isList(value)) for (const item of value) characters += reserveAll(item, use);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) characters += key.length + reserveAll(item, use);
  }
  use.reserve(characters);
  return characters;
}

function asText(value: TemplateValue, use: FilterUse): string {
  return typeof value === 'string' ? value : use.fail(`takes a text, not ${kindOf(value)}`);
}

function asCount(use: FilterUse, index: number, fallback: number | null): number {
  const value = use.given[index] ?? fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return use.fail('takes a whole number from 0 up');
}

export function kindOf(value: TemplateValue): string {
  if (value === null) return 'none';
  if (isList(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
