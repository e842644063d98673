import { describe, expect } from 'vitest';
import type { KnowledgeStore } from '../../../model/knowledge-store.ts';
import { storedFile, updateOf } from '../stored-file.test-kit.ts';
import { type ContractKit, paths, TREE } from './contract-kit.contract.ts';

/** Old or new, never a mix: refusals, cancellations and races. */
export function describeFailedUpdates({ name, test, search }: ContractKit): void {
  describe(`${name}: an update that goes wrong`, () => {
    const fails = async (
      store: KnowledgeStore,
      code: string,
      update: Parameters<KnowledgeStore['update']>[0],
    ) => {
      await expect(store.update(update)).rejects.toMatchObject({ code });
    };
    test('refuses a path twice', async (store) => {
      const update = updateOf(TREE);
      await fails(store, 'store-refused', { ...update, files: [...update.files, update.files[0]!] });
    });
    test('refuses an edge to nowhere', async (store) => {
      await fails(store, 'store-refused', updateOf({ a: { edges: [{ to: 'b', kind: 'import' }] } }));
    });
    test('refuses a nameless repository', (store) =>
      fails(store, 'store-refused', updateOf(TREE, { repository: '' })));
    test('refuses a nameless branch', (store) =>
      fails(store, 'store-refused', updateOf(TREE, { branch: '' })));
    test('refuses a file without a content hash', async (store) => {
      const update = updateOf({ a: {} });
      await fails(store, 'store-refused', { ...update, files: [{ ...update.files[0]!, contentHash: '' }] });
    });
    test('refuses a load of something else', async (store) => {
      await fails(store, 'store-refused', updateOf({ a: {} }, { load: () => storedFile('b', {}) }));
    });
    test('leaves the old state when a load fails', async (store) => {
      await store.update(updateOf(TREE));
      const before = await store.snapshots();
      const load = () => Promise.reject(new Error('disk gone'));
      const next = updateOf({ ...TREE, x: { code: 'sundial' } }, { load });
      await expect(store.update(next)).rejects.toThrow('disk gone');
      expect(await store.snapshots()).toEqual(before);
      expect(await search(store, ['sundial'])).toEqual([]);
      expect((await store.update(updateOf({ ...TREE, x: { code: 'sundial' } }))).sent).toBe(1);
    });
    test('leaves the old state when it is cancelled half-way', async (store) => {
      await store.update(updateOf(TREE));
      const controller = new AbortController();
      const update = updateOf({ a: { code: 'one' }, b: { code: 'two' } });
      const load: typeof update.load = (entry) => {
        controller.abort();
        return update.load(entry);
      };
      await expect(store.update({ ...update, load }, { signal: controller.signal })).rejects.toMatchObject({
        code: 'store-cancelled',
      });
      expect(paths(await search(store, ['time']))).toEqual(['src/clock.ts']);
      expect(await search(store, ['one', 'two'])).toEqual([]);
    });
    test('does not replace another generation than the expected one', async (store) => {
      await store.update(updateOf(TREE));
      await store.update(updateOf({}));
      await fails(store, 'store-conflict', updateOf(TREE, { expected: 1 }));
      await fails(store, 'store-conflict', updateOf(TREE, { expected: null }));
      expect((await store.update(updateOf(TREE, { expected: 2 }))).generation).toBe(3);
    });
    test('does not expect a generation of a missing snapshot', async (store) => {
      await fails(store, 'store-conflict', updateOf(TREE, { expected: 1 }));
      expect((await store.update(updateOf(TREE, { expected: null }))).generation).toBe(1);
    });
    test('loses against a faster one, and nothing of it shows', async (store, open) => {
      const other = open('red');
      const slow = updateOf({ a: { code: 'slow' } });
      const load: typeof slow.load = async (entry) => {
        await other.update(updateOf({ b: { code: 'fast' } }));
        return slow.load(entry);
      };
      await fails(store, 'store-conflict', { ...slow, load });
      expect(paths(await search(store, ['slow', 'fast']))).toEqual(['b']);
      expect((await store.update(slow)).generation).toBe(2);
    });
    test('of several at once: exactly one wins', async (_store, open) => {
      const updates = ['a', 'b', 'c', 'd'].map((path) =>
        open('red').update(updateOf({ [path]: { code: path } }, { expected: null })),
      );
      const settled = await Promise.allSettled(updates);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of settled)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'store-conflict' });
      expect((await open('red').snapshot('org/app', 'main'))?.generation).toBe(1);
    });
    test('shows old or new while it runs, never a mix', async (store, open) => {
      await store.update(updateOf({ a: { code: 'old' }, b: { code: 'old' } }));
      const reader = open('red');
      const update = updateOf({ a: { code: 'new' }, b: { code: 'new' } });
      const load: typeof update.load = async (entry) => {
        expect(paths(await search(reader, ['old']))).toEqual(['a', 'b']);
        expect(await search(reader, ['new'])).toEqual([]);
        return update.load(entry);
      };
      await store.update({ ...update, load });
      expect(paths(await search(reader, ['new']))).toEqual(['a', 'b']);
      expect(await search(reader, ['old'])).toEqual([]);
    });
  });
}
