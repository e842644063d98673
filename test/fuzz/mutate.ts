import type { Random } from './random.ts';

/** Placeholders for folders of the environment of an input. Their paths differ from run to run, the input does not. */
export const ROOT_MARK = '@ROOT@';
export const OUTSIDE_MARK = '@OUTSIDE@';

/** Ways out of the root, by name: upwards, by an absolute path and through links. */
export const WAYS_OUT: readonly string[] = [
  '../canary.ts',
  '../../canary.ts',
  'src/../../canary.ts',
  './../canary.ts',
  '..',
  `${OUTSIDE_MARK}/canary.ts`,
  OUTSIDE_MARK,
  `${ROOT_MARK}/../canary.ts`,
  `${ROOT_MARK}/canary-link.ts`,
  `file://${OUTSIDE_MARK}/canary.ts`,
  'canary-link.ts',
  'linked',
  'linked/canary.ts',
  'linked/*',
  'linked/**',
  '**/canary*',
  '../*',
  '/etc/passwd',
  '~/canary.ts',
  '..\\canary.ts',
  '%2e%2e/canary.ts',
  '..\u2215canary.ts',
  'canary-link.ts\0.md',
];

const HOSTILE_TEXTS: readonly string[] = [
  '\0',
  '\r',
  '\r\n',
  '\n\n\n',
  '\t',
  '\u0007\u001b[2J\u001b]0;x\u0007',
  '\u202e\u2066',
  '\u200b\u200d\ufeff',
  '\u2028\u2029',
  '\u{e0041}\u{e0042}',
  'e\u0301\u0301\u0301',
  '\u{1f469}\u200d\u{1f469}',
  'İıſK',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$' + '{x}',
  '$&$1$`',
  '%s%n',
  '```',
  '~~~',
  '"',
  "'",
  '\\',
  '\\u0000',
  '\\ud800',
  '<!--',
  ']]>',
];

const HOSTILE_BYTES: readonly string[] = [
  '\xff',
  '\xfe\xff',
  '\xff\xfe',
  '\xc0\xaf',
  '\xed\xa0\x80',
  '\xf4\x90\x80\x80',
  '\xe2\x82',
  '\x80\x80\x80',
  '\xef\xbb\xbf',
];

const NUMBERS: readonly string[] = [
  ...['0', '-0', '-1', '1', '00', '01', '1e309', '-1e309', '1e-400', '0.1', 'NaN', 'Infinity', '0x10', '1_0'],
  ...['255', '256', '65536', '2147483647', '2147483648', '4294967295', '4294967296', '9007199254740993'],
  ...['99999999999999999999', '-99999999999999999999', '9'.repeat(400)],
];

/** The properties of a class of inputs. */
export interface Grammar {
  /** Valid inputs to begin with, as text. */
  readonly examples: readonly (string | Buffer)[];
  /** Words of the language that are worth putting anywhere. */
  readonly words: readonly string[];
  /** Pairs that can be put inside each other, such as `[` and `]`. */
  readonly brackets: readonly (readonly [open: string, close: string])[];
}

/** Enough to show quadratic time. */
const MAX_LENGTH = 200_000;

/** One character for each byte, so that any byte can be changed, and half a letter can be lost. */
export const asBytes = (text: string | Buffer): string => Buffer.from(text as string).toString('latin1');
export const fromBytes = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

/** A valid input with a few changes; now and then none, so that the good case stays part of it. */
export function mutate(random: Random, grammar: Grammar): Buffer {
  let bytes = asBytes(random.pick(grammar.examples));
  const changes = random.chance(0.04) ? 0 : random.length(8);
  for (let change = 0; change < changes; change++) bytes = random.pick(CHANGES)(bytes, random, grammar);
  return fromBytes(bytes.slice(0, MAX_LENGTH));
}

type Change = (bytes: string, random: Random, grammar: Grammar) => string;

function span(bytes: string, random: Random): readonly [number, number] {
  const start = random.below(bytes.length + 1);
  return [start, Math.min(bytes.length, start + random.length(Math.max(2, bytes.length)))];
}

function insert(bytes: string, random: Random, added: string): string {
  const at = random.below(bytes.length + 1);
  return bytes.slice(0, at) + added + bytes.slice(at);
}

/** Takes the place of a word, which leaves the form around it as it was. */
function replaceWord(bytes: string, random: Random, added: string): string {
  const words = [...bytes.slice(0, 20_000).matchAll(/[\w$./-]+/g)];
  if (words.length === 0) return added;
  const { 0: word, index } = random.pick(words);
  return bytes.slice(0, index) + added + bytes.slice(index + word.length);
}

const put = (bytes: string, random: Random, added: string): string =>
  random.chance(0.5) ? replaceWord(bytes, random, added) : insert(bytes, random, added);

function repeated(piece: string, random: Random): string {
  const most = random.chance(0.05) ? 100_000 : 3_000;
  return piece.repeat(
    Math.max(1, Math.min(random.length(most), Math.floor(MAX_LENGTH / (piece.length || 1)))),
  );
}

