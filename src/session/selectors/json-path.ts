import { type PathSegment, type PathSelector, type PathTest, parseJsonPath } from './parse-json-path.ts';

/** Values looked at before a path gives up: `$..*` of a large document takes each value many times. */
const MOST_VALUES = 300_000;

export interface PathResult {
  readonly values: readonly unknown[];
  /** There may be more values than these. */
  readonly isPartial: boolean;
}

/** The values at a JSONPath, in the order of the document. Runs no code and touches nothing but own properties. */
export function queryJson(value: unknown, path: string): PathResult {
  let left = MOST_VALUES;
  let values: unknown[] = [value];
  for (const segment of parseJsonPath(path)) {
    const next: unknown[] = [];
    for (const node of values) {
      for (const source of segment.isDescendant ? withDescendants(node, left) : [node]) {
        left -= 1;
        select(source, segment, next);
      }
      if (left <= 0 || next.length > MOST_VALUES) break;
    }
    values = next;
  }
  return { values, isPartial: left <= 0 || values.length > MOST_VALUES };
}

function* withDescendants(root: unknown, most: number): Generator<unknown> {
  // a list of its own, not calls: JSON can be nested deeper than the stack
  const open: unknown[] = [root];
  for (let seen = 0; open.length > 0 && seen < most; seen++) {
    const node = open.pop();
    yield node;
    const below = childrenOf(node);
    for (let at = below.length - 1; at >= 0; at--) if (isContainer(below[at])) open.push(below[at]);
  }
}

function select(node: unknown, { selectors }: PathSegment, into: unknown[]): void {
  for (const selector of selectors) selectOne(node, selector, into);
}

function selectOne(node: unknown, selector: PathSelector, into: unknown[]): void {
  switch (selector.kind) {
    case 'name':
      if (isObject(node) && Object.hasOwn(node, selector.name)) into.push(node[selector.name]);
      break;
    case 'index': {
      if (!Array.isArray(node)) break;
      const at = selector.index < 0 ? node.length + selector.index : selector.index;
      if (at >= 0 && at < node.length) into.push(node[at]);
      break;
    }
    case 'slice':
      if (Array.isArray(node)) slice(node, selector, into);
      break;
    case 'all':
      for (const child of childrenOf(node)) into.push(child);
      break;
    case 'filter':
      for (const child of childrenOf(node)) if (passes(child, selector.test)) into.push(child);
  }
}

function slice(
  list: readonly unknown[],
  range: Extract<PathSelector, { kind: 'slice' }>,
  into: unknown[],
): void {
  const { step } = range;
  if (step === 0) return;
  const clamp = (at: number, low: number, high: number) =>
    Math.min(Math.max(at < 0 ? at + list.length : at, low), high);
  if (step > 0) {
    const end = clamp(range.end ?? list.length, 0, list.length);
    for (let at = clamp(range.start ?? 0, 0, list.length); at < end; at += step) into.push(list[at]);
  } else {
    const end = range.end === null ? -1 : clamp(range.end, -1, list.length - 1);
    for (let at = clamp(range.start ?? list.length - 1, -1, list.length - 1); at > end; at += step)
      into.push(list[at]);
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
