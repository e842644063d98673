import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const utf16 = (text: string, mark = ''): Buffer => Buffer.from(mark + text, 'utf16le');

describe('decodeText', () => {
  it('reads every UTF-8 text without loss', () => {
    const printable = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(printable, (text) => {
        expect(decodeText(Buffer.from(text))).toEqual({
          kind: 'text',
          text,
          encoding: 'utf-8',
          lossy: false,
        });
      }),
    );
  });

  it('never throws, and text that is not lossy gives its bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (values) => {
        const bytes = Buffer.from(values);
        const decoded = decodeText(bytes);
        if (decoded.kind === 'text' && decoded.encoding === 'utf-8' && !decoded.lossy) {
          const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
          expect(Buffer.from(decoded.text)).toEqual(marked ? bytes.subarray(3) : bytes);
        }
        if (decoded.kind === 'text') expect(decoded.text).not.toMatch(/[\ud800-\udfff]/u);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['empty', Buffer.alloc(0), '', 'utf-8', false],
    ['CRLF', Buffer.from('a\r\nb'), 'a\r\nb', 'utf-8', false],
    ['UTF-8 with a mark', Buffer.from('\ufeffgrün'), 'grün', 'utf-8', false],
    ['UTF-16 LE with a mark', utf16('grün\n', '\ufeff'), 'grün\n', 'utf-16le', false],
    ['UTF-16 BE with a mark', utf16('漢字\n', '\ufeff').swap16(), '漢字\n', 'utf-16be', false],
    ['UTF-16 LE without a mark', utf16('using System;\r\n'), 'using System;\r\n', 'utf-16le', false],
    ['UTF-16 BE without a mark', utf16('using System;\r\n').swap16(), 'using System;\r\n', 'utf-16be', false],
    ['UTF-16 with half a character', utf16('ok \ud83d', '\ufeff'), 'ok \ufffd', 'utf-16le', true],
    [
      'UTF-16 of odd length',
      Buffer.concat([utf16('ok', '\ufeff'), Buffer.from('x')]),
      'ok',
      'utf-16le',
      true,
    ],
    ['Latin-1', Buffer.from('caf\xe9 au lait', 'latin1'), 'café au lait', 'windows-1252', true],
    ['Windows quotes', Buffer.from('\x93hi\x94 \x80 5', 'latin1'), '“hi” € 5', 'windows-1252', true],
    ['Latin-1 umlauts', Buffer.from('äöüÄÖÜß \xff', 'latin1'), 'äöüÄÖÜß ÿ', 'windows-1252', true],
    ['terminal colours', Buffer.from('\x1b[31mred\x1b[0m\n'), '\x1b[31mred\x1b[0m\n', 'utf-8', false],
  ])('reads %s', (_, bytes, text, encoding, lossy) => {
    expect(decodeText(bytes)).toEqual({ kind: 'text', text, encoding, lossy });
  });

  it('keeps UTF-8 readable around a broken byte and at a cut end', () => {
    const broken = Buffer.concat([Buffer.from('größer, schöner, süß, Öl'), Buffer.from([0xff])]);
    expect(decodeText(broken)).toMatchObject({
      text: 'größer, schöner, süß, Öl\ufffd',
      encoding: 'utf-8',
      lossy: true,
    });
    const cut = Buffer.from('plain text then é').subarray(0, -1);
    expect(decodeText(cut)).toMatchObject({ text: 'plain text then \ufffd', encoding: 'utf-8', lossy: true });
  });

  it.each([
    ['a NUL in text', Buffer.from('abc\0def')],
    ['an ELF header', Buffer.from('7f454c4602010100000000000000000003003e00', 'hex')],
    ['a PNG header', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['UTF-32', Buffer.from('fffe000061000000620000006300000064000000', 'hex')],
    ['control bytes', Buffer.from([1, 2, 3, 0x41, 0x42, 4, 5])],
    ['compressed data without a NUL', Buffer.from([...Array(256).keys()].slice(1))],
  ])('calls %s binary', (_, bytes) => {
    expect(decodeText(bytes)).toEqual({ kind: 'binary' });
  });

  it('takes at most 50 ms per megabyte, whatever the bytes are', () => {
    const patterns = [
      'plain text\n',
      'häßlich 漢字 ',
      Buffer.from([0x61, 0xe4, 0x80]),
      Buffer.from([0xb0, 0xa1]),
      utf16('ab'),
    ];
    for (const pattern of patterns) {
      const bytes = Buffer.alloc(1024 * 1024, pattern as string);
      const runs = [1, 2, 3].map(() => {
        const start = performance.now();
        decodeText(bytes);
        return performance.now() - start;
      });
      expect(Math.min(...runs)).toBeLessThan(50);
    }
  });
});
