import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { librarySettings } from '../config/load-settings.ts';
import { DamagedFileError } from './format/section-file.ts';
import { type IndexLife, openIndexSession } from './index-session.ts';

async function session(life: IndexLife) {
  const { path, cache } = temporaryRepository({ 'a.py': 'x = 1\n' });
  const settings = librarySettings({ cacheDir: cache });
  const one = await openIndexSession({ repo: path, settings, mode: 'incremental' }, life);
  const files = () => one.use(({ index }) => index.snapshot.files.map((file) => file.path));
  return { session: one, files, add: (name: string) => writeFileSync(join(path, name), 'y = 2\n') };
}

describe('an index session', () => {
  it('once: every use sees the files as they are', async () => {
    const { files, add } = await session('once');
    expect(await files()).toEqual(['a.py']);
    add('b.py');
    expect(await files()).toEqual(['a.py', 'b.py']);
  });

  it('pinned: shows the same files until it is refreshed', async () => {
    const { session: pinned, files, add } = await session('pinned');
    expect(await files()).toEqual(['a.py']);
    add('b.py');
    expect(await files()).toEqual(['a.py']);
    pinned.refresh();
    expect(await files()).toEqual(['a.py', 'b.py']);
    await pinned.close();
  });

  it('watched: follows the files by itself', async () => {
    const { session: watched, files, add } = await session('watched');
    expect(await files()).toEqual(['a.py']);
    add('b.py');
    await expect.poll(files, { timeout: 10_000 }).toEqual(['a.py', 'b.py']);
    await watched.close();
  });

  it('keeps the index of a use that is under way, also after a refresh and a close', async () => {
    const { session: pinned } = await session('pinned');
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = pinned.use(async ({ index }) => {
      begin();
      await gate;
      return index.segmentOf(index.snapshot.files[0]!).symbols(0).length;
    });
    await begun;
    pinned.refresh();
    await pinned.use(() => {});
    await pinned.close();
    goOn();
    expect(await slow).toBeGreaterThan(0);
  });

  it.each(['once', 'pinned', 'watched'] as const)(
    '%s: builds a damaged index again, and says so',
    async (life) => {
      const { session: one } = await session(life);
      let uses = 0;
      const codes = await one.use(({ result }) => {
        uses += 1;
        if (uses === 1) throw new DamagedFileError('for the test');
        return result.diagnostics.map(({ code }) => code);
      });
      expect(codes).toContain('index-rebuilt');
      await one.close();
    },
  );

  it('tries again after a scan that failed', async () => {
    const { path, cache } = temporaryRepository({ 'a.py': 'x = 1\n' });
    const settings = librarySettings({ cacheDir: join(cache, 'file', 'x') });
    writeFileSync(join(cache, 'file'), '');
    const one = await openIndexSession({ repo: path, settings, mode: 'incremental' }, 'pinned');
    await expect(one.use(() => 1)).rejects.toThrow();
    await expect(one.use(() => 1)).rejects.toThrow();
    await one.close();
  });
});
