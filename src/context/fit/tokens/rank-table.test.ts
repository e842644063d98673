import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packPool, placeTokens, poolOf, unpackPool } from './rank-table.ts';

const token = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.nat(255), { maxLength: 200 }),
);

it('unpacks to the packed tokens, texts and bytes alike', () => {
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), (vocabulary) => {
      const pool = poolOf(vocabulary);
      const made = placeTokens(pool);
      const { bytes, starts, slots } = unpackPool(packPool(pool, made));
      expect([...slots!]).toEqual([...made]);
      expect([...starts]).toEqual([...pool.starts]);
      expect(Buffer.from(bytes).equals(Buffer.from(pool.bytes))).toBe(true);
    }),
  );
});

it('keeps the place of a rank that no token has', () => {
  const sparse: string[] = [];
  sparse[2] = 'b';
  expect([...poolOf(sparse).starts]).toEqual([0, 0, 0, 1]);
});

it('refuses a token that is too long for its length to be kept', () => {
  expect(() => packPool(poolOf(['x'.repeat(256)]), new Int32Array(0))).toThrow(RangeError);
});
