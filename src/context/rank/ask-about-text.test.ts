import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { SETTING_NAMES, type Settings, settingByName } from '../../config/settings.ts';
import type { KnowledgeStore, RankedList } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { useIndex } from '../../scan/index-session.ts';
import type { OpenScan } from '../../scan/run-scan.ts';
import { embeddingServer, silence, status } from '../../stores/embeddings/embedding-server.test-kit.ts';
import { rankRepository, rankScan } from '../rank.ts';
import { type TextRequest, workTreeStore } from './ask-about-text.ts';

const FILES = {
  'src/garage.ts':
    '/** Where the automobile sleeps. */\nexport function park(automobile: string) {\n  return automobile;\n}\n',
  'src/kitchen.ts': '/** Cooks soup. */\nexport function cook(pot: string) {\n  return pot + " soup";\n}\n',
  'src/main.ts':
    'import { park } from "./garage.ts";\nimport { cook } from "./kitchen.ts";\npark(cook("pot"));\n',
  'src/copy.ts': '/** Cooks soup. */\nexport function cook(pot: string) {\n  return pot + " soup";\n}\n',
  'test/kitchen.test.ts': 'import { cook } from "../src/kitchen.ts";\nit("cooks", () => cook("big pot"));\n',
};
const TASK = 'The soup in the pot is cooked twice by cook()';

/** Scanned once: most cases ask the same files something else. */
let shared = '';

beforeAll(async () => {
  shared = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-text-')));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(shared, 'repo', name)), { recursive: true });
    writeFileSync(join(shared, 'repo', name), text);
  }
  await repositoryWith().rank(TASK);
}, 60_000);

afterAll(() => rmSync(shared, { recursive: true, force: true }));

function repositoryWith(
  changes: Partial<Settings> = {},
  { path, cache } = { path: join(shared, 'repo'), cache: join(shared, 'cache') },
) {
  const settings = settingsFor(cache, { minRelevance: 0, ...changes });
  const rank = (
    task: string,
    stores?: (scan: OpenScan) => readonly KnowledgeStore[],
    changed: Partial<TextRequest> = {},
  ) =>
    useIndex({ repo: path, mode: 'incremental', settings }, (scan) =>
      rankScan(scan, { task, settings, limit: 50, ...(stores ? { stores: stores(scan) } : {}), ...changed }),
    );
  return { path, cache, settings, rank };
}

let models = 0;
/** A model of its own, so that no case finds the vectors of another one. */
const on = (url: string): Partial<Settings> => ({ embeddingUrl: url, embeddingModel: `words-${models++}` });

const codes = ({ diagnostics }: { diagnostics: readonly { readonly code: string }[] }) =>
  diagnostics.map(({ code }) => code);

function brokenStore(search: KnowledgeStore['search'], name = 'team'): KnowledgeStore {
  const no = () => Promise.reject(new LoadoutError('store-unavailable', 'no'));
  return {
    ...{ name, team: 't', search, close: async () => {} },
    ...{ capabilities: no, snapshots: no, snapshot: no, update: no, symbols: no, file: no, remove: no },
  };
}

describe('the local store', () => {
  it('gives the ranking of the index itself, byte for byte', async () => {
    const { rank } = repositoryWith();
    for (const task of [TASK, 'park the automobile', 'pots cooking', 'src/main.ts fails', 'Nothing at all']) {
      const usual = await rank(task);
      const asked = await rank(task, (scan) => [workTreeStore(scan)]);
      expect(JSON.stringify(asked.files)).toBe(JSON.stringify(usual.files));
      expect(asked.diagnostics).toEqual(usual.diagnostics);
    }
  });

  it('is filled only by the scan', async () => {
    const { rank } = repositoryWith();
    await rank(TASK, (scan) => {
      const store = workTreeStore(scan);
      const update = { repository: '.', branch: 'work-tree', commit: '', model: '', files: [] };
      void expect(store.update({ ...update, load: () => Promise.reject(new Error()) })).rejects.toMatchObject(
        {
          code: 'store-refused',
        },
      );
      return [store];
    });
  });

  it('knows the symbols, imports and edges of the work tree', async () => {
    const { rank } = repositoryWith();
    let looked: Promise<void> | null = null;
    await rank(TASK, (scan) => {
      const store = workTreeStore(scan);
      looked = (async () => {
        expect((await store.symbols('cook', {})).map(({ path }) => path)).toEqual([
          'src/copy.ts',
          'src/kitchen.ts',
        ]);
        const main = await store.file('.', 'work-tree', 'src/main.ts');
        expect(main?.imports).toHaveLength(2);
        expect(main?.edges.filter(({ kind }) => kind === 'import').map(({ to }) => to)).toEqual([
          'src/garage.ts',
          'src/kitchen.ts',
        ]);
      })();
      return [store];
    });
    await looked;
  });
});

