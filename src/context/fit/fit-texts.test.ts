import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTexts, type TextPart } from './fit-rendered.ts';
import { BYTES, CHARACTERS } from './measure.ts';

const section = (id: string, text: string, priority = 0): TextPart => ({
  id,
  priority,
  forms: [{ name: 'whole', text }],
});

describe('a prompt of sections in bytes', () => {
  const parts = [
    { ...section('contract', 'C'.repeat(100), 3), protected: true },
    section('tree', 'T'.repeat(100)),
    section('history', 'H'.repeat(100), 1),
    { ...section('output', '漢'.repeat(40), 2), protected: true },
  ];
  const request = {
    parts,
    measure: BYTES,
    strategy: { kind: 'relevance' },
    separator: '\n\n',
  } as const;

  it('drops the least important, then cuts a protected section with a marker, to the byte', () => {
    expect(fitTexts({ ...request, limit: 426 }).text).toBe(
      ['C'.repeat(100), 'T'.repeat(100), 'H'.repeat(100), '漢'.repeat(40)].join('\n\n'),
    );
    expect(fitTexts({ ...request, limit: 425 }).texts.map(({ id }) => id)).toEqual([
      'contract',
      'history',
      'output',
    ]);
    const { text, used, receipts } = fitTexts({ ...request, limit: 200 });
    expect(text).toBe(`${'C'.repeat(100)}\n\n${'漢'.repeat(28)}\n[truncated]`);
    expect(used).toBe(198);
    expect(receipts.map(({ reason }) => reason)).toEqual(['protected', 'no-room', 'no-room', 'cut']);
  });

  it('never exceeds the limit by a byte, nor splits a character', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.nat(900), (texts, limit) => {
        const fit = fitTexts({ ...request, parts: texts.map((one, at) => section(`${at}`, one)), limit });
        expect(Buffer.byteLength(fit.text)).toBe(fit.used);
        expect(fit.used).toBeLessThanOrEqual(limit);
        expect(fit.text).not.toContain('\ufffd');
        const whole = texts.join('\n\n');
        if (Buffer.byteLength(whole) <= limit) expect(fit.text).toBe(whole);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('results of tools in characters', () => {
  it('keeps to the caps for the number, for each and for all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300 }), { maxLength: 12 }),
        fc.nat(1_000),
        fc.integer({ min: 20, max: 200 }),
        (texts, limit, maxPerItem) => {
          const { text, texts: kept } = fitTexts({
            parts: texts.map((one, at) => ({ ...section(`${at}`, one), priority: at })),
            measure: CHARACTERS,
            limit,
            strategy: { kind: 'latest-first', maxItems: 5, maxPerItem },
            marker: '…',
          });
          expect(text.length).toBeLessThanOrEqual(limit);
          expect(kept.length).toBeLessThanOrEqual(5);
          for (const one of kept) expect(one.text.length).toBeLessThanOrEqual(maxPerItem);
        },
      ),
      { numRuns: 500 },
    );
  });
});
