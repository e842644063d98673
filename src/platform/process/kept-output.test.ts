import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptOutput } from './kept-output.ts';

describe('kept output', () => {
  it('is everything while it fits, and in any case whole lines of both ends', () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        lines,
        fc.nat(40),
        fc.integer({ min: 20, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (given, headBytes, tailBytes, step) => {
          const whole = given.map((line, at) => `${at}:${line}\n`).join('');
          const kept = new KeptOutput({ headBytes, tailBytes });
          const bytes = Buffer.from(whole);
          for (let at = 0; at < bytes.length; at += step) kept.add(bytes.subarray(at, at + step));
          const text = kept.bytes().toString();
          if (bytes.length <= headBytes + tailBytes) expect(text).toBe(whole);
          expect(text.length).toBeLessThanOrEqual(headBytes + tailBytes + step);
          const all = whole.split('\n');
          for (const line of text.split('\n')) expect(all).toContain(line);
          if (kept.omittedBytes === 0) expect(text).toBe(whole);
          else expect(whole.endsWith(text.slice(text.lastIndexOf('\n', text.length - 2) + 1))).toBe(true);
        },
      ),
    );
  });

  it('needs no more memory for 200 MB than for its beginning and end', () => {
    const kept = new KeptOutput({ headBytes: 1000, tailBytes: 100_000 });
    const chunk = Buffer.from(`${'x'.repeat(65_535)}\n`);
    for (let at = 0; at < 3200; at += 1) kept.add(chunk);
    expect(kept.omittedBytes).toBeGreaterThan(209_000_000);
    expect(kept.bytes().length).toBeLessThan(300_000);
  });
});
