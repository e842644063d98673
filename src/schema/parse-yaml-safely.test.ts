import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAlias, isMap, isSeq, parseDocument } from 'yaml';
import { LoadoutError } from '../model/loadout-error.ts';
import { parseYamlSafely } from './parse-yaml-safely.ts';
import { MAX_DOCUMENT_BYTES } from './parsed-document.ts';

async function outcome(text: string): Promise<unknown> {
  try {
    return (await parseYamlSafely(text, 'f.yaml')).value;
  } catch (error) {
    expect(error).toBeInstanceOf(LoadoutError);
    return (error as Error).message;
  }
}

const fill = (piece: string): string => piece.repeat(Math.floor((MAX_DOCUMENT_BYTES - 8) / piece.length));

/** Deepest collection of a parsed document, without recursion of our own. */
function depthOf(text: string): number {
  const waiting: [unknown, number][] = [[parseDocument(text).contents, 0]];
  let deepest = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next;
    deepest = Math.max(deepest, depth);
    if (isAlias(node)) continue;
    if (isSeq(node)) for (const item of node.items) waiting.push([item, depth + 1]);
    if (isMap(node))
      for (const pair of node.items) waiting.push([pair.key, depth + 1], [pair.value, depth + 1]);
  }
  return deepest;
}

describe('parseYamlSafely', () => {
  it('reads ordinary YAML', async () => {
    const text = `# a comment
name: reviewer
list:
- one
- {two: 2, three: [3, 3.5]}
? explicit
: true
prompt: |
  [[[[[[[[[[[[[[[[[[[[ : : : - - - "
  \`\`\`
shared: &base {a: null}
again: *base
`;
    expect(await outcome(text)).toEqual({
      name: 'reviewer',
      list: ['one', { two: 2, three: [3, 3.5] }],
      explicit: true,
      prompt: '[[[[[[[[[[[[[[[[[[[[ : : : - - - "\n```\n',
      shared: { a: null },
      again: { a: null },
    });
  });

  it('reads back what JSON holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
        fc.pre(!JSON.stringify(value).includes('"<<":'));
        expect(await outcome(JSON.stringify(value, null, 2))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200 },
    );
  });

  it('knows the place of every value', async () => {
    const { positions } = await parseYamlSafely('a:\n  - x\n  - b: 1\nc:\n', 'f.yaml');
    expect(positions.get('/a/1/b')).toEqual({ line: 3, column: 8 });
    expect(positions.get('/c')).toMatchObject({ line: 4 });
  });

  it.each([
    ['a: !custom x', 'f.yaml:1:4: Unresolved tag: !custom'],
    ['a: !!binary aGk=', 'f.yaml:1:'],
    ['!x {a: 1}', 'f.yaml:1:1: '],
    ['b: &b {x: 1}\na:\n  <<: *b', 'f.yaml:3:3: merge keys (<<) are not allowed'],
    ['a: 1\nb: 2\na: 3', 'f.yaml:3:1: "a" is set twice'],
    ['%YAML 1.1\n---\na: 1', 'f.yaml:1:1: directives'],
    ['a: 1\n---\nb: 2', 'f.yaml:2:1: '],
    ['a: &a [*a]', 'f.yaml:1:8: the alias *a has no finished anchor before it'],
    ['a: *nowhere', 'f.yaml:1:4: the alias *nowhere'],
    ['? [a, b]\n: c', 'f.yaml:1:3: a key must be plain text'],
    ['a: "open', 'f.yaml:1:'],
    [fill(']'), 'f.yaml:1:1: Unexpected flow-seq-end'],
    [`"${fill('\\#')}"`, 'f.yaml:1:2: Invalid escape sequence'],
    ['a:\n\t- b', 'f.yaml:2:1: '],
    [`a: &a x\nb: [${'*a, '.repeat(101)}]`, 'more than 100 aliases'],
    [fill('[x'), 'f.yaml:1:129: more than 64 levels of nesting'],
    [fill('- '), 'more than 64 levels of nesting'],
    [fill('? '), 'more than 64 levels of nesting'],
    [fill('a: '), 'more than 64 levels of nesting'],
    [fill('[a]: b: '), 'more than 64 levels of nesting'],
    ['a: - b', 'f.yaml:1:4: '],
    [
      Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      'f.yaml:65:66: more than 64',
    ],
    [`${fill('a')}aaaaaaaaa`, 'at most 262144 bytes are read'],
    [fill('- 1\n'), 'more than 10000 words and marks'],
  ])('refuses with a place: %#', async (text, message) => expect(await outcome(text)).toContain(message));

  it('refuses an alias bomb that stays under the number of aliases', async () => {
    const names = [...'abcdefghij'];
    const lines = names.map((name, index) => {
      const items = Array<string>(9).fill(index === 0 ? 'x' : `*${names[index - 1]}`);
      return `${name}: &${name} [${items.join(', ')}]`;
    });
    expect(await outcome(lines.join('\n'))).toContain('values with the aliases written out');
  });

  it('survives 1,000 hostile documents in one process, each quickly and with a place', async () => {
    const marks = [
      '[',
      '{',
      '- ',
      '? ',
      ': ',
      'a: ',
      '"',
      "'",
      '&a ',
      '*a ',
      '!t ',
      '|',
      '>',
      '#',
      '%',
      ',',
      ']',
      '}',
    ];
    const odd = [
      '\n',
      '\n  ',
      '\t',
      '\r',
      '---\n',
      '...\n',
      '\u0000',
      '\uFEFF',
      '\ud800',
      '<<: ',
      'x',
      ' ',
      '\\',
    ];
    const piece = fc.array(fc.constantFrom(...marks, ...odd), { minLength: 1, maxLength: 5 });
    const block = fc.tuple(
      piece,
      fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 80 }) },
        { weight: 1, arbitrary: fc.constantFrom(1000, 20_000) },
      ),
    );
    const hostile = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) =>
      blocks
        .map(([parts, times]) => parts.join('').repeat(times))
        .join('')
        .slice(0, 120_000),
    );
    let slowest = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const start = performance.now();
        const result = await outcome(text);
        slowest = Math.max(slowest, performance.now() - start);
        if (typeof result !== 'string' || !/more than|:\d+:\d+: /.test(result)) return;
        refused += 1;
        expect(result).toMatch(/^f\.yaml:\d+:\d+: \S/);
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(500);
    expect(slowest).toBeLessThan(2000);
  });

  it('accepts no text that the library nests more deeply than the limit allows', async () => {
    const line = fc.tuple(
      fc.integer({ min: 0, max: 12 }),
      fc.array(
        fc.constantFrom('- ', '? ', ': ', 'a: ', 'b:', '[', ']', '{', '}', '"', "'", '#', '&a ', 'x', '|'),
        {
          maxLength: 6,
        },
      ),
    );
    const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) =>
      lines
        .map(([indent, parts]) => ' '.repeat(indent) + parts.join(''))
        .join('\n')
        .repeat(12),
    );
    await fc.assert(
      fc.asyncProperty(text, async (document) => {
        const result = await outcome(document);
        if (typeof result === 'string' && /levels of nesting/.test(result)) return;
        // A column can hold a map and the list in it, a flow list a pair: twice the levels counted.
        expect(depthOf(document)).toBeLessThanOrEqual(2 * 64 + 2);
      }),
      { numRuns: 300 },
    );
  });
});
