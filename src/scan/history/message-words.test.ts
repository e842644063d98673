import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageWords } from './load-history.ts';

const wordsOf = (message: string): string[] => [...messageWords(message).words.keys()].sort();

describe('messageWords', () => {
  it('tells the first line from the rest and splits names', () => {
    const { subject, words } = messageWords('Fix parseHeader\n\nThe parse of parse was wrong.\n');
    expect(subject).toBe('Fix parseHeader');
    expect(words.get('parseheader')).toBe(1 << 4);
    expect(words.get('parse')).toBe((1 << 4) | 2);
    expect(words.get('wrong')).toBe(1);
  });

  it.each([
    ['Fixed #12345 -- Added a cache', ['a', 'added', 'cache']],
    ['Refs #1, #22 -- Moved it (#333)', ['it', 'moved']],
    ['gh-104: closes gh-7', []],
    ['Cache\n\nSigned-off-by: Ann Lee <ann@x.org>\nCo-authored-by: Bo', ['cache']],
    ['Cache\n\nReviewed-By: Ann\nChange-Id: I8c\nPR-URL: https://x.org/1\nCc: Bo', ['cache']],
    ['See https://example.org/a/b?c=d now', ['now', 'see']],
    ['Revert deadbeef12\n\n(cherry picked from commit 0123456789abcdef)', ['revert']],
    ['Add defaced facade', ['add', 'defaced', 'facade']],
    ['Set limit to 42', ['42', 'limit', 'set', 'to']],
    ['修复崩溃', ['修复', '修复崩溃', '复崩', '崩溃']],
    ['\n\n  Late start\r\nnext', ['late', 'next', 'start']],
    ['', []],
    [`x ${'y'.repeat(65)}`, ['x']],
  ])('finds what %j is about', (message, words) => {
    expect(wordsOf(message)).toEqual(words.sort());
  });

  it('keeps counts apart however often a word comes', () => {
    const { words } = messageWords(`${'ab '.repeat(40)}\n${'ab '.repeat(40)}`);
    expect(words.get('ab')).toBe(0xff);
  });

  it('never fails, and shows one plain line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        const { subject, words } = messageWords(message);
        expect(subject).not.toMatch(/\p{Cc}/u);
        expect(subject.length).toBeLessThanOrEqual(200);
        for (const [word, counts] of words) {
          expect(word).toMatch(/^[^\s\0]+$/u);
          expect(counts).toBeGreaterThan(0);
          expect(counts).toBeLessThanOrEqual(0xff);
        }
      }),
    );
  });
});
