import { describe, expect } from 'vitest';
import { updateOf } from '../stored-file.test-kit.ts';
import { type ContractKit, MODEL, paths, TREE } from './contract-kit.contract.ts';

/** Updates: the files of a branch, and repeated updates that change nothing. */
export function describeUpdates({ name, test, search }: ContractKit): void {
  describe(`${name}: a new store`, () => {
    test('says what it can do', async (store) => {
      const { channels, writable } = await store.capabilities();
      expect(channels).toContain('lexical');
      expect(writable).toBe(true);
    });
    test('has a name and a team', async (store) => {
      expect(store.name).not.toBe('');
      expect(store.team).toBe('red');
    });
    test('has no snapshots', async (store) => expect(await store.snapshots()).toEqual([]));
    test('knows no snapshot by name', async (store) => {
      expect(await store.snapshot('org/app', 'main')).toBeNull();
    });
    test('finds nothing', async (store) => expect(await search(store, ['token'])).toEqual([]));
    test('finds no symbol', async (store) => expect(await store.symbols('now', {})).toEqual([]));
    test('knows no file', async (store) => {
      expect(await store.file('org/app', 'main', 'src/clock.ts')).toBeNull();
    });
    test('has nothing to remove', async (store) => expect(await store.remove('org/app', null)).toBe(0));
  });

  describe(`${name}: an update`, () => {
    test('says what it sent', async (store) => {
      expect(await store.update(updateOf(TREE))).toEqual({
        generation: 1,
        changed: true,
        sent: 4,
        kept: 0,
        removed: 0,
      });
    });
    test('makes a snapshot that can be seen', async (store) => {
      await store.update(updateOf(TREE, MODEL));
      const snapshot = await store.snapshot('org/app', 'main');
      expect(snapshot).toMatchObject({ commit: 'c1', generation: 1, fileCount: 4, model: 'm' });
      expect(await store.snapshots()).toEqual([snapshot]);
    });
    test('loads each file once', async (store) => {
      const loaded: string[] = [];
      await store.update(updateOf(TREE, { loaded }));
      expect(loaded.sort()).toEqual(Object.keys(TREE).sort());
    });
    test('waits for files that come later', async (store) => {
      const update = updateOf(TREE);
      const load = async (entry: (typeof update.files)[number]) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return update.load(entry);
      };
      expect((await store.update({ ...update, load })).sent).toBe(4);
    });
    test('tells how far it is', async (store) => {
      const steps: string[] = [];
      await store.update(updateOf(TREE, { onProgress: (sent, total) => steps.push(`${sent}/${total}`) }));
      expect(steps.at(-1)).toBe('4/4');
    });
    test('of the same files changes nothing', async (store) => {
      await store.update(updateOf(TREE));
      const before = await store.snapshots();
      for (let times = 0; times < 3; times++) {
        const loaded: string[] = [];
        const receipt = await store.update(updateOf(TREE, { loaded }));
        expect(receipt).toEqual({ generation: 1, changed: false, sent: 0, kept: 4, removed: 0 });
        expect(loaded).toEqual([]);
      }
      expect(await store.snapshots()).toEqual(before);
    });
    test('takes the files in any order', async (store) => {
      await store.update(updateOf(TREE));
      const update = updateOf(TREE);
      const { changed } = await store.update({ ...update, files: [...update.files].reverse() });
      expect(changed).toBe(false);
    });
    test('sends only what changed', async (store) => {
      await store.update(updateOf(TREE));
      const loaded: string[] = [];
      const next = { ...TREE, 'src/clock.ts': { code: 'sundial' } };
      const receipt = await store.update(updateOf(next, { loaded, commit: 'c2' }));
      expect(receipt).toEqual({ generation: 2, changed: true, sent: 1, kept: 3, removed: 1 });
      expect(loaded).toEqual(['src/clock.ts']);
    });
    test('with another commit and the same files sends nothing', async (store) => {
      await store.update(updateOf(TREE));
      const receipt = await store.update(updateOf(TREE, { commit: 'c2' }));
      expect(receipt).toMatchObject({ changed: true, generation: 2, sent: 0, removed: 0 });
      expect((await store.snapshot('org/app', 'main'))?.commit).toBe('c2');
    });
    test('with other edges alone is a change and sends nothing', async (store) => {
      await store.update(updateOf(TREE));
      const next = {
        ...TREE,
        'src/mail.py': { ...TREE['src/mail.py'], edges: [{ to: 'src/clock.ts', kind: 'import' as const }] },
      };
      const receipt = await store.update(updateOf(next));
      expect(receipt).toMatchObject({ changed: true, sent: 0 });
      const file = await store.file('org/app', 'main', 'src/mail.py');
      expect(file?.edges).toEqual([{ to: 'src/clock.ts', kind: 'import' }]);
    });
    test('forgets files that are gone', async (store) => {
      await store.update(updateOf(TREE));
      const { 'src/mail.py': _, ...rest } = TREE;
      expect((await store.update(updateOf(rest))).removed).toBe(1);
      expect(paths(await search(store, ['mail']))).toEqual([]);
    });
    test('finds new files', async (store) => {
      await store.update(updateOf(TREE));
      await store.update(updateOf({ ...TREE, 'src/new.ts': { code: 'sundial' } }));
      expect(paths(await search(store, ['sundial']))).toEqual(['src/new.ts']);
    });
    test('finds the new content and not the old one', async (store) => {
      await store.update(updateOf(TREE));
      await store.update(updateOf({ ...TREE, 'src/clock.ts': { code: 'sundial' } }));
      expect(paths(await search(store, ['sundial', 'time']))).toEqual(['src/clock.ts']);
    });
    test('to no files leaves an empty snapshot', async (store) => {
      await store.update(updateOf(TREE));
      expect((await store.update(updateOf({}))).removed).toBe(4);
      expect(await search(store, ['token'])).toEqual([]);
      expect((await store.snapshot('org/app', 'main'))?.fileCount).toBe(0);
    });
    test('back to former content needs no generation twice', async (store) => {
      await store.update(updateOf(TREE));
      await store.update(updateOf({}));
      expect((await store.update(updateOf(TREE))).generation).toBe(3);
      expect(paths(await search(store, ['sundial', 'time']))).toEqual(['src/clock.ts']);
    });
  });
}