const CHANGES: readonly Change[] = [
  function removeSpan(bytes, random) {
    const [start, end] = span(bytes, random);
    return bytes.slice(0, start) + bytes.slice(end);
  },
  function cutOff(bytes, random) {
    return random.chance(0.3) ? bytes.slice(0, random.below(bytes.length + 1)) : bytes;
  },
  function duplicateSpan(bytes, random) {
    const [start, end] = span(bytes, random);
    return bytes.slice(0, end) + bytes.slice(start, end) + bytes.slice(end);
  },
  function moveSpan(bytes, random) {
    const [start, end] = span(bytes, random);
    return insert(bytes.slice(0, start) + bytes.slice(end), random, bytes.slice(start, end));
  },
  function spliceOther(bytes, random, { examples }) {
    const other = asBytes(random.pick(examples));
    const [start, end] = span(other, random);
    return insert(bytes, random, other.slice(start, end));
  },
  function changeLines(bytes, random) {
    const lines = bytes.split('\n');
    const at = random.below(lines.length);
    if (random.chance(0.4)) lines.splice(at, 1);
    else lines.splice(random.below(lines.length + 1), 0, lines[at]!);
    return lines.join('\n');
  },
  function flipBit(bytes, random) {
    if (bytes === '') return bytes;
    const at = random.below(bytes.length);
    const flipped = bytes.charCodeAt(at) ^ (1 << random.below(8));
    return bytes.slice(0, at) + String.fromCharCode(flipped) + bytes.slice(at + 1);
  },
  function putText(bytes, random) {
    return put(bytes, random, asBytes(random.pick(HOSTILE_TEXTS)));
  },
  function putBytes(bytes, random) {
    return insert(bytes, random, random.pick(HOSTILE_BYTES));
  },
  function putWord(bytes, random, { words }) {
    return put(bytes, random, asBytes(random.pick(words)));
  },
  function putPhrase(bytes, random, { words }) {
    const phrase = Array.from({ length: 2 + random.length(12) }, () => random.pick(words));
    return put(bytes, random, asBytes(phrase.join(random.pick(['', '', ' ']))));
  },
  function putWayOut(bytes, random) {
    return put(bytes, random, asBytes(random.pick(WAYS_OUT)));
  },
  function putNumber(bytes, random) {
    const numbers = [...bytes.slice(0, 20_000).matchAll(/-?\d+/g)];
    const number = random.pick(NUMBERS);
    if (numbers.length === 0) return insert(bytes, random, number);
    const { 0: found, index } = random.pick(numbers);
    return bytes.slice(0, index) + number + bytes.slice(index + found.length);
  },
  function repeatSpan(bytes, random, { words }) {
    const [start, end] = span(bytes, random);
    const piece = random.chance(0.5)
      ? bytes.slice(start, Math.min(end, start + 20))
      : asBytes(random.pick(words));
    return insert(bytes, random, repeated(piece, random));
  },
  function nestDeeply(bytes, random, { brackets }) {
    const [open, close] = random.pick(brackets);
    const [start, end] = span(bytes, random);
    const levels = random.length(random.chance(0.2) ? 50_000 : 200);
    const inside = bytes.slice(start, end);
    const closed = random.chance(0.7) ? close.repeat(levels) : '';
    return `${bytes.slice(0, start)}${open.repeat(levels)}${inside}${closed}${bytes.slice(end)}`;
  },
];

const VALUES: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => '',
  (random) => Number(random.pick(NUMBERS)),
  (random) => random.pick(NUMBERS),
  (random) => random.pick(HOSTILE_TEXTS),
  (random) => random.pick(WAYS_OUT),
  (random) => repeated(random.pick(HOSTILE_TEXTS), random),
  (random) => Array.from({ length: random.length(300) }, () => random.pick(WAYS_OUT)),
  (random) => nested(random.length(2_000)),
  (random) => ({ [random.pick(HOSTILE_TEXTS)]: random.pick(WAYS_OUT) }),
];

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** JSON data with a few values, names or fields changed: it stays JSON, and is no longer what was expected. */
export function mutateJson(random: Random, value: unknown, words: readonly string[]): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  const holder = { value: copy };
  const changes = random.chance(0.04) ? 0 : random.length(5);
  for (let change = 0; change < changes; change++) {
    const places = placesIn(holder);
    const { parent, key } = random.pick(places);
    const other = random.pick(places);
    const next = random.below(7);
    if (next === 0 && parent !== holder) delete (parent as Record<string, unknown>)[key];
    else if (next === 1) parent[key] = structuredCloneOf(other.parent[other.key]);
    else if (next === 2) parent[random.pick(HOSTILE_TEXTS)] = parent[key];
    else if (next === 3) parent[key] = random.pick(words);
    else if (next === 4 && typeof parent[key] === 'string')
      parent[key] = mutateText(random, parent[key], words);
    else parent[key] = random.pick(VALUES)(random);
  }
  return holder.value;
}

const structuredCloneOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

/** A text with a few changes, still valid Unicode as a rule. */
export function mutateText(random: Random, text: string, words: readonly string[]): string {
  const grammar: Grammar = {
    examples: [text],
    words,
    brackets: [
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
    ],
  };
  return mutate(random, grammar).toString('utf8');
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function placesIn(root: object): Place[] {
  const found: Place[] = [];
  const open: object[] = [root];
  while (open.length > 0 && found.length < 500) {
    const parent = open.pop() as Record<string, unknown>;
    for (const key of Object.keys(parent)) {
      found.push({ parent, key });
      const below = parent[key];
      if (typeof below === 'object' && below !== null) open.push(below);
    }
  }
  return found;
}
