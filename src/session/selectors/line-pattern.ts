// Regular expressions for `grep`, in time that is linear in the text. A pattern becomes an automaton without
// backtracking; its steps are made when they are needed and remembered.

import { LoadoutError } from '../../model/loadout-error.ts';

/** A state waits for one character, branches, asserts a place, or accepts. */
type State =
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean; next: number }
  | { readonly kind: 'branch'; next: number; other: number }
  | { readonly kind: 'start' | 'end'; next: number }
  | { readonly kind: 'accept' };

/** A set of states, and the next set for each character that was met so far. */
interface Step {
  /** States that wait for a character. */
  readonly states: readonly number[];
  readonly accepts: boolean;
  /** Accepts when the line ends here. */
  readonly acceptsAtEnd: boolean;
  readonly after: Map<number, Step>;
}

/** Of one pattern. */
const MAX_STATES = 1_000;
/** Steps that are remembered; beyond them they are made again, so that memory stays bounded. */
const MAX_STEPS = 4_000;
/** States looked at for steps that were not remembered: half a second or so. */
const MAX_WORK = 5_000_000;

/** A compiled pattern. */
interface LinePattern {
  /**
   * Whether the pattern occurs in a line: time is linear in the line, whatever the pattern. Throws a
   * `LoadoutError` when a large pattern and a long text come together and matching would still take too long.
   */
  test(line: string): boolean;
}

/**
 * Compiles a regular expression of the safe subset: literals, `.`, classes, `\d \w \s`, groups, `|`, `* + ?`,
 * `{m,n}`, `^` and `$`. There are no back references and no look-around, so nothing can backtrack.
 * Throws a `LoadoutError` for anything else.
 */
export function compileLinePattern(pattern: string, ignoreCase = false): LinePattern {
  const states: State[] = [];
  const add = (state: State): number => {
    if (states.length >= MAX_STATES) throw badPattern(pattern, 'it takes too many states');
    return states.push(state) - 1;
  };
  // built backwards: each node is given the state that follows it
  const build = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case 'character':
        return add({ kind: 'character', accepts: node.accepts, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => build(part, after), next);
      case 'choice': {
        const entries = node.parts.map((part) => build(part, next));
        return entries.reduceRight((other, entry) => add({ kind: 'branch', next: entry, other }));
      }
      case 'repeat': {
        let entry = next;
        if (node.most === null) {
          const loop = add({ kind: 'branch', next, other: next });
          (states[loop] as { next: number }).next = build(node.part, loop);
          entry = loop;
        } else {
          for (let count = node.least; count < node.most; count++)
            entry = add({ kind: 'branch', next: build(node.part, entry), other: next });
        }
        for (let count = 0; count < node.least; count++) entry = build(node.part, entry);
        return entry;
      }
      default:
        return add({ kind: node.kind, next });
    }
  };
  const first = build(parsePattern(pattern, ignoreCase), add({ kind: 'accept' }));
  return matcher(states, first, pattern);
}