describe('a store that', () => {
  const failures: [string, KnowledgeStore['search'], RegExp][] = [
    ['is down', () => Promise.reject(new LoadoutError('store-unavailable', 'ECONNREFUSED')), /ECONNREFUSED/],
    ['breaks', () => Promise.reject(new TypeError('oops')), /oops/],
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
      /at once/,
    ],
    ['never answers', () => new Promise(() => {}), /no answer within/],
    ['gives too few lists', async () => [], /no ranked lists/],
    [
      'gives nonsense',
      async (queries) => queries.map(() => [{ score: Number.NaN }] as unknown as RankedList),
      /no ranked lists/,
    ],
  ];
  it.each(failures)('%s loses the score for text, not the answer', async (_, search, reason) => {
    const { rank } = repositoryWith();
    const ranked = await rank(TASK, () => [brokenStore(search)], { storeBudgetMs: 200 });
    const messages = ranked.diagnostics.filter(({ code }) => code === 'store-unavailable');
    expect(messages.map(({ message }) => message).join()).toMatch(reason);
    expect(messages.map(({ message }) => message).join()).toMatch(/structure alone/);
    expect(ranked.files.length).toBeGreaterThan(0);
    for (const { semanticScore, signals } of ranked.files)
      expect([semanticScore, signals.lexical]).toEqual([0, 0]);
    expect((await rank(TASK)).files[0]!.semanticScore).toBeGreaterThan(0);
  });

  it('fails is replaced by the next one', async () => {
    const { rank } = repositoryWith();
    const down = brokenStore(() => Promise.reject(new LoadoutError('store-unavailable', 'down')));
    const ranked = await rank(TASK, (scan) => [down, workTreeStore(scan)]);
    expect(JSON.stringify(ranked.files)).toBe(JSON.stringify((await rank(TASK)).files));
    expect(ranked.diagnostics.find(({ code }) => code === 'store-unavailable')?.message).toMatch(
      /local store is asked/,
    );
  });

  it('is reported when it is missing', async () => {
    const { rank } = repositoryWith();
    const ranked = await rank(TASK, () => []);
    expect(codes(ranked)).toContain('store-unavailable');
    expect(ranked.files[0]!.semanticScore).toBe(0);
  });

  it('knows another content of a file is not believed', async () => {
    const { rank } = repositoryWith();
    const stale = brokenStore(async (queries) =>
      queries.map(() => [
        { repository: '.', branch: 'b', path: 'src/garage.ts', contentHash: 'old', score: 99 },
        { repository: '.', branch: 'b', path: '../outside', contentHash: 'old', score: 99 },
      ]),
    );
    const ranked = await rank(TASK, () => [stale]);
    for (const { signals } of ranked.files) expect(signals.lexical).toBe(0);
  });
});

