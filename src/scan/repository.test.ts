import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CacheFolder } from '../platform/cache/cache-folder.ts';
import { takeTurn } from './repository.ts';

function temporaryCache(): CacheFolder {
  const path = mkdtempSync(join(tmpdir(), 'loadout-turn-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return new CacheFolder(path);
}

it('admits one writer at a time, and tells the others that they waited', async () => {
  const cache = temporaryCache();
  let inside = 0;
  const write = async () => {
    const turn = await takeTurn(cache, undefined);
    expect(++inside).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    inside--;
    turn.release();
    return turn.waited;
  };
  const waited = await Promise.all([write(), write(), write()]);
  expect(waited.filter(Boolean)).toHaveLength(2);
  expect(cache.list()).toEqual([]);
});

it('stops waiting when the user does', async () => {
  const cache = temporaryCache();
  const held = await takeTurn(cache, undefined);
  const stop = new AbortController();
  const waiting = takeTurn(cache, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow();
  held.release();
});
