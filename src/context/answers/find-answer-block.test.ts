import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnswerBlock } from './find-answer-block.ts';

const lines = (...all: string[]) => all.join('\n');
const found = (text: string) => {
  const search = findAnswerBlock(text);
  return search.kind === 'found' ? search.json.trim() : search.kind;
};

describe('findAnswerBlock', () => {
  it.each([
    ['one block', lines('Done.', '```json', '{"a":1}', '```', 'bye'), '{"a":1}'],
    ['the last of two', lines('```json', '1', '```', '```json', '2', '```'), '2'],
    ['an empty last block, not the one before', lines('```json', '1', '```', '```json', '```'), ''],
    ['tildes', lines('~~~json', '1', '~~~'), '1'],
    ['a longer fence around it all', lines('````json', '```', '1', '```', '````'), lines('```', '1', '```')],
    ['three spaces of indentation', lines('   ```json', '1', '  ```'), '1'],
    ['spaces around the label, and words behind it', lines('``` json title="x" ', '1', '```  '), '1'],
    ['the label in capitals', lines('```JSON', '1', '```'), '1'],
    ['Windows line ends', '```json\r\n1\r\n```\r\n', '1'],
    ['a longer closing fence', lines('```json', '1', '`````'), '1'],
    ['no line break behind the last fence', '```json\n1\n```', '1'],
  ])('finds %s', (_, text, json) => expect(found(text)).toBe(json));

  it.each([
    ['indented by four', lines('Here:', '', '    ```json', '    {"a":1}', '    ```', '    '), '{"a":1}'],
    ['indented by a tab', lines('\t```json', '\t{"a":1}', '\t```'), '{"a":1}'],
    ['indented in a list', lines('1. Done', '', '     ```json', '     {"a":1}', '     ```'), '{"a":1}'],
    [
      'the last of two, both indented',
      lines('    ```json', '1', '    ```json', '    {"a":1}', '    ```'),
      '{"a":1}',
    ],
    ['behind text', lines('Result: ```json', '{"a":1}', '```'), '{"a":1}'],
    ['behind a list mark', lines('- ```json', '  {"a":1}', '  ```'), '{"a":1}'],
    ['behind text with code in it', lines('For `x`: ```json', '{"a":1}', '```'), '{"a":1}'],
    ['in one line', '```json {"a":1} ```', '{"a":1}'],
    ['in one line, without spaces', 'Result: ```json{"a":1}```', '{"a":1}'],
    ['closed at the end of its last line', lines('```json', '{', '"a":1}```'), lines('{', '"a":1}')],
    ['with words behind the closing marks', lines('```json', '{"a":1}', '``` That is all.'), '{"a":1}'],
    ['with marks in a text of it', 'So: ```json {"a":"```json {} ```"} ```', '{"a":"```json {} ```"}'],
    [
      'behind an indented fence that nothing closes',
      lines('    ```', '', '```json', '{"a":1}', '```'),
      '{"a":1}',
    ],
    [
      'in both ways, saying the same',
      lines('```json', '{"a":1}', '```', '    ```json', '    {"a": 1}', '    ```'),
      '{"a": 1}',
    ],
    [
      'the usual one last',
      lines('    ```json', '    {"a":2}', '    ```', '```json', '{"a":1}', '```'),
      '{"a":1}',
    ],
    ['broken, behind text', lines('Result: ```json', '{"a":oops}', '```'), '{"a":oops}'],
    ['broken, in one line', '```json {"a":oops} ```', '{"a":oops}'],
  ])('finds a block %s, because no other block can be meant', (_, text, json) =>
    expect(found(text)).toBe(json),
  );

  it.each([
    [
      'an indented one',
      lines('```json', '{"a":1}', '```', 'or', '    ```json', '    {"a":2}', '    ```'),
      5,
      1,
    ],
    ['one behind text', lines('', '```json', '{"a":1}', '```', 'or ```json', '{"a":2}', '```'), 5, 2],
  ])('does not choose between a block and %s with another answer', (_, text, line, other) => {
    expect(findAnswerBlock(text)).toEqual({ kind: 'ambiguous', line, other });
  });

  it.each([
    ['one behind text', lines('First', 'Result: ```json', '{"a":1,'), 2],
    ['an indented one', lines('    ```json', '    {"a":"x'), 1],
    ['one behind text, after a whole one', lines('```json', '{}', '```', 'x ```json {"a"'), 4],
  ])('reports %s as cut off if its object does not end', (_, text, line) => {
    expect(findAnswerBlock(text)).toMatchObject({ kind: 'cut-off', line });
  });

  it.each([
    ['a usual one', lines('a', '```json', '{"a":1}', 'That is all.'), 2],
    ['a usual one at the end', lines('```json', '{"a":1}', ''), 1],
    ['one that shorter marks close', lines('````json', '{"a":1}', '```'), 1],
    ['one behind text', lines('a', 'b ```json', '{"a":1}'), 2],
    ['an indented one, after a whole one', lines('```json', '{}', '```', '    ```json', '    {"a":1}'), 4],
  ])('reports %s as never closed if its object is complete', (_, text, line) => {
    expect(findAnswerBlock(text)).toMatchObject({ kind: 'none', nearMiss: { line, reason: 'never-closed' } });
  });

  it.each([
    ['another label', lines('```json5', '1', '```')],
    ['no label', lines('```', '{}', '```')],
    ['a block inside a longer fence', lines('````markdown', '```json', '1', '```', '````')],
    ['a block inside tildes', lines('~~~', '```json', '1', '```', '~~~')],
    ['a quoted block', lines('> ```json', '> 1', '> ```')],
    ['a fence in the middle of a line', lines('see ```json', '1', 'end ``` x')],
    ['a word behind text', lines('see ```json for the form', '{"a":1}', 'and more')],
    ['another label behind text', lines('see ```json5', '{"a":1}', 'x')],
    ['an indented block of something else', lines('    ```json', '    1', '    ```')],
    ['two marks only', lines('``json', '1', '``')],
    ['bare JSON', '{"status":"SUCCESS"}'],
    ['marker words', 'STATUS: APPROVED'],
    ['a line separator of Unicode', '\u2028```json\u20281\u2028```'],
    ['nothing', ''],
  ])('does not take %s', (_, text) => expect(found(text)).toBe('none'));

  it.each([
    ['the answer itself', lines('text', '```json', '{"a":'), 2],
    ['another block behind the answer', lines('```json', '1', '```', '~~~', 'log'), 4],
    ['a fence closed by a shorter one', lines('````json', '1', '```'), 1],
    ['a fence closed by the other mark', lines('```json', '1', '~~~'), 1],
    ['a closing line with words behind it', lines('```json', '1', '``` done'), 1],
  ])('reports %s as cut off', (_, text, line) => {
    expect(findAnswerBlock(text)).toMatchObject({ kind: 'cut-off', line });
  });

  it('reports the line of something that only looks like the block', () => {
    expect(findAnswerBlock(lines('', '~~~', '```json', '1', '```', '~~~'))).toEqual({
      kind: 'none',
      blocks: 1,
      nearMiss: { line: 3, reason: 'inside-another-fence' },
    });
    expect(findAnswerBlock(lines('1. Result', '', '     ```json', '     1', '     ```'))).toMatchObject({
      nearMiss: { line: 3, reason: 'no-object' },
    });
  });

  it('gives the number of the first line inside the block', () => {
    expect(findAnswerBlock(lines('a', 'b', '```json', '1', '```'))).toMatchObject({ line: 4 });
  });
});

