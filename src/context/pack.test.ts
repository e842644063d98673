import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../test/support/scan-kit.ts';
import { gitIn, temporaryRepository } from '../../test/support/temporary-repository.ts';
import type { Settings } from '../config/settings.ts';
import { useIndex } from '../scan/index-session.ts';
import { validatePack } from './compose/account.ts';
import { loadTokenCounter } from './fit/count-tokens.ts';
import { resolveModel } from './fit/models.ts';
import { SHOP_FILES, SHOP_TASK } from './pack/pack-fixture.test-kit.ts';
import { PACK_STRATEGIES, type PackageRequest } from './pack/package-request.ts';
import { buildPackage, packScan } from './pack.ts';
import { renderPack } from './render/render-pack.ts';

type Changes = Partial<Omit<PackageRequest, 'settings'>> & { readonly settings?: Partial<Settings> };
interface Place {
  readonly path: string;
  readonly cache: string;
}

function shopAt({ path, cache }: Place) {
  const request = ({ settings = {}, ...changes }: Changes = {}): PackageRequest => ({
    repo: path,
    task: SHOP_TASK,
    settings: settingsFor(cache, { tokenBudget: 4_000, ...settings }),
    ...changes,
  });
  return { path, request, build: (changes?: Changes) => buildPackage(request(changes)) };
}

const SECRET = 'AKIAQ3EGRWPLT5JX7Z2M';
const ODD_FILES = {
  'src/auth/refresh-keys.ts': `export const refreshTokenKey = '${SECRET}';\nexport const session = 1;\n`,
  'picture.png': Buffer.from([0, 1, 2, 0]),
  'huge.txt': 'x'.repeat(2_000_001),
  '.gitignore': 'local/\n',
  'local/note.txt': 'Mind the clock.\n',
  'assets/theme.css': Array.from(
    { length: 4_000 },
    (_, at) => `.undo-${at} { color: #0${at % 10}f; }\n`,
  ).join(''),
  'src/undo.ts': `export function undo(): void {}\n${SHOP_FILES['src/checkout/prices.ts']}`,
};

// one for all tests that leave it as it is: every scan from nothing starts a parser
let shared: Place;
beforeAll(() => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-pack-')));
  shared = { path: join(home, 'repo'), cache: join(home, 'cache') };
  for (const [name, content] of Object.entries({ ...SHOP_FILES, ...ODD_FILES })) {
    mkdirSync(dirname(join(shared.path, name)), { recursive: true });
    writeFileSync(join(shared.path, name), content);
  }
  gitIn(shared.path)('init', '--quiet', '--initial-branch=main');
  gitIn(shared.path)('add', '--all');
  gitIn(shared.path)('commit', '--quiet', '--message=step');
  return () => rmSync(home, { recursive: true, force: true });
});
const shop = () => shopAt(shared);
const ownShop = () => shopAt(temporaryRepository(SHOP_FILES));

const budget = (tokenBudget: number) => ({ settings: { tokenBudget } });
const formsIn = ({ items }: { items: readonly { path: string; form: string }[] }) =>
  Object.fromEntries(items.map(({ path, form }) => [path, form]));

