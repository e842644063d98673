// JSONPath over untrusted values: a parser for a part of RFC 9535, and an evaluator with limits on values and
// steps. It runs no code, and filters are single comparisons.

import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull, readJson } from '../../model/read-json.ts';

/** Values that a path may lead to: `$[*,*]` and `$..*` of a large document take each value many times. */
const MAX_VALUES = 300_000;
/** Values looked at on the way. */
const MAX_STEPS = 5_000_000;

/** The values that a path leads to. */
interface PathResult {
  readonly values: readonly unknown[];
  /** There may be more values than these. */
  readonly isPartial: boolean;
}

/** The values at a JSONPath, in the order of the document. Runs no code and touches nothing but own properties. */
export function queryJson(value: unknown, path: string): PathResult {
  let steps = 0;
  let isPartial = false;
  let values: unknown[] = [value];
  for (const { isDescendant, selectors } of parseJsonPath(path)) {
    const next: unknown[] = [];
    for (const found of selected(values, isDescendant, selectors)) {
      if (++steps > MAX_STEPS || next.length >= MAX_VALUES) {
        isPartial = true;
        break;
      }
      if (found !== NOTHING) next.push(found);
    }
    values = next;
  }
  return { values, isPartial };
}

/** A value that was looked at and is not wanted. */
const NOTHING = Symbol('nothing');

/** The values that one segment selects. Yields `NOTHING` for each value that was looked at, so that the caller can count steps. */
function* selected(
  values: readonly unknown[],
  isDescendant: boolean,
  selectors: readonly PathSelector[],
): Generator<unknown> {
  for (const value of values)
    for (const node of isDescendant ? withDescendants(value) : [value]) {
      yield NOTHING;
      for (const selector of selectors) yield* selectOne(node, selector);
    }
}

/** A value and everything below it, in the order of the document. */
function* withDescendants(root: unknown): Generator<unknown> {
  // a list of its own, not calls: JSON can be nested deeper than the stack
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    yield node;
    const below = childrenOf(node);
    for (let at = below.length - 1; at >= 0; at--) if (isContainer(below[at])) open.push(below[at]);
  }
}

/** The values that one selector selects of one value. */
function* selectOne(node: unknown, selector: PathSelector): Generator<unknown> {
  switch (selector.kind) {
    case 'name':
      if (isObject(node) && Object.hasOwn(node, selector.name)) yield node[selector.name];
      break;
    case 'index': {
      if (!Array.isArray(node)) break;
      const at = selector.index < 0 ? node.length + selector.index : selector.index;
      if (at >= 0 && at < node.length) yield node[at];
      break;
    }
    case 'slice':
      if (Array.isArray(node)) yield* slice(node, selector);
      break;
    case 'all':
      yield* childrenOf(node);
      break;
    case 'filter':
      for (const child of childrenOf(node)) yield passes(child, selector.test) ? child : NOTHING;
  }
}

/** `[start:end:step]` as in Python. */
function* slice(
  list: readonly unknown[],
  range: Extract<PathSelector, { kind: 'slice' }>,
): Generator<unknown> {
  const { step } = range;
  if (step === 0) return;
  const clamp = (at: number, low: number, high: number) =>
    Math.min(Math.max(at < 0 ? at + list.length : at, low), high);
  if (step > 0) {
    const end = clamp(range.end ?? list.length, 0, list.length);
    for (let at = clamp(range.start ?? 0, 0, list.length); at < end; at += step) yield list[at];
  } else {
    const end = range.end === null ? -1 : clamp(range.end, -1, list.length - 1);
    for (let at = clamp(range.start ?? list.length - 1, -1, list.length - 1); at > end; at += step)
      yield list[at];
  }
}

/** Whether a value passes a filter. A path that leads nowhere passes only `!=`. */
function passes(node: unknown, { path, operator, value }: PathTest): boolean {
  let current = node;
  for (const step of path) {
    const list = typeof step === 'number' && Array.isArray(current) ? current : null;
    const own = typeof step === 'string' && isObject(current) && Object.hasOwn(current, step);
    if (list !== null) {
      const at = (step as number) < 0 ? list.length + (step as number) : (step as number);
      if (at < 0 || at >= list.length) return operator === '!=';
      current = list[at];
    } else if (own) current = (current as Record<string, unknown>)[step as string];
    else return operator === '!=';
  }
  if (operator === '') return true;
  if (operator === '==') return current === value;
  if (operator === '!=') return current !== value;
  return isOrdered(current, operator, value);
}

/** Numbers with numbers, texts with texts; everything else is in no order. */
function isOrdered(left: unknown, operator: PathTest['operator'], right: PathTest['value']): boolean {
  const areComparable =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!areComparable) return operator !== '<' && operator !== '>' && left === right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

/** An object or a list. */
const isContainer = (node: unknown): node is object => typeof node === 'object' && node !== null;
const isObject = (node: unknown): node is Record<string, unknown> =>
  isContainer(node) && !Array.isArray(node);

/** Items of a list, or values of an object. */
function childrenOf(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node;
  return isContainer(node) ? Object.values(node) : [];
}

/** A filter: a path after `@`, compared with a value, or its mere existence. */
type PathTest = {
  /** Names and numbers after `@`. */
  readonly path: readonly (string | number)[];
  readonly operator: '' | '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: string | number | boolean | null;
};