/** Walks lines through the automaton. `work` is counted over the life of the pattern. */
function matcher(states: readonly State[], first: number, pattern: string): LinePattern {
  let work = 0;
  // All states that are reached without a character.
  const closure = (entries: Iterable<number>, atStart: boolean, atEnd: boolean): Set<number> => {
    const found = new Set<number>(entries);
    // a Set may grow while it is walked
    for (const at of found) {
      const state = states[at]!;
      if (state.kind === 'branch') found.add(state.next).add(state.other);
      else if ((state.kind === 'start' && atStart) || (state.kind === 'end' && atEnd)) found.add(state.next);
    }
    return found;
  };
  const isAccepting = (found: Set<number>) => [...found].some((at) => states[at]!.kind === 'accept');
  let steps = new Map<string, Step>();
  // The step for a set of states: one object for equal sets.
  const stepOf = (entries: Set<number>, atStart: boolean): Step => {
    const found = closure(entries, atStart, false);
    work += found.size;
    if (work > MAX_WORK) throw badPattern(pattern, 'it takes too long on this text');
    const waiting = [...found].filter((at) => states[at]!.kind === 'character').sort((a, b) => a - b);
    const accepts = isAccepting(found);
    const acceptsAtEnd = accepts || isAccepting(closure(entries, atStart, true));
    const key = `${waiting.join()} ${accepts} ${acceptsAtEnd}`;
    const known = steps.get(key);
    if (known !== undefined) return known;
    if (steps.size >= MAX_STEPS) steps = new Map();
    const step: Step = { states: waiting, accepts, acceptsAtEnd, after: new Map() };
    steps.set(key, step);
    return step;
  };
  const begin = stepOf(new Set([first]), true);
  // The step after a character.
  const advance = (step: Step, code: number): Step => {
    const known = step.after.get(code);
    if (known !== undefined) return known;
    // the pattern may also begin here: a search, not a match of the whole line
    const entries = new Set<number>([first]);
    for (const at of step.states) {
      const state = states[at]!;
      if (state.kind === 'character' && state.accepts(code)) entries.add(state.next);
    }
    const next = stepOf(entries, false);
    if (step.after.size < MAX_STEPS) step.after.set(code, next);
    return next;
  };
  return {
    test(line) {
      let step = begin;
      for (let at = 0; at < line.length && !step.accepts; ) {
        const code = line.codePointAt(at)!;
        step = advance(step, code);
        at += code > 0xffff ? 2 : 1;
      }
      return step.accepts || step.acceptsAtEnd;
    },
  };
}

/** The syntax tree of a pattern. */
type PatternNode =
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly least: number;
      readonly most: number | null;
    }
  | { readonly kind: 'start' | 'end' };

/** Whether a code point belongs to a class. */
type Accepts = (code: number) => boolean;

/** In characters, of a pattern. */
const MAX_LENGTH = 1_000;
/** Each repetition is a copy of the part, so that `{m,n}` is bounded. */
const MAX_REPEATS = 200;
const MAX_DEPTH = 50;
const inRange = (first: string, last: string): Accepts => {
  const [low, high] = [first.codePointAt(0)!, last.codePointAt(0)!];
  return (code) => code >= low && code <= high;
};
const anyOf =
  (...all: Accepts[]): Accepts =>
  (code) =>
    all.some((accepts) => accepts(code));
const digit = inRange('0', '9');
const word = anyOf(digit, inRange('a', 'z'), inRange('A', 'Z'), (code) => code === 95);
const space: Accepts = (code) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
const not =
  (accepts: Accepts): Accepts =>
  (code) =>
    !accepts(code);
/** Letters that stand for several characters after a backslash. */
const CLASSES: Readonly<Record<string, Accepts>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, r: 13, f: 12, v: 11 };