describe('a package', () => {
  it('holds the files that the task needs, with reasons', async () => {
    const { pack, text } = await shop().build(budget(3_000));
    expect(pack.items[0]).toMatchObject({ path: 'src/auth/session.ts', form: 'excerpt', source: 'both' });
    expect(pack.items[0]!.symbols).toContain('Session.refreshToken');
    expect(pack.items[0]!.content).toContain("import { fetchToken } from './token-client.ts';");
    expect(pack.items[0]!.content).toMatch(/\.\.\. \d+ lines: .*sessionDetail/);
    expect(pack.environment.commands).toContainEqual({
      purpose: 'test',
      command: 'npm test',
      path: 'package.json',
    });
    expect(pack.conventions).toMatchObject([{ path: 'AGENTS.md', cut: false }]);
    expect(pack.dependencies).toContainEqual({
      from: 'src/auth/session.ts',
      to: 'src/auth/token-client.ts',
    });
    expect(pack.receipts.map(({ path }) => path)).toEqual(
      expect.arrayContaining([...pack.items, ...pack.omitted].map(({ path }) => path)),
    );
    expect(text).toContain(SHOP_TASK);
  });

  it('shows the signatures of what its files use from files that are not in it', async () => {
    const allow = (path: string) => path !== 'src/auth/token-client.ts';
    const all = await shop().build({ targets: ['src/auth/session.ts'], settings: { minRelevance: 0.99 } });
    expect(all.pack.externals).toContainEqual(
      expect.objectContaining({ path: 'src/auth/token-client.ts', name: 'fetchToken', line: 6 }),
    );
    const some = await shop().build({ targets: ['src/auth/session.ts'], allow });
    expect(some.pack.externals.map(({ path }) => path)).not.toContain('src/auth/token-client.ts');
  });

  it('is the same, byte for byte, whenever and however often it is built', async () => {
    const { build, request } = ownShop();
    const first = await build();
    expect(await build()).toEqual(first);
    const both = await Promise.all([build(), build()]);
    expect(both).toEqual([first, first]);
    rmSync(request().settings.cacheDir, { recursive: true });
    expect((await build()).text).toBe(first.text);
    expect((await build({ task: 'Write a basket' })).pack.id).not.toBe(first.pack.id);
  });

  it('never has more tokens than its budget, in any format, by any strategy, and says how many', async () => {
    const count = await loadTokenCounter('o200k_base');
    const { request } = shop();
    await useIndex({ ...request(), mode: 'incremental' }, (scan) =>
      fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.integer({ min: 1, max: 1_500 }), fc.integer({ min: 1, max: 20_000 })),
          fc.constantFrom('markdown', 'xml', 'json'),
          fc.constantFrom(...PACK_STRATEGIES),
          fc.constantFrom([], ['src/auth/session.ts'], ['src/checkout/prices.ts', 'src/clock.ts']),
          fc.boolean(),
          async (tokenBudget, format, strategy, targets, lineNumbers) => {
            const asked = { format, strategy, targets, lineNumbers } as const;
            const { pack, text } = await packScan(
              request({ ...asked, ...budget(tokenBudget) }),
              scan,
              targets,
              count,
            );
            expect(count(text)).toBeLessThanOrEqual(tokenBudget);
            expect(pack.tokenCount).toBe(count(text));
            expect(validatePack(pack, () => true)).toEqual([]);
            if (text !== '') expect(renderPack(pack, { format, lineNumbers })).toBe(text);
          },
        ),
        { numRuns: 120 },
      ),
    );
  });

  it('fills its budget when it is asked to and there is that much to say', async () => {
    const { build } = shop();
    for (const tokenBudget of [800, 1_200, 1_600]) {
      const { pack } = await build({ fill: true, ...budget(tokenBudget) });
      expect(pack.tokenCount).toBeGreaterThan(0.95 * tokenBudget);
    }
    const { pack } = await build({ fill: true, ...budget(100_000) });
    expect(new Set(Object.values(formsIn(pack)))).toEqual(new Set(['full']));
  });

  it('shares its beginning with the package for another task, in the stable order', async () => {
    const { build } = shop();
    const settings = { packOrder: 'stable' } as const;
    const [one, other] = await Promise.all([
      build({ settings }),
      build({ settings, task: 'Sum up the prices of a basket' }),
    ]);
    const stable = one.text.slice(0, one.text.indexOf('## src/'));
    expect(stable).toContain('## Build and test');
    expect(other.text.startsWith(stable)).toBe(true);
  });
});

describe('a package that stops when it has said enough', () => {
  it('stays small for a vague task, under a large ceiling', async () => {
    const { pack } = await shop().build({ task: 'undo is broken', ...budget(100_000) });
    expect(pack.items[0]).toMatchObject({ path: 'src/undo.ts' });
    expect(pack.tokenCount).toBeLessThan(8_000);
    const filled = await shop().build({ task: 'undo is broken', fill: true, ...budget(100_000) });
    expect(filled.pack.tokenCount).toBeGreaterThan(3 * pack.tokenCount);
  });

  it('shows no stylesheet of low relevance whole, and says why files are out', async () => {
    const { pack } = await shop().build({ task: 'undo is broken', ...budget(100_000) });
    expect(formsIn(pack)['assets/theme.css']).not.toBe('full');
    const why = pack.omitted.map(({ reason }) => reason);
    expect(new Set(why)).toEqual(new Set(why.length > 0 ? ['worth less than its tokens'] : []));
  });

  it('fills its budget when that is asked for, in the stable order and without a table', async () => {
    const { build } = ownShop();
    for (const tokenBudget of [1_200, 3_000]) {
      const { pack, text } = await build({ fill: true, ...budget(tokenBudget) });
      expect(pack.tokenCount).toBeGreaterThan(0.85 * tokenBudget);
      expect(pack.tokenCount).toBeLessThanOrEqual(tokenBudget);
      expect(text).not.toContain('## Contents');
    }
  });

  it('has the tests of the best file', async () => {
    const { pack } = await shop().build(budget(100_000));
    expect(formsIn(pack)['test/session.test.ts']).toBeDefined();
  });

  it('has a table of contents and the best file first, and by path when that is asked for', async () => {
    const { text } = await shop().build();
    const at = (part: string) => text.indexOf(part);
    expect(at('## Contents')).toBeGreaterThan(0);
    expect(at('## Contents')).toBeLessThan(at('## Conventions'));
    expect(text).toMatch(/^- src\/auth\/session\.ts: (?:full|excerpt [\d, -]+) \(.+\)$/m);
    expect(at('\n## src/auth/session.ts')).toBeLessThan(at('\n## src/auth/token-client.ts'));
    const stable = await shop().build({ settings: { packOrder: 'stable' } });
    expect(stable.text).not.toContain('## Contents');
    expect(stable.pack.order).toBeUndefined();
  });
});

