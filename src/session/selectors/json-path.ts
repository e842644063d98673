import { type PathSelector, type PathTest, parseJsonPath } from './parse-json-path.ts';

/** Values that a path may lead to: `$[*,*]` and `$..*` of a large document take each value many times. */
export const MOST_VALUES = 300_000;
/** Values looked at on the way. */
const MOST_STEPS = 5_000_000;

export interface PathResult {
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
      if (++steps > MOST_STEPS || next.length >= MOST_VALUES) {
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

function isOrdered(left: unknown, operator: PathTest['operator'], right: PathTest['value']): boolean {
  const areComparable =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!areComparable) return operator !== '<' && operator !== '>' && left === right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

const isContainer = (node: unknown): node is object => typeof node === 'object' && node !== null;
const isObject = (node: unknown): node is Record<string, unknown> =>
  isContainer(node) && !Array.isArray(node);

function childrenOf(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node;
  return isContainer(node) ? Object.values(node) : [];
}
