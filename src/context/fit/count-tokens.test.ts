import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { ENCODINGS, type Encoding, loadTokenCounter } from './count-tokens.ts';

const libraries = { o200k_base: o200k, cl100k_base: cl100k };
const byLibrary = (encoding: Encoding, text: string) =>
  libraries[encoding].countTokens(text, { disallowedSpecial: new Set() });

/** Characters that split text in surprising places. */
const nastyPiece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 6 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        '\n',
        '\r\n',
        '\r',
        ' ',
        '   ',
        '\t',
        '\n\n ',
        '/',
        '//',
        '\n/',
        "'s",
        "'LL",
        "don't",
        "'",
        '_',
        '();',
      ],
      ...[
        'HTTPServer',
        'fooBar',
        'ÉCOLE',
        'é',
        '漢字',
        '😀',
        '\u0301',
        '\u00a0',
        '\u3000',
        '\u2028',
        '٣',
        '²',
        '1234567',
      ],
      ...['<|endoftext|>', '\ud800', '\udc00', 'ﬀ', 'ǅ', 'ʰ', '\u200d', '\0', '\x1c'],
    ),
  },
);
const nastyText = fc.array(nastyPiece, { maxLength: 16 }).map((pieces) => pieces.join(''));

describe.each(ENCODINGS)('counting %s', async (encoding) => {
  const count = await loadTokenCounter(encoding);

  it('agrees with the library on real files', () => {
    const folder = fileURLToPath(new URL('../../platform/fs', import.meta.url));
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const text = readFileSync(`${folder}/${name}`, 'utf8');
      expect(count(text), name).toBe(byLibrary(encoding, text));
    }
  });

  it('agrees with the library on nasty texts', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        // the library takes the byte order mark for a blank and U+0085 for none, unlike the published encodings
        fc.pre(!/[\ufeff\u0085]/.test(text));
        expect(count(text)).toBe(byLibrary(encoding, text));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['a', ' ', '=', '\n', 'ab', 'A', 'é', '漢', 'ab1', 'qwertyuiopasdfghjklzxcvbnm'])(
    'agrees with the library on a long run of %j',
    (unit) => {
      for (const length of [39, 40, 41, 300]) {
        const text = unit.repeat(length).slice(0, length);
        expect(count(text)).toBe(byLibrary(encoding, text));
      }
    },
  );

  it.each(['a', ' ', '漢'])('counts a megabyte of %j in a moment', (unit) => {
    const text = unit.repeat(1_000_000 / Buffer.byteLength(unit));
    expect(cpuTime(() => expect(count(text)).toBeGreaterThan(1_000))).toBeLessThan(3_000);
  });

  it('adds up over pieces that end in one line break and begin with neither a blank nor a slash', () => {
    const piece = nastyText.map(
      (text) => `${text.replace(/^[\s/\u0085]+/, '').replace(/[\s\u0085]+$/, '')}\n`,
    );
    fc.assert(
      fc.property(
        fc.array(
          piece.filter((text) => text.length > 1),
          { maxLength: 6 },
        ),
        (pieces) => {
          const apart = pieces.reduce((sum, text) => sum + count(text), 0);
          expect(count(pieces.join(''))).toBe(apart);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('texts the library reads differently', () => {
  it('counts a byte order mark as a character, as the published encodings do', async () => {
    const count = await loadTokenCounter('o200k_base');
    expect(count('\ufeff')).toBe(1);
    // one piece "\ufeff#" and one "include"
    expect(count('\ufeff#include')).toBe(count('\ufeff#') + count('include'));
  });
});