/** Reads a pattern of the safe subset. Anything else is an error that names the problem and its place. */
function parsePattern(pattern: string, ignoreCase: boolean): PatternNode {
  if (pattern.length > MAX_LENGTH) throw badPattern(pattern, `it is longer than ${MAX_LENGTH} characters`);
  const characters = [...pattern];
  let at = 0;
  let depth = 0;
  const fail = (what: string): never => {
    throw badPattern(pattern, `${what} at character ${at + 1}`);
  };
  const inAnyCase = (accepts: Accepts): Accepts =>
    ignoreCase ? (code) => accepts(code) || accepts(otherCase(code)) : accepts;
  const character = (accepts: Accepts): PatternNode => ({ kind: 'character', accepts });

  // Alternatives between bars.
  const choice = (): PatternNode => {
    if (++depth > MAX_DEPTH) fail(`more than ${MAX_DEPTH} groups inside each other`);
    const parts = [sequence()];
    while (characters[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    depth -= 1;
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  };
  // Parts one after the other, up to a bar or a closing parenthesis.
  const sequence = (): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < characters.length && characters[at] !== '|' && characters[at] !== ')') parts.push(repeated());
    return { kind: 'sequence', parts };
  };
  const repeated = (): PatternNode => {
    const part = atom();
    const range = repeatRange();
    if (range === null) return part;
    if (characters[at] === '?') at += 1; // whether it takes more or less does not change which lines match
    if (characters[at] === '+' || characters[at] === '*') fail('a second repetition');
    return { kind: 'repeat', part, ...range };
  };
  // `*`, `+`, `?` or `{m,n}`; null when the part is not repeated.
  const repeatRange = (): { least: number; most: number | null } | null => {
    const mark = characters[at];
    if (mark === '*' || mark === '+' || mark === '?') {
      at += 1;
      return { least: mark === '+' ? 1 : 0, most: mark === '?' ? 1 : null };
    }
    const counted =
      mark === '{' ? /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(characters.slice(at, at + 12).join('')) : null;
    if (counted === null) return null;
    const least = Number(counted[1]);
    const most = counted[2] === undefined ? least : counted[3] === '' ? null : Number(counted[3]);
    if (Math.max(least, most ?? 0) > MAX_REPEATS) fail(`more than ${MAX_REPEATS} repetitions`);
    if (most !== null && most < least) fail('a range of repetitions that goes backwards');
    at += counted[0].length;
    return { least, most };
  };
  // A character, a class, a group or an anchor.
  const atom = (): PatternNode => {
    const mark = characters[at]!;
    at += 1;
    if (mark === '.') return character(() => true);
    if (mark === '^') return { kind: 'start' };
    if (mark === '$') return { kind: 'end' };
    if (mark === '[') return character(bracket());
    if (mark === '\\') return character(escaped());
    if (mark === '*' || mark === '+' || mark === '?') return fail(`${mark} with nothing to repeat`);
    if (mark !== '(') return character(inAnyCase(one(mark.codePointAt(0)!)));
    if (characters[at] === '?') {
      if (characters[at + 1] !== ':') fail('look-around and named groups are not supported');
      at += 2;
    }
    const inside = choice();
    if (characters[at] !== ')') fail('a group that is not closed');
    at += 1;
    return inside;
  };
  const escaped = (): Accepts => {
    const mark = characters[at];
    at += 1;
    if (mark === undefined) return fail('nothing after the backslash');
    if (Object.hasOwn(CLASSES, mark)) return CLASSES[mark]!;
    if (Object.hasOwn(CONTROLS, mark)) return one(CONTROLS[mark]!);
    if (/[\p{L}\p{N}]/u.test(mark)) return fail(`\\${mark} is not supported`);
    return one(mark.codePointAt(0)!);
  };
  // A class in brackets; the opening one was read.
  const bracket = (): Accepts => {
    const isNegated = characters[at] === '^';
    if (isNegated) at += 1;
    const all: Accepts[] = [];
    for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false) {
      const mark = characters[at];
      if (mark === undefined) return fail('a class that is not closed');
      at += 1;
      if (mark === '\\') {
        all.push(escaped());
      } else if (characters[at] === '-' && characters[at + 1] !== undefined && characters[at + 1] !== ']') {
        const last = characters[at + 1]!;
        if (last === '\\' || last.codePointAt(0)! < mark.codePointAt(0)!) fail('a range that is not valid');
        at += 2;
        all.push(inRange(mark, last));
      } else all.push(one(mark.codePointAt(0)!));
    }
    at += 1;
    const accepts = inAnyCase(anyOf(...all));
    return isNegated ? not(accepts) : accepts;
  };

  const whole = choice();
  return at < characters.length ? fail('a ) without its (') : whole;
}

const one =
  (code: number): Accepts =>
  (other) =>
    other === code;

/** The upper or lower case of a code point; itself when it has no other. */
function otherCase(code: number): number {
  const character = String.fromCodePoint(code);
  const upper = character.toUpperCase();
  const other = upper === character ? character.toLowerCase() : upper;
  return other.codePointAt(0) ?? code;
}

/** The error for a pattern outside of the subset. */
function badPattern(pattern: string, what: string): LoadoutError {
  return new LoadoutError(
    'bad-pattern',
    `the pattern ${JSON.stringify(pattern.slice(0, 200))} is not allowed: ${what}`,
    {
      subject: 'grep',
      hint: 'supported are literals, . [] \\d \\w \\s ( ) | * + ? {m,n} ^ and $',
    },
  );
}
