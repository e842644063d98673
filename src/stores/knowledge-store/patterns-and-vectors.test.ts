import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesWildcard } from '../../schema/text-values.ts';
import { cutPassages } from '../embeddings/embed-files.ts';
import { cosine, packVector, unitVector } from './store-snapshot.ts';

it('a pattern means what the same regular expression means', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (wanted, given) => {
      const expression = new RegExp(`^${wanted.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
      expect(matchesWildcard(wanted, given)).toBe(expression.test(given));
    }),
    { numRuns: 3000 },
  );
});

it('a pattern made to take long does not', () => {
  const started = performance.now();
  expect(matchesWildcard('*a'.repeat(200), `${'a'.repeat(5000)}b`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});

it('a packed vector points where the vector pointed', () => {
  const vector = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 2, maxLength: 64 });
  fc.assert(
    fc.property(vector, (numbers) => {
      const [packed, unit] = [packVector(numbers), unitVector(numbers)];
      if (!packed || !unit) {
        expect(numbers.every((value) => Math.abs(value) < 1e-100)).toBe(true);
        return;
      }
      expect(cosine(packed, unit)).toBeGreaterThan(0.99);
      expect(cosine(packed, unit)).toBeLessThan(1.01);
    }),
  );
});

it('passages cover a text in order, none too long', () => {
  const line = fc.string({ maxLength: 900 }).map((text) => text.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
      const passages = cutPassages('src/a.ts', lines.join('\n'));
      let before = 0;
      for (const { startLine, endLine, text } of passages) {
        expect(startLine).toBeGreaterThan(before);
        expect(endLine).toBeGreaterThanOrEqual(startLine);
        expect(text.startsWith('src/a.ts\n')).toBe(true);
        expect(text.length).toBeLessThan(2200);
        before = endLine;
      }
      expect(passages.length).toBeLessThanOrEqual(40);
      const written = lines.findIndex((one) => one.trim() !== '');
      if (written >= 0) expect(passages[0]!.endLine).toBeGreaterThan(written);
    }),
  );
});
