import { describe, expect, it } from 'vitest';
import type { KnowledgeStore, StoreFilter } from '../../src/model/knowledge-store.ts';
import {
  type Drafts,
  lexical,
  nearest,
  symbolDraft,
  termsOf,
  updateOf,
} from '../../src/stores/knowledge-store/stored-file.test-kit.ts';
import { SCALE } from '../support/scan-kit.ts';
import { freshTeam, hasCluster, openTestStore } from './cluster-kit.ts';

const QUERIES = SCALE > 1 ? 5000 : 500;
const TEAMS = 4;
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'token', 'store'];
const REPOSITORIES = ['org/one', 'org/two', 'other/one'];
const PATTERNS = ['*', 'org/*', '*one', 'o*', '**', 'org/one', ''];

/** Equal for all teams but for one word, which says whose it is. */
function treeFor(team: number): Drafts {
  const draft = (name: string) => ({
    code: `${WORDS.join(' ')} mark${team}`,
    definition: name,
    symbols: [symbolDraft(name, 1)],
    vectors: [[1, team / 10, 0]],
  });
  return Object.fromEntries(WORDS.map((name) => [`src/${name}-of-${team}.ts`, draft(name)]));
}

describe.skipIf(!hasCluster())('teams in one index', () => {
  it(`see nothing of each other in ${QUERIES} random queries`, { timeout: 900_000 }, async () => {
    const base = freshTeam();
    // names that are parts and patterns of each other
    const names = [base, `${base}*`, `${base} `, `*`.repeat(3) + base];
    const stores: KnowledgeStore[] = names.map((name) => openTestStore(name));
    for (const [team, store] of stores.entries())
      for (const repository of REPOSITORIES)
        await store.update(updateOf(treeFor(team), { repository, model: 'm' }));
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)]!;
    let asked = 0;
    let found = 0;
    while (asked < QUERIES) {
      const team = random(TEAMS);
      const store = stores[team]!;
      const own = new RegExp(`-of-${team}\\.ts$`);
      const filter: StoreFilter = {
        ...(random(2) ? { repositories: [pick(PATTERNS), pick(PATTERNS)] } : {}),
        ...(random(3) ? {} : { branches: [pick(['main', '*', 'm*', names[random(TEAMS)]!])] }),
        ...(random(3) ? {} : { paths: [pick(['*', 'src/*', `*of-${random(TEAMS)}*`])] }),
      };
      const queries = Array.from({ length: 8 }, () =>
        random(4) === 0
          ? nearest([1, random(10) / 10, 0], filter)
          : lexical(termsOf(pick(WORDS), `mark${random(TEAMS)}`, pick(names)), { filter }),
      );
      const lists = await store.search(queries);
      const hits = lists.flat();
      for (const { path } of hits) expect(path).toMatch(own);
      found += hits.length;
      asked += queries.length;
      if (random(10) === 0) {
        for (const { path } of await store.symbols(pick(WORDS), filter)) expect(path).toMatch(own);
        const other = (team + 1) % TEAMS;
        expect(await store.file('org/one', 'main', `src/alpha-of-${other}.ts`)).toBeNull();
      }
    }
    expect(found).toBeGreaterThan(QUERIES);
    for (const store of stores) await store.close();
  });
});
