import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { indexOf } from '../../context/rank/index.test-kit.ts';
import { searchWords } from '../../context/rank/search-words.ts';
import type { KnowledgeStore } from '../../model/knowledge-store.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { memoryVectorCache } from '../embeddings/vector-file.ts';
import { lexical, termsOf, updateOf } from '../knowledge-store/stored-file.test-kit.ts';
import { MemorySnapshots, openMemoryStore } from '../memory/memory-store.ts';
import { indexUpdate } from './local-snapshot.ts';
import { openLocalStore } from './local-store.ts';

const TEXTS = {
  'src/token.ts':
    '/** Keeps tokens. */\nexport class TokenStore {\n  save(token: string) {\n    return token;\n  }\n}\n',
  'src/use.ts': 'import { TokenStore } from "./token.ts";\nexport const store = new TokenStore();\n',
  'src/copy.ts': 'import { TokenStore } from "./token.ts";\nexport const store = new TokenStore();\n',
  'lib/mail.py': 'def send(token):\n    """Sends a mail."""\n    raise ValueError("token expired")\n',
};

const HEAD = { repository: 'org/app', branch: 'main', commit: 'c', model: '' };

function localStore(
  folder: string,
  attached: Parameters<typeof openLocalStore>[0]['attached'] = [],
): KnowledgeStore {
  return openLocalStore({
    ...{ team: 'red', scoreWords: searchWords, vectors: memoryVectorCache(), writerId: 'test' },
    folder: new CacheFolder(folder),
    attached,
  });
}

function temporaryFolder(): string {
  const home = mkdtempSync(join(tmpdir(), 'loadout-store-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return join(home, 'store');
}

describe('an index', () => {
  it('gives the same lists in place, in memory, and stored again', async () => {
    const index = await indexOf(TEXTS, 2);
    const head = { ...HEAD, generation: 1, manifestHash: 'x', fileCount: 4 };
    const attached = localStore(temporaryFolder(), [{ head, index, vectorKey: () => '' }]);
    const others = [openMemoryStore(new MemorySnapshots(), 'red'), localStore(temporaryFolder())];
    for (const store of others) await store.update(indexUpdate(index, HEAD));
    for (const word of ['token', 'store', 'mail', 'expired', 'tokenstore', 'save/saves', 'nothing']) {
      const queries = [
        lexical(termsOf(word)),
        lexical(termsOf(word, 'token'), { filter: { languages: ['python'] } }),
      ];
      const wanted = await attached.search(queries);
      for (const store of others) {
        const found = await store.search(queries);
        for (const [at, list] of found.entries()) {
          expect(list.map(({ path }) => path)).toEqual(wanted[at]!.map(({ path }) => path));
          for (const [place, { score }] of list.entries())
            expect(score).toBeCloseTo(wanted[at]![place]!.score, 5);
        }
      }
    }
    for (const path of Object.keys(TEXTS)) {
      const wanted = await attached.file('org/app', 'main', path);
      expect(wanted).not.toBeNull();
      for (const store of others) expect(await store.file('org/app', 'main', path)).toEqual(wanted);
    }
    for (const name of ['TokenStore', 'send', 'store'])
      for (const store of others)
        expect(await store.symbols(name, {})).toEqual(await attached.symbols(name, {}));
  }, 30_000);

  it('that is attached represents its branch, and is not written', async () => {
    const index = await indexOf(TEXTS);
    const folder = temporaryFolder();
    await localStore(folder).update(updateOf({ old: { code: 'token' } }));
    const head = { ...HEAD, generation: 7, manifestHash: 'x', fileCount: 4 };
    const store = localStore(folder, [{ head, index, vectorKey: () => '' }]);
    expect((await store.snapshots()).map(({ generation }) => generation)).toEqual([7]);
    const [list] = await store.search([lexical(termsOf('token'))]);
    expect(list!.map(({ path }) => path)).not.toContain('old');
    await expect(store.update(updateOf({}))).rejects.toMatchObject({ code: 'store-refused' });
  });
});

describe('a damaged file of the store', () => {
  it('is noticed, whichever it is, and the next update makes up for it', async () => {
    const tree = { a: { code: 'alpha', edges: [{ to: 'b', kind: 'import' as const }] }, b: { code: 'beta' } };
    const folder = temporaryFolder();
    await localStore(folder).update(updateOf(tree));
    const names = readdirSync(folder);
    expect(names.map((name) => name.slice(name.lastIndexOf('.'))).sort()).toEqual([
      '.links',
      '.segment',
      '.snapshot',
    ]);
    for (const ending of ['.links', '.segment', '.snapshot'])
      for (const where of [0.1, 0.5, 0.95]) {
        const path = join(folder, readdirSync(folder).find((name) => name.endsWith(ending))!);
        const bytes = readFileSync(path);
        bytes[Math.floor(bytes.length * where)]! ^= 0x55;
        writeFileSync(path, bytes);
        const store = localStore(folder);
        const found = await store.search([lexical(termsOf('alpha'))]).catch((error: { code: string }) => {
          expect(error.code).toBe('store-unavailable');
          return [[]];
        });
        expect(found[0]!.length).toBeLessThanOrEqual(1);
        await store.update(updateOf(tree));
        const [list] = await localStore(folder).search([lexical(termsOf('alpha', 'beta'))]);
        expect(list!.map(({ path: one }) => one)).toEqual(['a', 'b']);
        expect((await localStore(folder).file('org/app', 'main', 'a'))?.edges).toEqual(tree.a.edges);
        rmSync(folder, { recursive: true });
        await localStore(folder).update(updateOf(tree));
      }
  });
});
