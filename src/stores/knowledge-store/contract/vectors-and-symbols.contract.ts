import { describe, expect } from 'vitest';
import type { KnowledgeStore } from '../../../model/knowledge-store.ts';
import { lexical, nearest, symbolDraft, termsOf, updateOf } from '../stored-file.test-kit.ts';
import { type ContractKit, MODEL, paths, TREE } from './contract-kit.contract.ts';

/** The vector channel, structure, and the limits on time of every method. */
export function describeVectorsAndSymbols({ name, test }: ContractKit): void {
  describe(`${name}: vectors`, () => {
    const fill = (store: KnowledgeStore) => store.update(updateOf(TREE, MODEL));
    test('lead to the nearest file, by its best passage', async (store) => {
      await fill(store);
      const [list] = await store.search([nearest([1, 0.02, 0])]);
      expect(list![0]).toMatchObject({ path: 'src/auth/token.ts', span: { startLine: 1, endLine: 10 } });
      expect(list![0]!.score).toBeGreaterThan(0.99);
    });
    test('give cosines, best first', async (store) => {
      await fill(store);
      const [list] = await store.search([nearest([1, 1, 0])]);
      expect(paths(list!)).toEqual(['src/auth/token.ts', 'src/clock.ts']);
      expect(list![1]!.score).toBeCloseTo(Math.SQRT1_2, 2);
    });
    test('do not ask for a length', async (store) => {
      await fill(store);
      const [short] = await store.search([nearest([0.1, 0, 0])]);
      const [long] = await store.search([nearest([100, 0, 0])]);
      expect(short![0]!.score).toBeCloseTo(long![0]!.score, 6);
    });
    test('leave out what points elsewhere', async (store) => {
      await fill(store);
      expect((await store.search([nearest([-1, 0, 0])]))[0]).toEqual([]);
    });
    test('of another model say nothing', async (store) => {
      await fill(store);
      expect((await store.search([nearest([1, 0, 0], {}, { model: 'other' })]))[0]).toEqual([]);
    });
    test('of another size are refused', async (store) => {
      await fill(store);
      await expect(store.search([nearest([1, 0])])).rejects.toMatchObject({ code: 'store-refused' });
    });
    test('without a direction are refused', async (store) => {
      await fill(store);
      await expect(store.search([nearest([0, 0, 0])])).rejects.toMatchObject({ code: 'store-refused' });
    });
    test('obey filters and limits', async (store) => {
      await fill(store);
      const [python] = await store.search([nearest([1, 1, 1], { languages: ['python'] })]);
      expect(paths(python!)).toEqual(['src/mail.py']);
      expect((await store.search([nearest([1, 1, 1], {}, { limit: 1 })]))[0]).toHaveLength(1);
    });
    test('are sent again for a new model', async (store) => {
      await fill(store);
      expect((await store.update(updateOf(TREE, { model: 'n' }))).sent).toBe(4);
      expect((await store.search([nearest([1, 0, 0])]))[0]).toEqual([]);
      expect((await store.search([nearest([1, 0, 0], {}, { model: 'n' })]))[0]).toHaveLength(1);
    });
    test('and words can be asked for in one call', async (store) => {
      await fill(store);
      const lists = await store.search([lexical(termsOf('mail')), nearest([0, 1, 0]), lexical([])]);
      expect(lists.map(paths)).toEqual([['src/mail.py'], ['src/clock.ts', 'src/auth/token.ts'], []]);
    });
  });

  describe(`${name}: symbols, imports and edges`, () => {
    const fill = (store: KnowledgeStore) => store.update(updateOf(TREE));
    test('are found by name', async (store) => {
      await fill(store);
      expect(await store.symbols('refreshToken', {})).toEqual([
        {
          ...symbolDraft('refreshToken', 9),
          repository: 'org/app',
          branch: 'main',
          path: 'src/auth/token.ts',
        },
      ]);
    });
    test('are found in all files that define them', async (store) => {
      await fill(store);
      const found = await store.symbols('now', {});
      expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual(['src/clock.ts:1', 'src/mail.py:9']);
    });
    test('are found only by the exact name', async (store) => {
      await fill(store);
      for (const name of ['refresh', 'refreshtoken', 'Token', '*', ''])
        expect(await store.symbols(name, {})).toEqual([]);
    });
    test('may have any name', async (store) => {
      const names = ['operator ==', 'a.b', '__proto__', 'Überschrift mit Wörtern', '#private'];
      const symbols = names.map((name, at) => symbolDraft(name, at + 1));
      await store.update(updateOf({ a: { symbols } }));
      for (const name of names) expect(await store.symbols(name, {})).toHaveLength(1);
    });
    test('obey filters', async (store) => {
      await fill(store);
      expect(paths(await store.symbols('now', { languages: ['python'] }))).toEqual(['src/mail.py']);
      expect(await store.symbols('now', { branches: ['feature'] })).toEqual([]);
    });
    test('come with the file', async (store) => {
      await fill(store);
      const { symbols, imports } = TREE['src/auth/token.ts']!;
      expect(await store.file('org/app', 'main', 'src/auth/token.ts')).toMatchObject({
        language: 'typescript',
        lineCount: 10,
        symbols,
        imports,
      });
    });
    test('show edges in both directions', async (store) => {
      await fill(store);
      const token = await store.file('org/app', 'main', 'src/auth/token.ts');
      const clock = await store.file('org/app', 'main', 'src/clock.ts');
      expect(token?.edges).toEqual(TREE['src/auth/token.ts']!.edges);
      expect(token?.usedBy).toEqual([]);
      expect(clock?.usedBy).toEqual([
        { to: 'src/auth/token.ts', kind: 'import' },
        { to: 'src/auth/token.ts', kind: 'reference' },
      ]);
    });
    test('are not known of a file that is not there', async (store) => {
      await fill(store);
      expect(await store.file('org/app', 'main', 'src/auth')).toBeNull();
      expect(await store.file('org/app', 'feature', 'src/clock.ts')).toBeNull();
    });
  });

  describe(`${name}: the caller’s patience`, () => {
    const calls = (store: KnowledgeStore) =>
      [
        ['capabilities', (call) => store.capabilities(call)],
        ['snapshots', (call) => store.snapshots(call)],
        ['snapshot', (call) => store.snapshot('org/app', 'main', call)],
        ['update', (call) => store.update(updateOf(TREE), call)],
        ['search', (call) => store.search([lexical(termsOf('token'))], call)],
        ['symbols', (call) => store.symbols('now', {}, call)],
        ['file', (call) => store.file('org/app', 'main', 'src/clock.ts', call)],
        ['remove', (call) => store.remove('org/app', null, call)],
      ] satisfies [string, (call: Parameters<KnowledgeStore['search']>[1]) => Promise<unknown>][];
    test('ends at an aborted signal', async (store) => {
      for (const [, call] of calls(store))
        await expect(call({ signal: AbortSignal.abort() })).rejects.toMatchObject({
          code: 'store-cancelled',
        });
      expect(await store.snapshots()).toEqual([]);
    });
    test('ends when the time is up', async (store) => {
      for (const [, call] of calls(store))
        await expect(call({ budgetMs: 0 })).rejects.toMatchObject({ code: 'store-timeout' });
      expect(await store.snapshots()).toEqual([]);
    });
    test('is enough for an answer', async (store) => {
      for (const [, call] of calls(store))
        await call({ budgetMs: 60_000, signal: new AbortController().signal });
    });
  });
}
