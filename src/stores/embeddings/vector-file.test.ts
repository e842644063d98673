import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { tryLock } from '../../platform/fs/file-lock.ts';
import { packVector } from '../knowledge-store/store-snapshot.ts';
import { openVectorFile } from './vector-file.ts';

function temporaryFile(): string {
  const home = mkdtempSync(join(tmpdir(), 'loadout-vectors-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return join(home, 'a.vectors');
}

const keyOf = (number: number) => number.toString(16).padStart(40, '0');
const passagesOf = (number: number) =>
  Array.from({ length: number % 3 }, (_, at) => ({
    startLine: at + 1,
    endLine: at + 9,
    vector: packVector([number + 1, at, 1])!,
  }));
const put = (path: string, ...numbers: number[]) =>
  openVectorFile(path).put(numbers.map((number) => [keyOf(number), passagesOf(number)]));
const held = (path: string, upTo: number) => {
  const cache = openVectorFile(path);
  return Array.from({ length: upTo }, (_, number) => number).filter(
    (number) => cache.get(keyOf(number)) !== null,
  );
};

it('keeps every vector, for the next process too', () => {
  const path = temporaryFile();
  put(path, 0, 1);
  put(path, 2);
  const cache = openVectorFile(path);
  for (const number of [0, 1, 2]) {
    const found = cache.get(keyOf(number))!;
    expect(found.map(({ startLine, endLine, vector }) => [startLine, endLine, [...vector.codes]])).toEqual(
      passagesOf(number).map(({ startLine, endLine, vector }) => [startLine, endLine, [...vector.codes]]),
    );
  }
  expect(cache.get(keyOf(3))).toBeNull();
});

it('writes nothing twice', () => {
  const path = temporaryFile();
  put(path, 1);
  const { size } = statSync(path);
  put(path, 1);
  expect(statSync(path).size).toBe(size);
});

it('cut off anywhere, it keeps the whole records and goes on from there', () => {
  fc.assert(
    fc.property(fc.nat(), (where) => {
      const path = temporaryFile();
      put(path, 0);
      const first = statSync(path).size;
      put(path, 1);
      const second = statSync(path).size;
      const cut = where % second;
      truncateSync(path, cut);
      expect(held(path, 2)).toEqual(cut < first ? [] : [0]);
      put(path, 2);
      expect(held(path, 3)).toEqual(cut < first ? [2] : [0, 2]);
    }),
    { numRuns: 40 },
  );
});

it('a damaged byte is noticed', () => {
  const path = temporaryFile();
  put(path, 1);
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 0x55;
    writeFileSync(path, damaged);
    expect(held(path, 2)).toEqual([]);
  }
});

it('starts again when the file is not a vector file', () => {
  const path = temporaryFile();
  writeFileSync(path, 'something else entirely, and long enough to look like a record of vectors'.repeat(20));
  put(path, 1);
  expect(held(path, 2)).toEqual([1]);
});

it('stays within its bounds and keeps the newest', () => {
  const path = temporaryFile();
  const cache = openVectorFile(path, 2000);
  for (let number = 0; number < 200; number++) cache.put([[keyOf(number), passagesOf(number)]]);
  expect(statSync(path).size).toBeLessThanOrEqual(2000);
  const kept = held(path, 200);
  expect(kept.at(-1)).toBe(199);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept).toEqual(kept.map((_, at) => 200 - kept.length + at));
});

it('two writers lose nothing of each other', () => {
  const path = temporaryFile();
  const [one, two] = [openVectorFile(path), openVectorFile(path)];
  one.put([[keyOf(1), passagesOf(1)]]);
  two.put([[keyOf(2), passagesOf(2)]]);
  one.put([[keyOf(4), passagesOf(4)]]);
  expect(held(path, 5)).toEqual([1, 2, 4]);
});

it('while another one writes, it answers without keeping', () => {
  const path = temporaryFile();
  const lock = tryLock(`${path}.lock`)!;
  const cache = openVectorFile(path);
  cache.put([[keyOf(1), passagesOf(1)]]);
  expect(cache.get(keyOf(1))).not.toBeNull();
  expect(held(path, 2)).toEqual([]);
  lock.release();
  expect(existsSync(`${path}.lock`)).toBe(false);
  appendFileSync(path, '');
});
