import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LoadoutError } from '../../model/loadout-error.ts';
import { CacheFolder } from './cache-folder.ts';

function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'loadout-cache-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function errorOf(work: () => unknown): LoadoutError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(LoadoutError);
    return error as LoadoutError;
  }
  throw new Error('no error');
}

describe('a cache folder', () => {
  it('says that something else is in its place', () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    for (const place of [path, join(path, 'below')]) {
      const error = errorOf(() => new CacheFolder(place));
      expect(error).toMatchObject({ code: 'cache-unwritable', subject: place });
      expect(error.message).toContain(place);
      expect(error.hint).toContain('remove it');
    }
  });

  it('reads a folder in place of a file as nothing, and says that it cannot be replaced', () => {
    const folder = new CacheFolder(temporaryFolder());
    mkdirSync(join(folder.path, 'a.snapshot'));
    writeFileSync(join(folder.path, 'a.snapshot', 'mine'), '');
    expect(folder.open('a.snapshot')).toBeNull();
    expect(folder.readAll('a.snapshot')).toBeNull();
    for (const write of [
      () => folder.write('a.snapshot', 'x'),
      () => folder.writeChunks('a.snapshot', [Buffer.from('x')]),
    ]) {
      const error = errorOf(write);
      expect(error).toMatchObject({ code: 'cannot-write', subject: join(folder.path, 'a.snapshot') });
      expect(error.hint).toContain('remove it');
    }
    folder.remove('a.snapshot');
    expect(readdirSync(folder.path)).toEqual(['a.snapshot']);
  });

  it('says how to continue when the folder is gone', () => {
    const folder = new CacheFolder(join(temporaryFolder(), 'cache'));
    rmSync(folder.path, { recursive: true });
    expect(folder.list()).toEqual([]);
    expect(folder.folders()).toEqual([]);
    expect(folder.changedAt('a')).toBeNull();
    expect(errorOf(() => folder.write('a', 'x')).hint).toContain('LOADOUT_CACHE_DIR');
    expect(errorOf(() => folder.writeChunks('a', [])).hint).toContain('LOADOUT_CACHE_DIR');
  });

  it('flushes earlier writes to disk, and names the ones that it cannot', async () => {
    const folder = new CacheFolder(temporaryFolder());
    folder.writeChunks('a', [Buffer.from('x'), Buffer.from('y')], { syncLater: true });
    await folder.sync('a');
    expect(folder.readAll('a')?.toString()).toBe('xy');
    await expect(folder.sync('b')).rejects.toMatchObject({ code: 'cannot-write' });
  });
});
