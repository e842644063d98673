import { fenced } from '../../../redact/index.ts';

// The filters of templates. The engine's own text filters would accept an undefined value as an empty text; these fail
// instead, and they keep to the limits of a rendering.

/** The inputs of a filter besides its value. */
interface FilterUse {
  /** Arguments in the order of `parameters`. A template may give them by position or by name. */
  readonly given: readonly unknown[];
  /** A filter calls it before it makes a long text. Fails above the limit. */
  readonly reserve: (characters: number) => void;
  /** Ends the filter with a message such as `takes a text, not a list`. */
  readonly fail: (what: string) => never;
}

/** The declaration of one filter. */
interface TemplateFilter {
  /** Names of the arguments. */
  readonly parameters: readonly string[];
  /** How many of them must be given. */
  readonly required: number;
  readonly apply: (value: unknown, use: FilterUse) => unknown;
}

/** A filter as the engine calls it. It never throws, because an exception would break the engine. */
export type EngineFilter = (value: unknown, ...given: unknown[]) => unknown;

/** Tells the engine that a filter failed: it accepts any value but a symbol, and its error then has the line. */
const FAILED = Symbol('failed');

class FilterFailure extends Error {}

const MAX_INDENTATION = 64;

/**
 * Two filters for prompts, and the filters of Jinja that would accept an undefined value. All others come with the
 * engine.
 */
const FILTERS: Readonly<Record<string, TemplateFilter>> = {
  truncate_lines: {
    parameters: ['lines'],
    required: 1,
    apply: (value, use) => truncateLines(asText(value, use), asCount(use, 0, null), use),
  },
  format_diff: textFilter((text) => fenced(text, 'diff')),
  trim: textFilter((text) => text.trim()),
  upper: textFilter((text) => text.toUpperCase()),
  lower: textFilter((text) => text.toLowerCase()),
  capitalize: textFilter((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  title: textFilter((text) =>
    text.toLowerCase().replace(/(?<![\p{L}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase()),
  ),
  replace: { parameters: ['old', 'new'], required: 2, apply: replace },
  join: { parameters: ['d'], required: 0, apply: join },
  indent: { parameters: ['width', 'first'], required: 0, apply: indent },
  tojson: { parameters: ['indent'], required: 0, apply: toJson },
};

/** The filters to register. Each one passes its failure to `report` before it tells the engine. */
export function engineFilters(
  maxCharacters: number,
  report: (message: string) => void,
): readonly (readonly [string, EngineFilter])[] {
  const reserve = (characters: number) => {
    if (characters > maxCharacters) throw new FilterFailure(`makes more than ${maxCharacters} characters`);
  };
  const fail = (what: string): never => {
    throw new FilterFailure(what);
  };
  return Object.entries(FILTERS).map(([name, filter]) => {
    const call: EngineFilter = (value, ...positional) => {
      try {
        return filter.apply(value, { given: argumentsOf(filter, positional, fail), reserve, fail });
      } catch (error) {
        report(`the filter ${name} ${error instanceof FilterFailure ? error.message : 'failed'}`);
        return FAILED;
      }
    };
    return [name, call] as const;
  });
}

/** Puts arguments into the order of the parameters. The engine passes named ones as a map after the others. */
function argumentsOf(
  { parameters, required }: TemplateFilter,
  positional: readonly unknown[],
  fail: FilterUse['fail'],
): readonly unknown[] {
  const last = positional.at(-1);
  const given: unknown[] = last instanceof Map ? positional.slice(0, -1) : [...positional];
  const count = given.length + (last instanceof Map ? last.size : 0);
  if (count < required || count > parameters.length) {
    const taken = required === parameters.length ? required : `${required} to ${parameters.length}`;
    fail(`takes ${taken} arguments, not ${count}`);
  }
  for (const [name, value] of last instanceof Map ? last : []) {
    const index = parameters.indexOf(String(name));
    if (index === -1) fail(`has no argument "${String(name)}"; its arguments are ${parameters.join(', ')}`);
    given[index] = value;
  }
  return given;
}

function textFilter(change: (text: string) => string): TemplateFilter {
  return { parameters: [], required: 0, apply: (value, use) => change(asText(value, use)) };
}

/** Keeps the first lines and says how many are cut. */
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

function replace(value: unknown, use: FilterUse): string {
  const [text, old, by] = [value, ...use.given].map((one) => asText(one, use)) as [string, string, string];
  const parts = text.split(old);
  use.reserve(text.length + parts.length * by.length);
  return parts.join(by);
}

function join(value: unknown, use: FilterUse): string {
  if (!Array.isArray(value)) return use.fail(`takes a list, not ${kindOf(value)}`);
  const separator = asText(use.given[0] ?? '', use);
  const texts = value.map((item: unknown) => (typeof item === 'number' ? String(item) : asText(item, use)));
  use.reserve(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

function indent(value: unknown, use: FilterUse): string {
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

/** Plain JSON. The engine's own filter writes for web pages and would escape `<`. */
function toJson(value: unknown, use: FilterUse): string {
  const width = Math.min(asCount(use, 0, 0), 8);
  if (value === undefined) use.fail(`takes a value, not ${kindOf(value)}`);
  reserveAll(value, use);
  return JSON.stringify(
    value,
    (_, item: unknown) => {
      if (item instanceof Map) return Object.fromEntries(item);
      return typeof item === 'bigint' ? Number(item) : (item ?? null);
    },
    width,
  );
}

/** Reserves room for a whole value first: a list in a template may hold one long text many times. */
function reserveAll(value: unknown, use: FilterUse): number {
  let characters = typeof value === 'string' ? value.length : 8;
  if (Array.isArray(value)) for (const item of value) characters += reserveAll(item, use);
  else if (value instanceof Map) {
    for (const [key, item] of value) characters += String(key).length + reserveAll(item, use);
  }
  use.reserve(characters);
  return characters;
}

function asText(value: unknown, use: FilterUse): string {
  return typeof value === 'string' ? value : use.fail(`takes a text, not ${kindOf(value)}`);
}

function asCount(use: FilterUse, index: number, fallback: number | null): number {
  const value = use.given[index] ?? fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return use.fail('takes a whole number from 0 up');
}

function kindOf(value: unknown): string {
  // The engine passes both none and undefined as undefined.
  if (value === undefined || value === null) return 'a value that is none or undefined';
  if (Array.isArray(value)) return 'a list';
  return value instanceof Map ? 'an object' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
