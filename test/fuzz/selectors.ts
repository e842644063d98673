import { selectResult } from '../../src/session/result-excerpt.ts';
import { applySelector } from '../../src/session/selectors/apply-selector.ts';
import { parseSelection, SELECTORS } from '../../src/session/selectors/selection.ts';
import { openMemoryStore } from '../../src/session/stores/indexed-store.ts';
import { fuzzClass } from './fuzz-class.ts';
import { asBytes, fromBytes, type Grammar, mutate, mutateJson } from './mutate.ts';
import type { Random } from './random.ts';

const SELECTIONS: Grammar = {
  examples: [
    'first_chars',
    'last_chars',
    'head_tail',
    'lines:10-40',
    'lines:-3',
    'lines:7-',
    'json_path:$.items[*].name',
    "json_path:$..[?@.size >= 10.5]['na me', 0, -1, 1:3:2]",
    'json_path:$[?@["a"][0] != null]',
    'json_path:$..*',
    'json_path:$[::-1]',
    'grep:error|warn(ing)?\\s+\\d{2,5}',
    'grep:(?i)^(a|b)*[^x-z\\w]+$',
    'grep:((a+)+)+b{1,200}',
    'relevant:refresh the token',
    'relevant',
  ],
  words: [
    ...SELECTORS.map((name) => `${name}:`),
    ...['$', '..', '[*]', '[?', '@.a', '==', '!=', '<=', '>', "['a']", '[0]', '[-1]', '[1:2:-1]', ',', ':'],
    ...[
      '\\d',
      '\\w',
      '\\S',
      '[^a-z]',
      '{1,9}',
      '{0,}',
      '(?:',
      '|',
      '*',
      '+',
      '?',
      '.',
      '^',
      '(?i)',
      '\\b',
      '\\u0041',
    ],
    ...['true', 'null', '-01', '1e5', '1.', '.5', '"\\x"'],
  ],
  brackets: [
    ['[', ']'],
    ['(', ')'],
    ['(a|', ')*'],
    ['[?@.', ']'],
    ["['", "']"],
  ],
};

const DOCUMENT = {
  items: Array.from({ length: 12 }, (_, at) => ({ name: `n${at}`, size: at * 1.5, tags: ['a', null, true] })),
  'na me': { a: [1, 2, 3], b: 'Grüße' },
};

const RESULTS: Grammar = {
  examples: [
    JSON.stringify(DOCUMENT),
    JSON.stringify([[1, [2, [3, [4]]]], { a: [{ a: 1 }] }]),
    Array.from(
      { length: 60 },
      (_, at) => `${at} error 404 at src/auth/token.ts:${at}: refresh the token`,
    ).join('\n'),
    `${'ab'.repeat(200)}\n\n\r\nGrüße 数据库 \u{1f600}\n`,
    '',
  ],
  words: ['error 500', '"items":', '[', ']', '{', '}', '\\n', 'token', 'null', '1e999'],
  brackets: [
    ['[', ']'],
    ['{"a":', '}'],
    ['a', 'b'],
  ],
};
const LIMITS = [0, 1, 7, 200, 4_000, 100_000, -1, 0.5, 1e9];

const PATH_PIECES = [
  'a',
  'items',
  'size',
  '*',
  '0',
  '-1',
  '01',
  '1:3',
  '::-1',
  "'na me'",
  '"b"',
  '"\\u0041"',
  "'\\x'",
];
const PATH_VALUES = [
  '1',
  '-01',
  '00',
  '1.5e3',
  '1e999',
  "'n1'",
  '"\\""',
  'true',
  'null',
  'nil',
  '-',
  '1.',
  '',
];

/** A path that is nearly right: most changes to a right one are refused at the first character. */
function jsonPath(random: Random): string {
  const piece = () => random.pick(PATH_PIECES);
  const operator = () => random.pick(['==', '!=', '<', '<=', '>', '>=', '=', '']);
  const segments = Array.from({ length: random.length(8) }, () =>
    random.pick([
      () => `.${piece()}`,
      () => `..${piece()}`,
      () => `[${piece()}]`,
      () => `..[${piece()},${piece()}]`,
      () => `[?@.${piece()} ${operator()} ${random.pick(PATH_VALUES)}]`,
      () => `[?@[${piece()}]${operator()}${random.pick(PATH_VALUES)}]`,
    ])(),
  );
  return `json_path:${random.pick(['$', '$', '$', '', '$ '])}${segments.join('')}`;
}

/** Three lines with the selection, then the result of a tool. */
export const selectors = fuzzClass({
  setUp: async () => openMemoryStore({ maxResults: 4 }),
  generate: (random) => {
    const isPath = random.chance(0.4);
    const written = isPath ? jsonPath(random) : asBytes(mutate(random, SELECTIONS));
    const json = () => JSON.stringify(mutateJson(random, DOCUMENT, RESULTS.words));
    const result = isPath && random.chance(0.8) ? asBytes(json()) : asBytes(mutate(random, RESULTS));
    const selection = written.replaceAll('\n', ' ');
    const query = random.chance(0.5)
      ? 'refresh the token'
      : asBytes(mutate(random, SELECTIONS)).replaceAll('\n', ' ');
    return fromBytes(`${selection}\n${random.pick(LIMITS)}\n${query}\n${result}`);
  },
  async run(store, input) {
    const [selection = '', limit = '', query = '', ...rest] = input.toString('latin1').split('\n');
    const utf8 = (bytes: string) => fromBytes(bytes).toString('utf8');
    const content = fromBytes(rest.join('\n'));
    const asked = parseSelection(utf8(selection));
    const direct = applySelector(content.toString('utf8'), asked, Number(limit), utf8(query));
    const { id } = await store.put({ tool: 'read', content });
    const stored = await selectResult(store, id, utf8(selection), Number(limit));
    return JSON.stringify([direct, stored]);
  },
  tearDown: (store) => store.close(),
});