describe('fences, for any text', () => {
  const fenceLine = fc.constantFrom(
    ...['```json', '```', '~~~json', '~~~', '````json', '````', '  ```json', '`````'],
    ...[
      '    ```json',
      '    ```',
      '\t~~~',
      'so: ```json',
      '- ```json {"a":1}',
      '```json {"a":2} ```',
      '{"b":1}```',
    ],
  );
  const anyLines = fc.array(
    fc.oneof(fenceLine, fc.constantFrom('', '{"a":1}', '{"a":', '1}', 'text', '"```json"'), fc.string()),
  );
  const anyText = anyLines.map((all) => all.join('\n'));
  const answer = fc
    .jsonValue({ maxDepth: 3 })
    .chain((value) => fc.constantFrom(JSON.stringify({ value }), JSON.stringify({ value }, null, 2)));

  it('text inside a longer fence never changes the answer', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('`', '~'), fc.boolean(), (inner, mark, before) => {
        const longest = Math.max(3, ...[...inner.matchAll(/`+|~+/g)].map(([run]) => run.length));
        const fence = mark.repeat(longest + 1);
        const own = '```json\n{"answer":true}\n```';
        const other = `${fence}text\n${inner}\n${fence}`;
        const whole = before ? `${other}\n${own}` : `${own}\n${other}`;
        expect(found(whole)).toBe('{"answer":true}');
      }),
      { numRuns: 2000 },
    );
  });

  it('finds any object at any indentation, behind any words, however it is closed', () => {
    const indent = fc.constantFrom('', ' ', '   ', '    ', '\t', '          ');
    const words = fc.oneof(fc.constant(''), fc.stringMatching(/^[\w :.*>-]{0,20}$/));
    const marks = fc.constantFrom('```', '````', '`````');
    const gap = fc.constantFrom('\n', ' ', '\n\n', '\r\n', '');
    const rest = fc.constantFrom('', '\n', ' ok', '\n\nBye.\n', '.');
    fc.assert(
      fc.property(
        answer,
        indent,
        words,
        marks,
        gap,
        gap,
        rest,
        (json, space, text, fence, open, close, behind) => {
          const body = json.split('\n').join(`\n${space}`);
          expect(found(`Done.\n${space}${text}${fence}json${open}${body}${close}${fence}${behind}`)).toBe(
            body,
          );
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('a text that ends inside its answer is never complete', () => {
    const before = fc.constantFrom('```json\n', '    ```json\n', 'So: ```json\n', '```json ', '- ```json\n');
    fc.assert(
      fc.property(answer, before, fc.nat(), (json, opening, at) => {
        // Up to the closing brace, which is the last character.
        const cut = 1 + (at % (json.length - 1));
        const { kind } = findAnswerBlock(`\`\`\`json\n{"draft":1}\n\`\`\`\n${opening}${json.slice(0, cut)}`);
        expect(kind).toBe('cut-off');
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with a walk over the list of lines, where all fences are usual ones', () => {
    const usual = fc.array(
      fc.constantFrom('```json', '```', '~~~json', '~~~', '````json', '````', '  ```json', '', 'text', '1'),
    );
    fc.assert(
      fc.property(usual, (all) => {
        expect(found(all.join('\n'))).toBe(walkSlowly(all.join('\n')));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes only a moment for any text', () => {
    const hostile = [
      '```json {"a":"'.repeat(20_000),
      '```json {[\n'.repeat(100_000),
      '    ```json\n    {"a":1}\n'.repeat(60_000),
      'x ```json\n{"a":\n'.repeat(80_000),
      `${'    ```\n'.repeat(99_999)}\`\`\`json\n{"a":1}\n\`\`\``,
      '{'.repeat(2_000_000),
      `\`\`\`json\n${'{"a":'.repeat(400_000)}`,
      'a `` '.repeat(500_000),
      ' '.repeat(3_000_000),
    ];
    for (const text of hostile) {
      const before = performance.now();
      findAnswerBlock(text);
      expect(performance.now() - before, text.slice(0, 20)).toBeLessThan(2_000);
    }
  });
});

/** The rule for usual fences once more, written the plain way. */
function walkSlowly(text: string): string {
  let open: { marks: string; json: boolean; body: string[] } | null = null;
  let last: string | null = null;
  for (const line of text.split('\n')) {
    const fence: RegExpExecArray | null = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line);
    const [, marks = '', info = ''] = fence ?? [];
    if (!open) {
      const inline: boolean = marks[0] === '`' && info.includes('`');
      if (fence && !inline)
        open = { marks, json: info.trim().split(/\s/)[0]!.toLowerCase() === 'json', body: [] };
    } else if (fence && marks[0] === open.marks[0] && marks.length >= open.marks.length && !info.trim()) {
      if (open.json) last = open.body.join('\n');
      open = null;
    } else open.body.push(line);
  }
  return open ? 'cut-off' : last === null ? 'none' : last.trim();
}
