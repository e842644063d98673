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
    ['another label', lines('```json5', '1', '```')],
    ['no label', lines('```', '{}', '```')],
    ['a block inside a longer fence', lines('````markdown', '```json', '1', '```', '````')],
    ['a block inside tildes', lines('~~~', '```json', '1', '```', '~~~')],
    ['four spaces of indentation', lines('    ```json', '    1', '    ```')],
    ['a tab of indentation', lines('\t```json', '1', '\t```')],
    ['a quoted block', lines('> ```json', '> 1', '> ```')],
    ['a fence in the middle of a line', lines('see ```json', '1', 'end ``` x')],
    ['code inside a line', '```json {"a":1} ```'],
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
  ])('says cut off for %s', (_, text, line) => {
    expect(findAnswerBlock(text)).toMatchObject({ kind: 'cut-off', line });
  });

  it('says where something looks like the block and is none', () => {
    expect(findAnswerBlock(lines('', '~~~', '```json', '1', '```', '~~~'))).toEqual({
      kind: 'none',
      blocks: 1,
      nearMiss: { line: 3, reason: 'inside-another-fence' },
    });
    expect(findAnswerBlock(lines('1. Result', '', '     ```json', '     1', '     ```'))).toMatchObject({
      nearMiss: { line: 3, reason: 'indented' },
    });
  });

  it('says the line of the first line inside the block', () => {
    expect(findAnswerBlock(lines('a', 'b', '```json', '1', '```'))).toMatchObject({ line: 4 });
  });
});

describe('fences, for any text', () => {
  const fenceLine = fc.constantFrom(
    '```json',
    '```',
    '~~~json',
    '~~~',
    '````json',
    '````',
    '  ```json',
    '`````',
  );
  const anyLines = fc.array(
    fc.oneof(fenceLine, fc.constantFrom('', '{"a":1}', 'text', '    ```json'), fc.string()),
  );
  const anyText = anyLines.map((all) => all.join('\n'));

  it('what stands inside a longer fence never changes the answer found', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('`', '~'), fc.boolean(), (inner, mark, before) => {
        const longest = Math.max(3, ...[...inner.matchAll(/`+|~+/g)].map(([run]) => run.length));
        const fence = mark.repeat(longest + 1);
        const answer = '```json\n{"answer":true}\n```';
        const other = `${fence}text\n${inner}\n${fence}`;
        const whole = before ? `${other}\n${answer}` : `${answer}\n${other}`;
        expect(found(whole)).toBe('{"answer":true}');
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with a walk over the list of lines', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(found(text)).toBe(walkSlowly(text));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The rule once more, written the plain way. */
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
