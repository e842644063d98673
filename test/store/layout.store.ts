import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lexical, termsOf, updateOf } from '../../src/stores/knowledge-store/stored-file.test-kit.ts';
import { indexBody } from '../../src/stores/opensearch/index-layout.ts';
import { clusterUrls, freshTeam, hasCluster, openTestStore } from './cluster-kit.ts';

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(clusterUrls()[0] + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

describe.skipIf(!hasCluster())('an index', () => {
  const fresh = () => {
    const index = `loadout-${randomUUID()}`;
    onTestFinished(async () => {
      for (const layout of [0, 1, 2]) await ask('DELETE', `/${index}-v${layout}`);
    });
    return index;
  };

  it('of an earlier layout is brought over, and the alias changes hands', async () => {
    const index = fresh();
    await ask('PUT', `/${index}-v0`, { ...indexBody({ alias: index, shards: 1 }), aliases: { [index]: {} } });
    await ask('PUT', `/${index}-v0/_doc/old?refresh=true`, { kind: 'file', team: 'other', path: 'kept' });
    const store = openTestStore(freshTeam(), { index, shards: 1 });
    await store.update(updateOf({ a: { code: 'word' } }));
    expect(Object.keys((await ask('GET', `/_alias/${index}`)) as object)).toEqual([`${index}-v1`]);
    expect(await ask('GET', `/${index}/_doc/old`)).toMatchObject({ found: true });
    expect((await store.search([lexical(termsOf('word'))]))[0]).toHaveLength(1);
    await store.close();
  });

  it('of a later layout is not changed', async () => {
    const index = fresh();
    await ask('PUT', `/${index}-v2`, { aliases: { [index]: {} } });
    const store = openTestStore(freshTeam(), { index, shards: 1 });
    await expect(store.update(updateOf({ a: { code: 'word' } }))).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('layout 2'),
    });
    await store.close();
  });

  it('is created once when several clients start at the same time', async () => {
    const index = fresh();
    const stores = Array.from({ length: 4 }, () => openTestStore(freshTeam(), { index, shards: 1 }));
    await Promise.all(stores.map((store) => store.update(updateOf({ a: { code: 'word' } }))));
    for (const store of stores) {
      expect((await store.search([lexical(termsOf('word'))]))[0]).toHaveLength(1);
      await store.close();
    }
  });

  it('that lost files is repaired by the next update', async () => {
    const store = openTestStore(freshTeam());
    const tree = { a: { code: 'one' }, b: { code: 'two' } };
    await store.update(updateOf(tree));
    await ask('POST', `/loadout-test/_delete_by_query?refresh=true`, {
      query: { bool: { filter: [{ term: { team: store.team } }, { term: { path: 'a' } }] } },
    });
    expect((await store.search([lexical(termsOf('one'))]))[0]).toEqual([]);
    await store.update(updateOf({ ...tree, c: { code: 'three' } }));
    const [list] = await store.search([lexical(termsOf('one', 'two', 'three'))]);
    expect(list!.map(({ path }) => path).sort()).toEqual(['a', 'b', 'c']);
    await store.close();
  });
});
