import { LoadoutError } from '../../model/loadout-error.ts';

export type PathTest = {
  /** Names and numbers behind `@`. */
  readonly path: readonly (string | number)[];
  readonly operator: '' | '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: string | number | boolean | null;
};

export type PathSelector =
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

export interface PathSegment {
  /** `..`: everything below as well. */
  readonly isDescendant: boolean;
  readonly selectors: readonly PathSelector[];
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const INTEGER = /-?(?:0|[1-9]\d{0,14})/y;
const SLICE = /\s*(-?\d{1,15})?\s*:\s*(-?\d{1,15})?\s*(?::\s*(-?\d{1,15})?)?/y;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const OPERATOR = /==|!=|<=|>=|<|>/y;
const WORD = /true|false|null/y;
const SPACE = /\s*/y;
const LONGEST = 1_000;

/** Reads a JSONPath: RFC 9535 with names, indexes, slices, wildcards, descendants, and filters of one comparison. */
export function parseJsonPath(path: string): PathSegment[] {
  let at = 0;
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
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(path);
    if (found !== null) at += found[0].length;
    return found;
  };
  const name = (): string => take(NAME)?.[0] ?? fail(`a name should be at character ${at + 1}`);
  const quoted = (): string | null => {
    const found = take(QUOTED);
    return found === null ? null : readEscapes(found[1] ?? found[2] ?? '');
  };
  const readEscapes = (text: string): string => {
    try {
      return JSON.parse(`"${text.replaceAll("\\'", "'").replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"')}"`);
    } catch {
      return fail(`${text} has an escape that is not known`);
    }
  };
  const number = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

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
    const plain = take(NUMBER)?.[0] ?? take(WORD)?.[0] ?? fail('a value should stand behind the comparison');
    return { path: steps, operator, value: JSON.parse(plain) };
  };
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
  const brackets = (): PathSelector[] => {
    const selectors = [bracketed()];
    for (take(SPACE); path[at] === ','; take(SPACE)) {
      at += 1;
      selectors.push(bracketed());
    }
    if (path[at++] !== ']') fail('] is missing');
    return selectors;
  };

  if (path.length > LONGEST) fail(`it is longer than ${LONGEST} characters`);
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
