import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openTokenCounts } from './token-count-store.ts';

function counting() {
  const cache = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  const state = { asked: 0 };
  const count = (_bytes: Uint8Array, start: number, end: number) => {
    state.asked++;
    return end - start;
  };
  const open = () => openTokenCounts(cache, 'o200k_base', count);
  const file = () => join(cache, 'tokens', readdirSync(join(cache, 'tokens'))[0]!);
  return { state, open, file, cache };
}

it('counts a text once, in this run and in later ones', () => {
  const { state, open } = counting();
  const texts = ['', 'a', 'bb', 'a'].map((text) => Buffer.from(text));
  const first = open();
  expect(texts.map((bytes) => first.count(bytes))).toEqual([0, 1, 2, 1]);
  expect(state.asked).toBe(3);
  first.save();
  const second = open();
  expect(texts.map((bytes) => second.count(bytes))).toEqual([0, 1, 2, 1]);
  expect(state.asked).toBe(3);
});

it('never gives a wrong count, whatever its file contains', () => {
  const { open, file } = counting();
  const store = open();
  store.count(Buffer.from('abc'));
  store.save();
  const whole = readFileSync(file());
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, by, cut) => {
      const damaged = Buffer.from(whole);
      damaged[at] = damaged[at]! ^ by;
      writeFileSync(file(), cut ? whole.subarray(0, at) : damaged);
      expect(open().count(Buffer.from('abc'))).toBe(3);
      expect(open().count(Buffer.from('abcd'))).toBe(4);
    }),
    { numRuns: 30 },
  );
});

it('has a fixed size, and replaces the rows that were unused for longest', () => {
  const { state, open, file } = counting();
  const store = open();
  for (let at = 0; at < 150_000; at++) store.count(Buffer.from(`text ${at}`));
  store.save();
  const { length } = readFileSync(file());
  expect(length).toBeLessThan(3_500_000);
  const asked = state.asked;
  const again = open();
  for (let at = 149_000; at < 150_000; at++) again.count(Buffer.from(`text ${at}`));
  expect(state.asked - asked).toBeLessThan(400);
});

it('counts without a table where none can be written', () => {
  const { cache, state } = counting();
  writeFileSync(join(cache, 'file'), '');
  const store = openTokenCounts(join(cache, 'file'), 'o200k_base', (_, start, end) => end - start);
  expect(store.count(Buffer.from('abc'))).toBe(3);
  store.save();
  expect(state.asked).toBe(0);
});
