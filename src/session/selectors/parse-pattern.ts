import { LoadoutError } from '../../model/loadout-error.ts';

export type PatternNode =
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly least: number;
      readonly most: number | null;
    }
  | { readonly kind: 'start' | 'end' };

type Accepts = (code: number) => boolean;

const MOST_REPEATS = 200;
const DEEPEST = 50;
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
const CLASSES: Readonly<Record<string, Accepts>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, r: 13, f: 12, v: 11 };

/** Reads a pattern of the safe subset; everything outside of it is an error that says what and where. */
export function parsePattern(pattern: string, ignoreCase: boolean): PatternNode {
  const characters = [...pattern];
  let at = 0;
  let depth = 0;
  const fail = (what: string): never => {
    throw badPattern(pattern, `${what} at character ${at + 1}`);
  };
  const inAnyCase = (accepts: Accepts): Accepts =>
    ignoreCase ? (code) => accepts(code) || accepts(otherCase(code)) : accepts;
  const character = (accepts: Accepts): PatternNode => ({ kind: 'character', accepts });

  const choice = (): PatternNode => {
    if (++depth > DEEPEST) fail(`more than ${DEEPEST} groups inside each other`);
    const parts = [sequence()];
    while (characters[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    depth -= 1;
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  };
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
    if (Math.max(least, most ?? 0) > MOST_REPEATS) fail(`more than ${MOST_REPEATS} repetitions`);
    if (most !== null && most < least) fail('a range of repetitions that goes backwards');
    at += counted[0].length;
    return { least, most };
  };
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
      if (characters[at + 1] !== ':') fail('look-around and named groups are not known');
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
    if (mark === undefined) return fail('nothing behind the backslash');
    if (Object.hasOwn(CLASSES, mark)) return CLASSES[mark]!;
    if (Object.hasOwn(CONTROLS, mark)) return one(CONTROLS[mark]!);
    if (/[\p{L}\p{N}]/u.test(mark)) return fail(`\\${mark} is not known`);
    return one(mark.codePointAt(0)!);
  };
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
        if (last === '\\' || last.codePointAt(0)! < mark.codePointAt(0)!) fail('a range that is not one');
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

function otherCase(code: number): number {
  const character = String.fromCodePoint(code);
  const upper = character.toUpperCase();
  const other = upper === character ? character.toLowerCase() : upper;
  return other.codePointAt(0) ?? code;
}

export function badPattern(pattern: string, what: string): LoadoutError {
  return new LoadoutError(
    'bad-pattern',
    `the pattern ${JSON.stringify(pattern.slice(0, 200))} is not allowed: ${what}`,
    {
      subject: 'grep',
      hint: 'known are literals, . [] \\d \\w \\s ( ) | * + ? {m,n} ^ and $',
    },
  );
}
