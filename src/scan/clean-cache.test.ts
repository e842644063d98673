import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Snapshot } from '../model/snapshot.ts';
import { CacheFolder } from '../platform/cache/cache-folder.ts';
import { tryLock } from '../platform/fs/file-lock.ts';
import { INDEX_FORMAT, IndexStore } from './format/index-store.ts';
import { cleanCache } from './run-scan.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 31);
const KEY = 'name-0123456789abcdef';

function cacheWith(format: string): {
  cache: string;
  folder: string;
  put: (name: string, ageDays: number) => void;
} {
  const cache = mkdtempSync(join(tmpdir(), 'loadout-clean-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const folder = join(cache, 'index', format, KEY);
  mkdirSync(folder, { recursive: true });
  const put = (name: string, ageDays: number) => {
    const path = join(folder, name);
    if (!existsSync(path)) writeFileSync(path, 'old');
    utimesSync(path, (NOW - ageDays * DAY) / 1000, (NOW - ageDays * DAY) / 1000);
  };
  return { cache, folder, put };
}

it('removes an index of another format that was not written for two weeks', () => {
  const { cache, folder, put } = cacheWith('v1.3.1');
  put('a.segment', 20);
  put('a.snapshot', 13);
  cleanCache(cache, NOW);
  expect(readdirSync(folder)).toEqual(['a.segment', 'a.snapshot']);
  put('a.snapshot', 15);
  cleanCache(cache, NOW + 1000);
  // once a day is enough
  expect(existsSync(folder)).toBe(true);
  cleanCache(cache, NOW + 2 * DAY);
  expect(readdirSync(join(cache, 'index'))).toEqual(['last-cleaned']);
});

it('leaves other files alone, and those that a writer holds', () => {
  const { cache, folder, put } = cacheWith('v1.3.1');
  put('a.segment', 20);
  put('notes.txt', 20);
  mkdirSync(join(cache, 'index', 'v1-mine'));
  mkdirSync(join(cache, 'index', 'v1.3.1', 'mine'));
  const lock = tryLock(join(folder, 'writer.lock'));
  put('writer.lock', 20);
  cleanCache(cache, NOW);
  expect(readdirSync(folder)).toEqual(['a.segment', 'notes.txt', 'writer.lock']);
  lock!.release();
  cleanCache(cache, NOW + 2 * DAY);
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(readdirSync(join(cache, 'index'))).toEqual(['last-cleaned', 'v1-mine', 'v1.3.1']);
  expect(readdirSync(join(cache, 'index', 'v1.3.1'))).toEqual(['mine', KEY]);
});

it('forgets work trees that are gone, with the files that only they used', () => {
  const { cache, folder, put } = cacheWith(INDEX_FORMAT);
  const store = new IndexStore(new CacheFolder(folder));
  const snapshot = (root: string, part: string): Snapshot => ({
    ...{ id: '', root, gitSha: '', files: [], basis: null },
    segments: [`${part}.segment`, 'both.segment'],
    links: `${part}.links`,
  });
  store.commit('here.snapshot', snapshot(cache, 'here'), undefined, NOW);
  store.commit('gone.snapshot', snapshot(join(cache, 'gone'), 'gone'), undefined, NOW);
  for (const name of ['here.segment', 'both.segment', 'gone.segment', 'here.links', 'gone.links'])
    put(name, 20);
  put('here.snapshot', 20);
  put('gone.snapshot', 6);
  cleanCache(cache, NOW);
  expect(readdirSync(folder)).toHaveLength(7);
  put('gone.snapshot', 8);
  cleanCache(cache, NOW + 2 * DAY);
  expect(readdirSync(folder)).toEqual(['both.segment', 'here.links', 'here.segment', 'here.snapshot']);
});
