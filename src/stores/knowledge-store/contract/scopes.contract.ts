import { describe, expect } from 'vitest';
import type { KnowledgeStore } from '../../../model/knowledge-store.ts';
import { nearest, updateOf } from '../stored-file.test-kit.ts';
import { type ContractKit, MODEL, paths, TREE } from './contract-kit.contract.ts';

/** The scope of answers: filters, branches, repositories and teams. */
export function describeScopes({ name, test, search }: ContractKit): void {
  describe(`${name}: filters`, () => {
    const fill = (store: KnowledgeStore) => store.update(updateOf(TREE, MODEL));
    test('by language', async (store) => {
      await fill(store);
      expect(paths(await search(store, ['token'], { languages: ['python'] }))).toEqual(['src/mail.py']);
    });
    test('by several languages', async (store) => {
      await fill(store);
      expect(await search(store, ['token'], { languages: ['python', 'typescript'] })).toHaveLength(2);
    });
    test('by language leave files without one out', async (store) => {
      await fill(store);
      expect(await search(store, ['letters'], { languages: ['python'] })).toEqual([]);
    });
    test('by path', async (store) => {
      await fill(store);
      expect(paths(await search(store, ['token'], { paths: ['src/auth/*'] }))).toEqual(['src/auth/token.ts']);
    });
    test('by path mean every other character as it is', async (store) => {
      await fill(store);
      expect(
        await search(store, ['token'], { paths: ['src.auth*', 'src/(auth|mail)*', 'src/auth'] }),
      ).toEqual([]);
    });
    test('hold all at once', async (store) => {
      await fill(store);
      expect(await search(store, ['token'], { languages: ['python'], paths: ['src/auth/*'] })).toEqual([]);
    });
    test('that allow nothing find nothing', async (store) => {
      await fill(store);
      expect(await search(store, ['token'], { paths: [] })).toEqual([]);
    });
    test('do not change the scores', async (store) => {
      await fill(store);
      const all = await search(store, ['token']);
      const some = await search(store, ['token'], { languages: ['python'] });
      expect(some[0]!.score).toBeCloseTo(all[1]!.score, 6);
    });
    test('by repository, with patterns', async (store) => {
      await store.update(updateOf({ a: { code: 'word' } }, { repository: 'org/one' }));
      await store.update(updateOf({ a: { code: 'word' } }, { repository: 'org/two' }));
      await store.update(updateOf({ a: { code: 'word' } }, { repository: 'other/one' }));
      const found = async (pattern: string) =>
        (await search(store, ['word'], { repositories: [pattern] })).map(({ repository }) => repository);
      expect(await found('org/*')).toEqual(['org/one', 'org/two']);
      expect(await found('*/one')).toEqual(['org/one', 'other/one']);
      expect(await found('one')).toEqual([]);
    });
  });

  describe(`${name}: branches and repositories`, () => {
    const both = async (store: KnowledgeStore) => {
      await store.update(updateOf(TREE));
      const loaded: string[] = [];
      const feature = { ...TREE, 'src/clock.ts': { code: 'sundial' } };
      const receipt = await store.update(updateOf(feature, { branch: 'feature', loaded }));
      return { receipt, loaded };
    };
    test('share equal content', async (store) => {
      const { receipt, loaded } = await both(store);
      expect(receipt).toMatchObject({ sent: 1, kept: 3 });
      expect(loaded).toEqual(['src/clock.ts']);
    });
    test('are listed in order', async (store) => {
      await both(store);
      await store.update(updateOf(TREE, { repository: 'org/a' }));
      const names = (await store.snapshots()).map(({ repository, branch }) => `${repository}@${branch}`);
      expect(names).toEqual(['org/a@main', 'org/app@feature', 'org/app@main']);
    });
    test('answer for themselves', async (store) => {
      await both(store);
      expect(await search(store, ['sundial'], { branches: ['main'] })).toEqual([]);
      expect(await search(store, ['sundial'], { branches: ['feature'] })).toHaveLength(1);
      expect(await search(store, ['time'], { branches: ['feature'] })).toEqual([]);
    });
    test('do not change each other’s scores', async (store) => {
      await store.update(updateOf(TREE));
      const before = await search(store, ['token'], { branches: ['main'] });
      await store.update(
        updateOf({ x: { code: 'token token' }, y: { code: 'token' } }, { branch: 'feature' }),
      );
      await store.update(updateOf({ x: { code: 'token' } }, { repository: 'org/b', branch: 'other' }));
      const after = await search(store, ['token'], { branches: ['main'] });
      expect(paths(after)).toEqual(paths(before));
      for (const [at, { score }] of after.entries()) expect(score).toBeCloseTo(before[at]!.score, 6);
    });
    test('do not share content between repositories', async (store) => {
      await store.update(updateOf(TREE));
      const { sent } = await store.update(updateOf(TREE, { repository: 'org/b' }));
      expect(sent).toBe(4);
    });
    test('are removed one by one, the shared content stays', async (store) => {
      await both(store);
      expect(await store.remove('org/app', 'main')).toBe(1);
      expect(paths(await search(store, ['token']))).toEqual(['src/auth/token.ts', 'src/mail.py']);
      expect(await store.snapshot('org/app', 'main')).toBeNull();
    });
    test('are removed all at once', async (store) => {
      await both(store);
      await store.update(updateOf(TREE, { repository: 'org/b' }));
      expect(await store.remove('org/app', null)).toBe(2);
      expect((await store.snapshots()).map(({ repository }) => repository)).toEqual(['org/b']);
      expect(await store.remove('org/app', null)).toBe(0);
    });
    test('start over after a removal', async (store) => {
      await store.update(updateOf(TREE));
      await store.remove('org/app', null);
      expect(await store.update(updateOf(TREE))).toMatchObject({ changed: true, generation: 1 });
      expect(await search(store, ['token'])).toHaveLength(2);
    });
  });

  describe(`${name}: teams`, () => {
    test('see nothing of each other', async (store, open) => {
      await store.update(updateOf(TREE, MODEL));
      const other = open('blue');
      expect(await other.snapshots()).toEqual([]);
      expect(await other.snapshot('org/app', 'main')).toBeNull();
      expect(await search(other, ['token'])).toEqual([]);
      expect((await other.search([nearest([1, 0, 0])]))[0]).toEqual([]);
      expect(await other.symbols('now', {})).toEqual([]);
      expect(await other.file('org/app', 'main', 'src/clock.ts')).toBeNull();
    });
    test('remove nothing of each other', async (store, open) => {
      await store.update(updateOf(TREE));
      expect(await open('blue').remove('org/app', null)).toBe(0);
      expect(await search(store, ['token'])).toHaveLength(2);
    });
    test('have their own state of the same repository', async (store, open) => {
      await store.update(updateOf({ a: { code: 'red' } }));
      expect(await open('blue').update(updateOf({ a: { code: 'blue' } }, { expected: null }))).toMatchObject({
        sent: 1,
      });
      expect(await search(store, ['blue'])).toEqual([]);
      expect(await search(open('blue'), ['blue'])).toHaveLength(1);
    });
    test('send their own content', async (store, open) => {
      await store.update(updateOf(TREE));
      expect((await open('blue').update(updateOf(TREE))).sent).toBe(4);
    });
    test('share a state between their handles', async (store, open) => {
      await store.update(updateOf(TREE));
      expect(await search(open('red'), ['token'])).toEqual(await search(store, ['token']));
    });
    test('with patterns as names are just names', async (store, open) => {
      await store.update(updateOf(TREE));
      expect(await open('*').snapshots()).toEqual([]);
      expect(await open('re').snapshots()).toEqual([]);
    });
  });
}
