import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { searchWords } from '../../context/rank/search-words.ts';
import type { KnowledgeStore } from '../../model/knowledge-store.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { memoryVectorCache } from '../embeddings/vector-file.ts';
import { type Drafts, lexical, termsOf, updateOf } from '../knowledge-store/stored-file.test-kit.ts';
import { describeStore } from '../knowledge-store.contract.ts';
import { MemorySnapshots, openMemoryStore } from '../memory/memory-store.ts';
import { openLocalStore } from './local-store.ts';

function temporaryStores(): (team: string) => KnowledgeStore {
  const home = mkdtempSync(join(tmpdir(), 'loadout-store-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const vectors = memoryVectorCache();
  let handles = 0;
  return (team) =>
    openLocalStore({
      team,
      scoreWords: searchWords,
      vectors,
      folder: new CacheFolder(join(home, 'store')),
      attached: [],
      writerId: `test-${handles++}`,
    });
}

describeStore('local', temporaryStores);

const word = fc.constantFrom('alpha', 'betaGamma', 'gamma', 'DeltaStore', 'x_store', 'größe', 'http2Server');
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const draft = fc.record({ code: text, comment: text, string: text, definition: text });
const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', 'd/f'), draft, { noNullPrototype: true });

it('answers like the plain store, whatever was stored before', async () => {
  const terms = termsOf('alpha', 'beta/gamma', 'store', 'größe', 'server');
  const fields = [
    lexical(terms),
    lexical(terms, { fields: { code: 0, comment: 1, string: 0, definition: 2 } }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 3 }), async (trees: Drafts[]) => {
      const local = temporaryStores()('red');
      const plain = openMemoryStore(new MemorySnapshots(), 'red');
      for (const [at, one] of trees.entries()) {
        const receipt = await local.update(updateOf(one, { commit: `c${at}` }));
        expect(receipt).toMatchObject({ generation: at + 1, changed: true });
        await plain.update(updateOf(one, { commit: `c${at}` }));
      }
      const [found, wanted] = [await local.search(fields), await plain.search(fields)];
      found.forEach((list, at) => {
        const scores = new Map(wanted[at]!.map(({ path, score }) => [path, score]));
        expect(list).toHaveLength(scores.size);
        for (const { path, score } of list) expect(score).toBeCloseTo(scores.get(path)!, 5);
      });
    }),
    { numRuns: 25 },
  );
}, 60_000);
