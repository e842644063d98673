import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strongestFiles } from './ranking-context.ts';

it('are the first of all files in order', () => {
  const values = fc.array(fc.nat(20), { maxLength: 200 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 12 }), (given, most) => {
      const files = given.map((_, file) => file).filter((file) => given[file]! > 0);
      const sorted = files.sort((a, b) => given[b]! - given[a]! || a - b);
      expect(strongestFiles(Float64Array.from(given), most)).toEqual(sorted.slice(0, most));
    }),
  );
});
