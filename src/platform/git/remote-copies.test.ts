import { existsSync, mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryLock } from '../fs/file-lock.ts';
import { cleanCopies, noteUse } from './remote-repository.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = 1_800_000_000_000;

function cache() {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  const make = (name: string, bytes: number, ageMs: number) => {
    const path = join(folder, `${name}-0123456789abcdef`);
    mkdirSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, 'a.txt'), 'x'.repeat(bytes));
    noteUse(path, NOW - ageMs, true);
    return path;
  };
  return { folder, make };
}

it('removes copies that were not used for a month, and none that is in use', () => {
  const { folder, make } = cache();
  const [old, fresh, locked, asked] = [
    make('old', 10, 31 * DAY_MS),
    make('fresh', 10, 29 * DAY_MS),
    make('locked', 10, 31 * DAY_MS),
    make('asked', 10, 31 * DAY_MS),
  ];
  const lock = tryLock(`${locked}.lock`)!;
  cleanCopies(folder, asked, NOW);
  lock.release();
  expect([old, fresh, locked, asked].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  expect(readdirSync(folder).filter((name) => name.startsWith('old'))).toEqual([]);
});

it('keeps the copies that were used last inside the size, and any that was used within the hour', () => {
  const { folder, make } = cache();
  const [now, minutes, hours, days] = [
    make('now', 600, 0),
    make('minutes', 600, 60_000),
    make('hours', 600, DAY_MS / 2),
    make('days', 600, 3 * DAY_MS),
  ];
  cleanCopies(folder, now, NOW, { unusedMs: 30 * DAY_MS, bytes: 1_000 });
  expect([now, minutes, hours, days].map((path) => existsSync(path))).toEqual([true, true, false, false]);
});

it('counts updates, and touches nothing that is not ours', () => {
  const { folder, make } = cache();
  const path = make('copy', 10, 0);
  expect([noteUse(path, NOW, true), noteUse(path, NOW, false), noteUse(path, NOW, true)]).toEqual([2, 2, 3]);
  writeFileSync(`${path}.json`, '{"usedAt":"never"');
  expect(noteUse(path, NOW, true)).toBe(1);
  const [unfinished, notes] = [`${path}.77.tmp`, join(folder, 'notes')];
  for (const one of [unfinished, notes]) {
    mkdirSync(one);
    utimesSync(one, 1, 1);
  }
  cleanCopies(folder, path, NOW);
  expect([existsSync(unfinished), existsSync(notes), existsSync(path)]).toEqual([false, true, true]);
});