/** One entry of a pair of brackets, or the name after a dot. */
type PathSelector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice';
      readonly start: number | null;
      readonly end: number | null;
      readonly step: number;
    }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly test: PathTest };

/** One step of a path. */
interface PathSegment {
  /** `..`: everything below as well. */
  readonly isDescendant: boolean;
  readonly selectors: readonly PathSelector[];
}

/** Sticky patterns: each is tried at the place that was reached. */
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const INTEGER = /-?(?:0|[1-9]\d{0,14})/y;
const SLICE = /\s*(-?\d{1,15})?\s*:\s*(-?\d{1,15})?\s*(?::\s*(-?\d{1,15})?)?/y;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const OPERATOR = /==|!=|<=|>=|<|>/y;
const WORD = /true|false|null/y;
const SPACE = /\s*/y;
/** In characters, of a path. */
const MAX_LENGTH = 1_000;

/** Reads a JSONPath: RFC 9535 with names, indexes, slices, wildcards, descendants, and filters of one comparison. */
function parseJsonPath(path: string): PathSegment[] {
  let at = 0;
  // Every error names the path and lists the known syntax.
  const fail = (what: string): never => {
    throw new LoadoutError(
      'bad-json-path',
      `the path ${JSON.stringify(path.slice(0, 200))} is not allowed: ${what}`,
      {
        subject: 'json_path',
        hint: "known are $ .name ['name'] [0] [-1] [1:3] [*] ..name and [?@.name == 'value']",
      },
    );
  };
  // The match at the present place, which moves past it; null leaves it there.
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(path);
    if (found !== null) at += found[0].length;
    return found;
  };
  const name = (): string => take(NAME)?.[0] ?? fail(`a name should be at character ${at + 1}`);
  // A name or a text in quotes; null when no quote is here.
  const quoted = (): string | null => {
    const found = take(QUOTED);
    return found === null ? null : readEscapes(found[1] ?? found[2] ?? '');
  };
  // Single quotes have the escapes of JSON, and their own.
  const readEscapes = (text: string): string => {
    const read = readJson(`"${text.replaceAll("\\'", "'").replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"')}"`);
    return read.kind === 'json' ? (read.value as string) : fail(`${text} has an escape that is not known`);
  };
  const number = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

  // `?@.path operator value`, or `?@.path`.
  const test = (): PathTest => {
    take(SPACE);
    if (path[at] !== '@') fail(`@ should be at character ${at + 1}`);
    at += 1;
    const steps: (string | number)[] = [];
    while (path[at] === '.' || path[at] === '[') {
      const mark = path[at++];
      if (mark === '.') {
        steps.push(name());
        continue;
      }
      steps.push(
        quoted() ?? number(take(INTEGER)?.[0]) ?? fail('a name or a number should be in the brackets'),
      );
      if (path[at++] !== ']') fail('] is missing');
    }
    take(SPACE);
    const operator = (take(OPERATOR)?.[0] ?? '') as PathTest['operator'];
    if (operator === '') return { path: steps, operator, value: null };
    take(SPACE);
    const text = quoted();
    if (text !== null) return { path: steps, operator, value: text };
    const plain = take(NUMBER)?.[0] ?? take(WORD)?.[0] ?? fail('a value should follow the comparison');
    return { path: steps, operator, value: jsonOrNull(plain) as PathTest['value'] };
  };
  // One selector inside brackets.
  const bracketed = (): PathSelector => {
    take(SPACE);
    const text = quoted();
    if (text !== null) return { kind: 'name', name: text };
    if (path[at] === '*') {
      at += 1;
      return { kind: 'all' };
    }
    if (path[at] === '?') {
      at += 1;
      return { kind: 'filter', test: test() };
    }
    const slice = take(SLICE);
    if (slice !== null) {
      return { kind: 'slice', start: number(slice[1]), end: number(slice[2]), step: number(slice[3]) ?? 1 };
    }
    const index = take(INTEGER) ?? fail(`a name, a number or * should be at character ${at + 1}`);
    return { kind: 'index', index: Number(index[0]) };
  };
  // All selectors of a pair of brackets; the opening one was read.
  const brackets = (): PathSelector[] => {
    const selectors = [bracketed()];
    for (take(SPACE); path[at] === ','; take(SPACE)) {
      at += 1;
      selectors.push(bracketed());
    }
    if (path[at++] !== ']') fail('] is missing');
    return selectors;
  };

  if (path.length > MAX_LENGTH) fail(`it is longer than ${MAX_LENGTH} characters`);
  if (path[0] !== '$') fail('it must begin with $');
  at = 1;
  const segments: PathSegment[] = [];
  while (at < path.length) {
    const isDescendant = path.startsWith('..', at);
    if (isDescendant) at += 2;
    else if (path[at] === '.') at += 1;
    else if (path[at] !== '[') fail(`. or [ should be at character ${at + 1}`);
    if (path[at] === '[' && (isDescendant || path[at - 1] !== '.')) {
      at += 1;
      segments.push({ isDescendant, selectors: brackets() });
    } else if (path[at] === '*') {
      at += 1;
      segments.push({ isDescendant, selectors: [{ kind: 'all' }] });
    } else segments.push({ isDescendant, selectors: [{ kind: 'name', name: name() }] });
  }
  return segments;
}
