import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applySelector } from './apply-selector.ts';
import { queryJson } from './json-path.ts';
import { compileLinePattern } from './line-pattern.ts';
import { parseSelection, SELECTORS } from './selection.ts';

const select = (text: string, selection: string, limit = 1_000, query = '') =>
  applySelector(text, parseSelection(selection), limit, query);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');

describe('every selector', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\u{1f600}', 'error', '"', '{', '[', '1'),
      maxLength: 200,
    }),
    fc.json({ maxDepth: 3 }),
  );
  const selections = fc.oneof(
    fc.constantFrom(
      ...SELECTORS,
      'unknown',
      'grep:error',
      'grep:(?i)A+',
      'lines:2-5',
      'lines:3-',
      'json_path:$..*',
    ),
    fc.string({ maxLength: 12 }).map((argument) => `grep:${argument}`),
    fc.string({ maxLength: 12 }).map((argument) => `json_path:$${argument}`),
  );

  it('never exceeds its limit and never splits a pair', () => {
    fc.assert(
      fc.property(
        texts,
        selections,
        fc.nat({ max: 120 }),
        fc.string({ maxLength: 20 }),
        (text, selection, limit, query) => {
          const source = Buffer.from(text, 'utf8').toString('utf8');
          const taken = select(source, selection, limit, query);
          expect(taken.text.length).toBeLessThanOrEqual(limit);
          expect(Buffer.from(taken.text, 'utf8').toString('utf8')).toBe(taken.text);
          expect(select(source, selection, limit, query)).toEqual(taken);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('falls back to first_chars when it is unknown, and says so', () => {
    const taken = select('hello world', 'middle_chars', 5);
    expect(taken).toMatchObject({ text: 'hello', selector: 'first_chars' });
    expect(taken.notice).toBe('middle_chars: this selector is not known; first_chars instead');
  });
});

describe('parts by place', () => {
  it('first_chars, last_chars and head_tail', () => {
    expect(select('abcdef', 'first_chars', 4).text).toBe('abcd');
    expect(select('abcdef', 'last_chars', 4).text).toBe('cdef');
    expect(select('ab\u{1f600}', 'last_chars', 1).text).toBe('');
    const both = select(`START${'x'.repeat(500)}END`, 'head_tail', 100).text;
    expect(both).toMatch(/^STARTx+\n\[… \d+ characters …\]\nx+END$/);
    const left = Number(/… (\d+) characters/.exec(both)![1]);
    expect(both.replace(/\n.*\n/, '').length + left).toBe(508);
  });

  it('lines by range, with their numbers', () => {
    expect(select(numbered(9), 'lines:3-4').text).toBe('3: line 3\n4: line 4');
    expect(select(numbered(9), 'lines:8-').text).toBe('8: line 8\n9: line 9');
    expect(select(numbered(9), 'lines:-2').text).toBe('1: line 1\n2: line 2');
    expect(select(numbered(9), 'lines:5').text).toBe('5: line 5');
    expect(select('a\nb\n', 'lines:1-9').text).toBe('1: a\n2: b');
    expect(select(numbered(9), 'lines:20-30').notice).toContain('the result has 9 lines');
    expect(select(numbered(9), 'lines:x').notice).toContain('a range such as 10-40');
  });
});

describe('grep', () => {
  it('gives matching lines with two lines around them', () => {
    expect(select(numbered(20), 'grep:^line 7$').text).toBe(
      '5: line 5\n6: line 6\n7: line 7\n8: line 8\n9: line 9',
    );
    expect(select(`${numbered(9)}\nERROR: x`, 'grep:(?i)error').text).toContain('10: ERROR: x');
    expect(select(numbered(20), 'grep:nothing').notice).toContain('no line matches');
  });

  it('finds what the regular expressions of the language find', () => {
    const atoms = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\d',
      '\\w',
      '(a|b)',
      '(?:ab)',
      '(a|)',
      '1',
      '-',
    );
    const marks = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '+?');
    const pieces = fc.array(
      fc.tuple(atoms, marks).map(([atom, mark]) => atom + mark),
      { minLength: 1, maxLength: 5 },
    );
    const patterns = fc
      .tuple(fc.constantFrom('', '^'), pieces, fc.constantFrom('', '$', '|b'))
      .map(([start, middle, end]) => start + middle.join('') + end);
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', '1', '-', ' ', '\u{1f600}'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(patterns, line, fc.boolean(), (pattern, text, ignoreCase) => {
        const expected = new RegExp(pattern, ignoreCase ? 'iu' : 'u').test(text);
        expect(compileLinePattern(pattern, ignoreCase).test(text)).toBe(expected);
      }),
      { numRuns: 1_500 },
    );
  });

  it('takes no longer for a pattern that makes others backtrack', () => {
    const started = performance.now();
    const { test } = compileLinePattern('(a+)+$');
    expect(test(`${'a'.repeat(50_000)}b`)).toBe(false);
    expect(compileLinePattern('(a|aa)*(a|aa)*c').test('a'.repeat(50_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('refuses a pattern that is longer than any that a person writes', () => {
    expect(select('text', `grep:[${'q'.repeat(998)}]`).notice).toContain('no line matches');
    for (const pattern of [`[${'t'.repeat(150_000)}]`, 't|'.repeat(150_000), 't'.repeat(1_001)])
      expect(select('text', `grep:${pattern}`).notice).toContain('it is longer than 1000 characters');
  });

  it.each(['(', 'a)', '[a', '*', 'a**', '\\b', '(?=a)', '(a)\\1', 'a{300}', '[z-a]', '((a{100}){100}){100}'])(
    'refuses %s and says why',
    (pattern) => {
      const { selector, notice } = select('text', `grep:${pattern}`);
      expect(selector).toBe('first_chars');
      expect(notice).toContain('is not allowed: ');
    },
  );
});

describe('json_path', () => {
  const store = {
    book: [
      { title: 'A', price: 8, tags: ['x'] },
      { title: 'B', price: 12 },
      { title: 'C', price: 9, 'odd name': true },
    ],
    bicycle: { price: 20 },
  };
  it.each([
    ['$', [store]],
    ['$.bicycle.price', [20]],
    ["$['bicycle']['price']", [20]],
    ['$.book[0].title', ['A']],
    ['$.book[-1].title', ['C']],
    ['$.book[*].title', ['A', 'B', 'C']],
    ['$.book[0:2].title', ['A', 'B']],
    ['$.book[::-1].title', ['C', 'B', 'A']],
    ['$.book[0,2].title', ['A', 'C']],
    ['$..price', [8, 12, 9, 20]],
    ['$.*.price', [20]],
    ['$.book[?@.price < 10].title', ['A', 'C']],
    ["$.book[?@.title == 'B'].price", [12]],
    ['$.book[?@.tags].title', ['A']],
    ['$.book[?@["odd name"] == true].title', ['C']],
    ['$.book[9]', []],
    ['$.constructor', []],
    ['$.__proto__', []],
  ])('%s', (path, values) => expect(queryJson(store, path).values).toEqual(values));

  it.each([
    'book',
    '$.',
    '$[',
    '$.book[',
    '$.book[?(@.x)]',
    '$.book[?@.a == ]',
    '$.book[?@.price == -01]',
    '$.book[?@.price > 00]',
    '$x',
    '$.book[0',
    '$.a[?length(@) > 1]',
  ])('refuses %s', (path) =>
    expect(select(JSON.stringify(store), `json_path:${path}`).notice).toContain('is not allowed: '),
  );

  it('shows a text as it is and other values as JSON', () => {
    const text = JSON.stringify(store);
    expect(select(text, 'json_path:$.book[0].title').text).toBe('A');
    expect(select(text, 'json_path:$.book[*].price').text).toBe('8\n12\n9');
    expect(select(text, 'json_path:$.nothing').notice).toContain('the path leads to no value');
    expect(select('no json', 'json_path:$.a').notice).toContain('the result is not JSON');
  });

  it.each(['$[*]', '$[::]', '$[?@ > 0]', '$..*', "$..['a',*]"].map((path) => [path]))(
    'stops at a number of values that fits, whatever is repeated (%s)',
    (path) => {
      const list = Array.from({ length: 1_000_000 }, (_, at) => at + 1);
      const repeated = path.replace(
        /\[(.*)\]|\*$/,
        (all, inner) =>
          `[${Array(90)
            .fill(inner ?? all)
            .join(',')}]`,
      );
      const { values, isPartial } = queryJson(list, repeated);
      expect(isPartial).toBe(true);
      expect(values.length).toBeLessThanOrEqual(300_000);
      const said = select(JSON.stringify(list), `json_path:${repeated}`);
      expect(said.selector).toBe('json_path');
      expect(said.notice).toContain('too many values');
    },
  );

  it('survives documents that are deeper than the stack, or explode', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(select(deep, 'json_path:$..*').text.length).toBeLessThanOrEqual(1_000);
    const chain: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`);
    expect(queryJson(chain, '$..*..*..*').isPartial).toBe(true);
  });
});

describe('relevant', () => {
  it('gives the passages that hold the rare words of the step, in the order of the text', () => {
    const lines = Array.from({ length: 200 }, (_, at) => `common log line ${at}`);
    lines[50] = 'the LoginTimeout was exceeded';
    lines[150] = 'login retry';
    const { text } = select(lines.join('\n'), 'relevant', 400, 'Why does the login timeout log?');
    expect(text).toContain('51: the LoginTimeout was exceeded');
    expect(text.indexOf('LoginTimeout')).toBeLessThan(text.indexOf('login retry'));
  });

  it('says when no word occurs', () => {
    expect(select('nothing here', 'relevant', 100, 'login').notice).toContain('no word of the step occurs');
  });
});
