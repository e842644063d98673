import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

function isDeeplyFrozen(value: unknown): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))
  );
}

describe('a real issue', () => {
  const analysis = analyzeTask(`[Bug]: \`TokenStore.refresh()\` keeps the old session

### What happened?

After an upgrade to 4.2.1 the session in src/auth/token-store.ts is never renewed, see
https://github.com/acme/shop/blob/v4.2.1/src/auth/session.ts#L88-L95.

\`\`\`
TypeError: Cannot read properties of undefined (reading 'expiresAt')
    at TokenStore.refresh (/srv/shop/src/auth/token-store.ts:41:23)
    at async handle (/srv/shop/src/server/handle.ts:12:5)
\`\`\`

It says "session expired" although \`max_age\` is set. Works in \`acme.auth.legacy\`.

### Environment
- OS: Linux
- Node version: 20.11.0
`);

  it('is read', () => {
    expect(analysis.title).toBe('`TokenStore.refresh()` keeps the old session');
    expect(analysis.action).toBe('fix');
    expect(analysis.paths).toEqual([
      { path: 'src/auth/session.ts', kind: 'url', manner: 'text', line: 88, zone: 'lead' },
      { path: 'src/auth/token-store.ts', kind: 'path', manner: 'text', line: null, zone: 'lead' },
      { path: 'srv/shop/src/auth/token-store.ts', kind: 'path', manner: 'trace', line: 41, zone: 'trace' },
      { path: 'srv/shop/src/server/handle.ts', kind: 'path', manner: 'trace', line: 12, zone: 'trace' },
      { path: 'acme.auth.legacy', kind: 'module', manner: 'text', line: null, zone: 'prose' },
    ]);
    expect(analysis.symbols).toContainEqual({
      name: 'refresh',
      qualifiers: ['TokenStore'],
      form: 'backtick',
      zone: 'title',
      count: 1,
    });
    expect(analysis.frames.map(({ path, depth }) => [path, depth])).toEqual([
      ['/srv/shop/src/auth/token-store.ts', 0],
      ['/srv/shop/src/server/handle.ts', 1],
    ]);
    expect(analysis.quotes).toContainEqual({ text: 'session expired', isError: false });
    expect(analysis.quotes.filter(({ isError }) => isError)).toHaveLength(1);
    expect(analysis.keywords.slice(0, 4).map(({ word }) => word)).toContain('refresh');
    expect(analysis.about).toEqual({ tests: 0, docs: 0, examples: 0 });
  });

  it('gives words as written, once per zone', () => {
    const session = analysis.words.filter(({ word }) => word === 'session');
    expect(session).toEqual([
      { word: 'session', zone: 'title', count: 1 },
      { word: 'session', zone: 'lead', count: 1 },
      { word: 'session', zone: 'prose', count: 1 },
      { word: 'session', zone: 'boilerplate', count: 1 },
    ]);
  });
});

describe('other languages', () => {
  it('reads a German task', () => {
    const { action, keywords, paths } = analyzeTask(
      'Behebe den Absturz in `auth/anmeldung.ts`, wenn das Passwort fehlt',
    );
    expect(action).toBe('fix');
    expect(paths[0]).toEqual({
      path: 'auth/anmeldung.ts',
      kind: 'path',
      manner: 'text',
      line: null,
      zone: 'title',
    });
    expect(keywords.map(({ word }) => word)).toEqual(expect.arrayContaining(['absturz', 'passwort']));
  });

  it('reads a Chinese task', () => {
    const { action, keywords, symbols } = analyzeTask('修复解析器错误：调用 `parseHeader()` 时崩溃');
    expect(action).toBe('fix');
    expect(symbols[0]?.name).toBe('parseHeader');
    expect(keywords.map(({ word }) => word)).toEqual(expect.arrayContaining(['解析', 'parseheader', '崩溃']));
  });
});

describe('any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom(
          ...[
            '```',
            '~~~',
            '`',
            '"',
            "'",
            '<!--',
            '-->',
            '\n',
            '\n\n',
            '    ',
            '- [x] ',
            '# ',
            'File "a.py", line 1, in f',
          ],
          ...[
            'at a.b (c.js:1:2)',
            'Caused by: ',
            'src/a.ts:3',
            'a::b',
            'https://github.com/a/b/blob/c/',
            '%zz',
            '__proto__',
          ],
          ...[
            'constructor',
            'Error: x',
            'fix(a): ',
            '\ud800',
            '\0',
            '\\',
            '(',
            '[',
            '{',
            ' ',
            'word',
            '词',
            '1.2.3',
          ],
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  );

  it('is read without throwing, the same way each time, into frozen data', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const analysis = analyzeTask(text);
        expect(analysis.text).toBe(text);
        expect(isDeeplyFrozen(analysis)).toBe(true);
        expect(analyzeTask(analysis.text)).toEqual(analysis);
        expect(
          analysis.words.every(({ word, count }) => /^[\p{L}\p{M}\p{N}_]{1,64}$/u.test(word) && count > 0),
        ).toBe(true);
        expect(analysis.keywords.every(({ weight }) => weight > 0 && weight <= 1)).toBe(true);
        expect(analysis.paths.every(({ path }) => path !== '' && !/^[/.]{0,2}\/|\\/.test(path))).toBe(true);
        expect(analysis.paths.every(({ line }) => line === null || line > 0)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('has every short word of the text somewhere', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 }), (words) => {
        const found = new Set(analyzeTask(words.join(' ')).words.map(({ word }) => word));
        expect(words.every((word) => found.has(word))).toBe(true);
      }),
    );
  });
});
