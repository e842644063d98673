import { describe, expect } from 'vitest';
import type { KnowledgeStore } from '../../../model/knowledge-store.ts';
import { lexical, storedFile, termsOf, updateOf } from '../stored-file.test-kit.ts';
import { type ContractKit, MODEL, paths, TREE } from './contract-kit.contract.ts';

/** The lexical channel. */
export function describeWords({ name, test, search }: ContractKit): void {
  describe(`${name}: words`, () => {
    const fill = (store: KnowledgeStore) => store.update(updateOf(TREE, MODEL));
    test('lead to the files that have them', async (store) => {
      await fill(store);
      expect(paths(await search(store, ['token']))).toEqual(['src/auth/token.ts', 'src/mail.py']);
    });
    test('that no file has lead nowhere', async (store) => {
      await fill(store);
      expect(await search(store, ['zebra'])).toEqual([]);
    });
    test('are found inside names', async (store) => {
      await fill(store);
      expect(paths(await search(store, ['store']))).toEqual(['src/auth/token.ts']);
      expect(paths(await search(store, ['tokenstore']))).toEqual(['src/auth/token.ts']);
    });
    test('come with the facts about the file that a reader needs', async (store) => {
      await fill(store);
      const [hit] = await search(store, ['expiry']);
      const { contentHash } = storedFile('src/auth/token.ts', TREE['src/auth/token.ts']!);
      expect(hit).toMatchObject({
        repository: 'org/app',
        branch: 'main',
        path: 'src/auth/token.ts',
        contentHash,
      });
      expect(hit!.score).toBeGreaterThan(0);
    });
    test('count more the rarer they are', async (store) => {
      await store.update(
        updateOf({ a: { code: 'common x' }, b: { code: 'common y' }, c: { code: 'rare z' } }),
      );
      const [first, second] = await search(store, ['common', 'rare']);
      expect(first!.path).toBe('c');
      expect(first!.score).toBeGreaterThan(second!.score);
    });
    test('count by their weight', async (store) => {
      await store.update(updateOf({ a: { code: 'one' }, b: { code: 'two' } }));
      const [one, two] = termsOf('one', 'two');
      const [list] = await store.search([lexical([one!, { ...two!, weight: 2 }])]);
      expect(paths(list!)).toEqual(['b', 'a']);
      expect(list![0]!.score).toBeCloseTo(2 * list![1]!.score, 5);
    });
    test('of weight 0 count nothing', async (store) => {
      await fill(store);
      const [list] = await store.search([lexical([{ ...termsOf('token')[0]!, weight: 0 }])]);
      expect(list).toEqual([]);
    });
    test('count by their field', async (store) => {
      await store.update(updateOf({ a: { code: 'word' }, b: { definition: 'word' } }));
      expect(paths(await search(store, ['word']))).toEqual(['b', 'a']);
    });
    test('can be searched in one field only', async (store) => {
      await fill(store);
      const fields = { code: 0, comment: 0, string: 1, definition: 0 };
      const [list] = await store.search([lexical(termsOf('token'), { fields })]);
      expect(paths(list!)).toEqual(['src/mail.py']);
    });
    test('count more when repeated, less and less so', async (store) => {
      const repeat = (times: number) => ({ code: 'word '.repeat(times) });
      await store.update(updateOf({ a: repeat(1), b: repeat(2), c: repeat(3) }));
      const [list] = await store.search([lexical(termsOf('word'), { lengthShare: 0 })]);
      expect(paths(list!)).toEqual(['c', 'b', 'a']);
      const [c, b, a] = list!.map(({ score }) => score);
      expect(b! - a!).toBeGreaterThan(c! - b!);
    });
    test('count less in a long file', async (store) => {
      await store.update(updateOf({ a: { code: `word ${'filler '.repeat(50)}` }, b: { code: 'word' } }));
      expect(paths(await search(store, ['word']))).toEqual(['b', 'a']);
    });
    test('in several forms are one term', async (store) => {
      await store.update(updateOf({ a: { code: 'parse' }, b: { code: 'parsing' } }));
      const terms = [
        {
          words: [
            { word: 'parse', weight: 1 },
            { word: 'parsing', weight: 0.5 },
          ],
          weight: 1,
        },
      ];
      const [list] = await store.search([lexical(terms)]);
      expect(paths(list!)).toEqual(['a', 'b']);
    });
    test('of equal content are found at every path, and counted once', async (store) => {
      await store.update(updateOf({ a: { code: 'word' }, b: { code: 'word' }, c: { code: 'other' } }));
      const twins = await search(store, ['word']);
      expect(paths(twins)).toEqual(['a', 'b']);
      await store.update(updateOf({ a: { code: 'word' }, c: { code: 'other' } }));
      expect((await search(store, ['word']))[0]!.score).toBeCloseTo(twins[0]!.score, 6);
    });
    test('without any word give an empty list', async (store) => {
      await fill(store);
      expect((await store.search([lexical([])]))[0]).toEqual([]);
    });
    test('give no more than asked for, the best ones', async (store) => {
      await fill(store);
      const [list] = await store.search([lexical(termsOf('token'), { limit: 1 })]);
      expect(paths(list!)).toEqual(['src/auth/token.ts']);
    });
    test('give equal scores in order of path', async (store) => {
      await store.update(updateOf({ b: { code: 'word x' }, a: { code: 'word y' }, c: { code: 'word z' } }));
      expect(paths(await search(store, ['word']))).toEqual(['a', 'b', 'c']);
    });
    test('give the same answer twice', async (store) => {
      await fill(store);
      expect(await search(store, ['token', 'mail'])).toEqual(await search(store, ['token', 'mail']));
    });
    test('of other scripts are found', async (store) => {
      await store.update(updateOf({ a: { comment: 'größe' }, b: { comment: '数据' } }));
      expect(paths(await search(store, ['größe']))).toEqual(['a']);
      expect(paths(await search(store, ['数据']))).toEqual(['b']);
    });
    test('like the names of built-in things are just words', async (store) => {
      await store.update(updateOf({ __proto__x: { code: 'constructor __proto__ hasOwnProperty' } }));
      expect(paths(await search(store, ['constructor']))).toEqual(['__proto__x']);
      expect(await search(store, ['valueof'])).toEqual([]);
    });
  });
}