describe('embeddings', () => {
  it('are off without a setting: nothing is sent, the signal is 0', async () => {
    const server = await embeddingServer();
    const { rank } = repositoryWith();
    for (const { signals } of (await rank('lorry')).files) expect(signals.semantic).toBe(0);
    expect(server.requests).toEqual([]);
  });

  it('cannot be turned on by a repository', () => {
    const names = SETTING_NAMES.filter((name) => name.startsWith('embedding'));
    expect(names).toContain('embeddingUrl');
    for (const name of names) expect(settingByName(name)!.trust).toBe('user');
  });

  it('find files that no word leads to', async () => {
    const server = await embeddingServer();
    const { rank, settings, path } = repositoryWith(on(server.url));
    const ranked = await rank('lorry');
    expect(ranked.files[0]!.path).toBe('src/garage.ts');
    expect(ranked.files[0]!.signals).toMatchObject({ lexical: 0, semantic: 1 });
    expect(ranked.files[0]!.reasons).toContain('close to the task in meaning');
    expect(codes(ranked)).not.toContain('embeddings-unavailable');
    const without = await rankRepository({
      repo: path,
      settings: { ...settings, embeddingUrl: '' },
      task: 'lorry',
      limit: 9,
    });
    expect(without.files).toEqual([]);
  });

  it('are made once, and again only for what changed', async () => {
    const server = await embeddingServer();
    const own = temporaryRepository(FILES);
    const { rank } = repositoryWith(on(server.url), own);
    const first = await rank('lorry');
    expect(server.requests.flat().filter((text) => text.includes('garage.ts'))).not.toEqual([]);
    server.requests.length = 0;
    expect(JSON.stringify(await rank('lorry'))).toBe(JSON.stringify(first));
    expect(server.requests).toEqual([['lorry']]);
    own.write('src/kitchen.ts', 'export const lorry = 1;\n');
    server.requests.length = 0;
    await rank('lorry');
    expect(server.requests).toEqual([[expect.stringMatching(/^src\/kitchen.ts\n/)], ['lorry']]);
  });

  it('never see a secret, neither of a file nor of the task', async () => {
    const server = await embeddingServer();
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    const { rank } = repositoryWith(
      on(server.url),
      temporaryRepository({ 'a.ts': `export const token = "${secret}";\n` }),
    );
    await rank(`the token ${secret} is refused`);
    expect(server.requests.flat().join('\n')).toContain('redacted');
    expect(JSON.stringify(server.requests)).not.toContain(secret.slice(4, 30));
  });

  it('that are unavailable leave the rest of the answer, which says so', async () => {
    const server = await embeddingServer();
    const { rank, settings, path } = repositoryWith(on(server.url));
    const usual = await rankRepository({
      repo: path,
      settings: { ...settings, embeddingUrl: '' },
      task: TASK,
      limit: 50,
    });
    for (const answer of [status(401), status(404)]) {
      server.next.push(answer);
      const ranked = await rank(TASK);
      expect(codes(ranked)).toContain('embeddings-unavailable');
      expect(JSON.stringify(ranked.files)).toBe(JSON.stringify(usual.files));
    }
  });

  it('that are not finished in time wait for the next run', async () => {
    const server = await embeddingServer();
    const { rank } = repositoryWith({ ...on(server.url), embeddingBudget: 0 });
    const ranked = await rank('lorry');
    expect(ranked.diagnostics.at(-1)?.message).toMatch(/time is up; 5 of 5 files have no vectors yet/);
    expect(server.requests).toEqual([]);
  });

  it('keep the vectors that were made before they failed', async () => {
    const server = await embeddingServer();
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`src/f${at}.ts`, `export const value${at} = ${at};\n`]),
    );
    const { rank } = repositoryWith(on(server.url), temporaryRepository(many));
    server.next.push(() => 'vectors', status(401));
    const broken = await rank('value7');
    expect(broken.diagnostics.at(-1)?.message).toMatch(/HTTP 401; 36 of 100 files/);
    server.requests.length = 0;
    expect(codes(await rank('value7'))).not.toContain('embeddings-unavailable');
    expect(server.requests.map((texts) => texts.length)).toEqual([36, 1]);
  });

  it('end when the caller leaves', async () => {
    const server = await embeddingServer();
    server.next.push(silence);
    const { rank } = repositoryWith(on(server.url));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1000);
    await expect(rank('lorry', undefined, { signal: controller.signal })).rejects.toThrow();
  });

  it.each([
    [{ embeddingUrl: 'file:///etc/passwd', embeddingModel: 'm' }, /http or https/],
    [{ embeddingUrl: 'not an address', embeddingModel: 'm' }, /http or https/],
    [{ embeddingUrl: 'https://u:p@example.org/', embeddingModel: 'm' }, /must not hold a password/],
    [{ embeddingUrl: 'https://example.org/' }, /embeddingModel is not set/],
    [
      { embeddingUrl: 'https://example.org/', embeddingModel: 'm', embeddingKeyEnv: 'NO_SUCH_KEY_X' },
      /NO_SUCH_KEY_X/,
    ],
    [{ embeddingUrl: 'http://example.org/', embeddingModel: 'm', embeddingKeyEnv: 'PATH' }, /https only/],
    [{ embeddingModelDir: '/nowhere' }, /transformers is not installed/],
  ])('set up as %j say what is wrong', async (settings, message) => {
    const { rank } = repositoryWith(settings);
    const ranked = await rank(TASK);
    expect(ranked.diagnostics.at(-1)?.message).toMatch(message);
    expect(ranked.files[0]!.semanticScore).toBeGreaterThan(0);
  });

  it('are kept in the cache directory alone, for the owner alone', async () => {
    const server = await embeddingServer();
    const { rank, cache, path } = repositoryWith(on(server.url));
    await rank('lorry');
    const [name] = readdirSync(join(cache, 'vectors'));
    expect(name).toMatch(/\.vectors$/);
    expect(statSync(join(cache, 'vectors', name!)).mode & 0o077).toBe(0);
    expect(readdirSync(path).sort()).toEqual(['src', 'test']);
  });
});
