import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { searchWords } from '../../context/rank/search-words.ts';
import type { KnowledgeStore } from '../../model/knowledge-store.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { IndexStore } from '../../scan/format/index-store.ts';
import { memoryVectorCache } from '../embeddings/vector-file.ts';
import { lexical, termsOf, updateOf } from '../knowledge-store/stored-file.test-kit.ts';
import { OpenSnapshots, openLocalStore } from './local-store.ts';

/** Writes down which files are opened. */
class WatchedFolder extends CacheFolder {
  readonly opened: string[] = [];

  override open(name: string) {
    this.opened.push(name);
    return super.open(name);
  }
}

function temporaryFolder(): WatchedFolder {
  const home = mkdtempSync(join(tmpdir(), 'loadout-store-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return new WatchedFolder(join(home, 'store'));
}

function openStore(folder: CacheFolder, writerId: string): KnowledgeStore {
  const parts = { team: 'red', scoreWords: searchWords, vectors: memoryVectorCache(), attached: [] };
  return openLocalStore({ ...parts, writerId, folder });
}

const pathsIn = async (store: KnowledgeStore, word: string) =>
  (await store.search([lexical(termsOf(word))]))[0]!.map(({ path }) => path);

describe('snapshots on disk', () => {
  it('are opened once, however often they are searched', async () => {
    const folder = temporaryFolder();
    const store = openStore(folder, 'a');
    await store.update(updateOf({ a: { code: 'alpha' }, b: { code: 'beta' } }));
    expect(await pathsIn(store, 'alpha')).toEqual(['a']);
    folder.opened.length = 0;
    for (let times = 0; times < 5; times++) expect(await pathsIn(store, 'beta')).toEqual(['b']);
    expect(folder.opened.filter((name) => name.endsWith('.segment'))).toEqual([]);
    await store.close();
    expect(await pathsIn(store, 'beta')).toEqual(['b']);
    expect(folder.opened.filter((name) => name.endsWith('.segment'))).not.toEqual([]);
    await store.close();
  });

  it('are opened again when another process has written them, and are gone when it has removed them', async () => {
    const folder = temporaryFolder();
    const [reader, writer] = [openStore(folder, 'a'), openStore(folder, 'b')];
    await writer.update(updateOf({ a: { code: 'alpha' } }));
    expect(await pathsIn(reader, 'alpha')).toEqual(['a']);
    await writer.update(updateOf({ b: { code: 'alpha' } }));
    expect(await pathsIn(reader, 'alpha')).toEqual(['b']);
    await writer.update(updateOf({ c: { code: 'alpha' } }, { branch: 'next' }));
    expect(await pathsIn(reader, 'alpha')).toEqual(['b', 'c']);
    expect(await writer.remove('org/app', 'main')).toBe(1);
    expect(await pathsIn(reader, 'alpha')).toEqual(['c']);
    await Promise.all([reader.close(), writer.close()]);
  });

  it('go on answering after their files are removed', async () => {
    const folder = temporaryFolder();
    const store = openStore(folder, 'a');
    await store.update(updateOf({ a: { code: 'alpha' } }));
    expect(await pathsIn(store, 'alpha')).toEqual(['a']);
    for (const name of folder.list()) if (name.endsWith('.segment')) folder.remove(name);
    expect(await pathsIn(store, 'alpha')).toEqual(['a']);
    expect(await pathsIn(openStore(folder, 'b'), 'alpha')).toEqual([]);
    await store.close();
  });

  it('do not all stay open when they are too many', async () => {
    const folder = temporaryFolder();
    const store = openStore(folder, 'a');
    for (const branch of ['one', 'two', 'three'])
      await store.update(updateOf({ [branch]: { code: 'alpha' }, other: { code: 'beta' } }, { branch }));
    const parts = { team: 'red', scoreWords: searchWords, passages: () => [] };
    const kept = new OpenSnapshots({ index: new IndexStore(folder), ...parts }, 4);
    for (let times = 0; times < 3; times++) {
      expect(kept.read((readers) => readers.map(({ head }) => head.branch).sort())).toEqual([
        ...['one', 'three', 'two'],
      ]);
      expect(kept.size).toBe(2);
    }
    kept.closeAll();
    expect(kept.size).toBe(0);
    // snapshots that no query wants are not opened
    expect(
      kept.read(
        ({ length }) => length,
        ({ branch }) => branch === 'two',
      ),
    ).toBe(1);
    expect(kept.size).toBe(1);
    kept.closeAll();
    await store.close();
  });
});
