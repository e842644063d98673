import { describe, expect, it } from 'vitest';
import type { TaskZone } from '../../model/task-analysis.ts';
import { analyzeTask } from './analyze-task.ts';

/** The zones that have a word. */
function zones(text: string, word: string): TaskZone[] {
  return analyzeTask(text)
    .words.filter((found) => found.word === word)
    .map(({ zone }) => zone);
}

describe('titles', () => {
  it.each([
    ['Fix the parser', 'Fix the parser'],
    ['\n\n  # Fix the parser\n\nIt fails', 'Fix the parser'],
    ['**Fix the parser**', 'Fix the parser'],
    ['[Bug]: Parser drops rows', 'Parser drops rows'],
    ['[BUG] Parser drops rows', 'Parser drops rows'],
    ['[Parser] drops rows', '[Parser] drops rows'],
    ['fix(store): close the file', 'close the file'],
    ['feat!: new colours', 'new colours'],
    ['Bug: Parser drops rows', 'Parser drops rows'],
    ['net/http: keep the header', 'net/http: keep the header'],
    ['<!-- please read\nthe guide -->\n### Description\n\nParser drops rows', 'Parser drops rows'],
    ['Fix the parser\r\n\r\nIt fails', 'Fix the parser'],
    [
      'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nKeyError: boom\n\nAny idea?',
      'KeyError: boom',
    ],
    [`The parser drops rows. ${'It is slow too. '.repeat(40)}`, 'The parser drops rows.'],
    ['Hello world program crashes', 'Hello world program crashes'],
    ['Thanks page is broken', 'Thanks page is broken'],
    ['Hi all,\n\nParser drops rows', 'Parser drops rows'],
    ['', ''],
    [' \n\t\n', ''],
    ['---\n???\n', ''],
  ])('%j', (text, title) => expect(analyzeTask(text).title).toBe(title));

  it('keep the scope and the type of a commit as words', () => {
    expect(zones('fix(store): close the file', 'store')).toEqual(['title']);
    expect(zones('fix(store): close the file', 'fix')).toEqual(['boilerplate']);
  });
});

const ISSUE = `[Bug]: Upload loses the last chunk
<!-- Thank you for reporting, unicorn -->

### Description

Hello everyone,
Uploads drop the leadword when the connection is slow.
A second leadline follows.

This is proseword with \`code\`.

    indented_code = 1

\`\`\`python
fenced_code()
\`\`\`

Traceback (most recent call last):
  File "app/upload.py", line 3, in send
    tracecode
ValueError: bad chunk

### Environment

- OS: zebraos 12
- Python version: 3.8
numpy==1.19.0

### Checklist

- [x] I have searched the walruses

### Analysis

Closing words behindword.

Signed-off-by: Jane Penguin <jane@example.com>
`;

describe('zones', () => {
  it.each<[string, TaskZone[]]>([
    ['chunk', ['title', 'trace']],
    ['unicorn', ['boilerplate']],
    ['Description', ['boilerplate']],
    ['Hello', ['boilerplate']],
    ['leadword', ['lead']],
    ['leadline', ['lead']],
    ['proseword', ['prose']],
    ['indented_code', ['code']],
    ['fenced_code', ['code']],
    ['tracecode', ['trace']],
    ['zebraos', ['boilerplate']],
    ['numpy', ['boilerplate']],
    ['walruses', ['boilerplate']],
    ['behindword', ['prose']],
    ['Penguin', ['boilerplate']],
  ])('%s is in %s', (word, expected) => expect(zones(ISSUE, word)).toEqual(expected));

  it.each<[string, string, TaskZone]>([
    ['steps to reproduce', 'Title\n\n## Steps to reproduce\nx', 'boilerplate'],
    ['a bold heading', 'Title\n\n**Expected behavior**\nx', 'boilerplate'],
    ['a question of the template', 'Title\n\n### What did you expect to happen?\nx', 'boilerplate'],
    ['a heading of the author', 'Title\n\n## Reader keeps the lock\nx', 'prose'],
    ['a picture', 'Title\n\n![reader](https://example.com/x.png)', 'boilerplate'],
    ['an address', 'Title\n\nsee https://example.com/reader', 'boilerplate'],
    ['a tree of versions', 'Title\n\n```\n├── reader v1.6.0\n└── lock v1.2.0\n```', 'boilerplate'],
    ['a log', 'Title\n\n2024-01-31 10:00:00 ERROR reader failed', 'trace'],
    ['code without a fence', 'Title\n\nDo this:\nfrom reader import x', 'code'],
    ['a class without a fence', 'Title\n\nDo this:\nclass Reader(reader):', 'code'],
    ['a prompt', 'Title\n\n>>> reader', 'code'],
    ['an open fence', 'Title\n\nintro\n\n```\nreader', 'code'],
    ['a fence of tildes', 'Title\n\nintro\n\n~~~ts\nreader\n~~~', 'code'],
    ['behind an open comment', 'Title\n\nintro\n\n<!-- oops\n\nreader', 'prose'],
    ['a list', 'Title\n\nintro\n\n- one\n\n    reader goes on', 'prose'],
    [
      'a long sentence under a heading that says nothing',
      `Title\n\n## Environment\n${'many words '.repeat(12)} reader`,
      'lead',
    ],
    ['nested fences', 'Title\n\nintro\n\n````md\n```js\n```\nreader\n````', 'code'],
  ])('%s', (_, text, expected) => {
    const word = analyzeTask(text).words.find((found) =>
      /^(?:reader|reproduce|Expected|expect|Reader)$/.test(found.word),
    );
    expect(word?.zone).toBe(expected);
  });

  it('keeps fences with their language', () => {
    expect(analyzeTask('Title\n\n```Python\na\nb\n```\n\n~~~\nc').fences).toEqual([
      { language: 'python', text: 'a\nb' },
      { language: '', text: 'c' },
    ]);
  });
});