describe('a requested file', () => {
  it('comes first and whole when it fits, else as an excerpt', async () => {
    const { build } = shop();
    const targets = ['src/checkout/prices.ts'];
    const large = await build({ targets, ...budget(6_000) });
    expect(large.pack.items[0]).toMatchObject({ path: targets[0], form: 'full', source: 'target' });
    const small = await build({ targets, ...budget(1_500) });
    expect(small.pack.items[0]).toMatchObject({ path: targets[0], form: 'excerpt', source: 'target' });
  });

  it('is in although git ignores it, and always when a pattern says so', async () => {
    const { build } = shop();
    const { pack } = await build({
      targets: ['local/note.txt'],
      alwaysInclude: ['docs/*.md'],
      ...budget(1_500),
    });
    expect(pack.items.slice(0, 2)).toMatchObject([
      { path: 'local/note.txt', form: 'full', source: 'target' },
      { path: 'docs/notes.md', source: 'always' },
    ]);
  });

  it.each([
    ['../outside.ts', 'path-outside-root'],
    ['src/missing.ts', 'bad-target'],
    ['src', 'bad-target'],
    ['picture.png', 'bad-target'],
    ['huge.txt', 'bad-target'],
  ])('is refused when it cannot be shown: %s', async (target, code) => {
    const { build } = shop();
    await expect(build({ targets: [target] })).rejects.toMatchObject({ name: 'LoadoutError', code });
  });

  it('stays out when it is not allowed', async () => {
    const { pack } = await shop().build({ allow: (path) => !path.startsWith('src/auth/') });
    expect(pack.items.filter(({ path }) => path.startsWith('src/auth/'))).toEqual([]);
  });
});

describe('strategies', () => {
  it('are named rules', async () => {
    const { build } = shop();
    const relevance = await build({ strategy: 'relevance', ...budget(6_000) });
    expect(relevance.pack.items[0]).toMatchObject({ path: 'src/auth/session.ts', form: 'full' });
    const signatures = await build({ strategy: 'signature_only', ...budget(6_000) });
    const forms = new Set(Object.values(formsIn(signatures.pack)));
    expect(forms).toContain('signatures');
    expect(forms).not.toContain('full');
    expect(forms).not.toContain('excerpt');
  });
});

describe('honesty', () => {
  it('takes secrets out and says so; the rest of the file stays', async () => {
    const { build } = shop();
    const { pack, text } = await build({ targets: ['src/auth/refresh-keys.ts'] });
    expect(text).not.toContain(SECRET);
    expect(text).toContain('[redacted: ');
    expect(text).toContain('export const session = 1;');
    expect(pack.diagnostics.map(({ code }) => code)).toContain('secret-redacted');
    const plain = await build({ targets: ['src/auth/refresh-keys.ts'], redact: false });
    expect(plain.text).toContain(SECRET);
  });

  it('takes a file that changes after the scan as it is now', async () => {
    const { request, path } = ownShop();
    const count = await loadTokenCounter('o200k_base');
    const { pack } = await useIndex({ ...request(), mode: 'incremental' }, (scan) => {
      writeFileSync(join(path, 'src/auth/session.ts'), 'export const fresh = true;\n');
      return packScan(request(), scan, [], count);
    });
    const item = pack.items.find((one) => one.path === 'src/auth/session.ts');
    expect(item).toMatchObject({ form: 'full', content: 'export const fresh = true;\n', symbols: [] });
    expect(pack.diagnostics.map(({ code }) => code)).toContain('file-changed');
  });

  it('cuts a task that would take the whole budget, and says so', async () => {
    const { pack } = await shop().build({ task: `${SHOP_TASK}\n${'A line of a log.\n'.repeat(5_000)}` });
    expect(pack.items.length).toBeGreaterThan(0);
    expect(pack.diagnostics.map(({ code }) => code)).toContain('task-cut');
  });

  it('says when tokens are estimated', async () => {
    const { pack } = await shop().build({ model: resolveModel('claude-sonnet-4-5') });
    expect(pack.diagnostics.map(({ code }) => code)).toContain('tokens-estimated');
    expect(pack.tokenCount).toBeLessThanOrEqual(4_000);
  });

  it('is an empty package that says so when packages are switched off', async () => {
    const { pack, text } = await shop().build({ settings: { enabled: false } });
    expect(pack.items).toEqual([]);
    expect(pack.diagnostics.map(({ code }) => code)).toEqual(['packages-disabled']);
    expect(text).toContain('switched off');
  });

  it('has no items when nothing fits', async () => {
    const { pack, text } = await shop().build(budget(1));
    expect(pack).toMatchObject({ items: [], tokenCount: 0 });
    expect(text).toBe('');
    expect(pack.omitted.length).toBeGreaterThan(0);
  });

  it('stops when it is told to', async () => {
    const signal = AbortSignal.abort();
    await expect(shop().build({ signal })).rejects.toThrow();
  });
});
