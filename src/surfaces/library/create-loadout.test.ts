import { expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { loadTokenCounter } from '../../context/fit/count-tokens.ts';
import { SHOP_FILES, SHOP_TASK } from '../../context/pack/pack-fixture.test-kit.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { createLoadout, type Package, type PackRequest } from './create-loadout.ts';

it('refuses what it does not know with an error that says what is allowed', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const loadout = await createLoadout({ repo: path, settings: { cacheDir: cache, parseWorkers: 1 } });
  const wrong = { strategy: 'foo', format: 'pdf', role: 'nobody' } as const;
  for (const [name, value] of Object.entries(wrong)) {
    const request = { task: SHOP_TASK, [name]: value } as PackRequest;
    const refused = loadout.pack(request);
    await expect(refused).rejects.toBeInstanceOf(LoadoutError);
    await expect(refused).rejects.toThrow(value);
  }
  const pack = await loadout.pack({ task: SHOP_TASK });
  expect(() => pack.text('pdf' as 'xml')).toThrow(/"pdf" is not known; use one of markdown, xml, json/);
});

it('a role brings its restrictions and its budget', async () => {
  const role =
    'name: narrow\ndescription: d\nsystem_prompt: s\ncli: claude\ncontext: {path_restrictions: ["src/checkout/**"], token_budget: 1500}\n';
  const { path, cache } = temporaryRepository({ ...SHOP_FILES, '.loadout/roles/narrow.yaml': role });
  const loadout = await createLoadout({ repo: path, settings: { cacheDir: cache, parseWorkers: 1 } });
  const inRole = await loadout.pack({ task: SHOP_TASK, role: 'narrow' });
  const inNone = await loadout.pack({ task: SHOP_TASK });
  const paths = (pack: Package) => pack.items.map((item) => item.path);
  expect(paths(inNone)).toContain('src/auth/session.ts');
  expect(paths(inRole).filter((one) => one.startsWith('src/auth/'))).toEqual([]);
  expect(inRole.tokenBudget).toBe(1_500);
});

it('packs and ranks, several at once, and stops when closed', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  const settings = { tokenBudget: 3_000, cacheDir: cache, parseWorkers: 1, summaryMaxTokens: 120 };
  const loadout = await createLoadout({ repo: path, settings });
  const [pack, small, ranking] = await Promise.all([
    loadout.pack({ task: SHOP_TASK, role: 'implementer', targets: ['src/clock.ts'] }),
    loadout.pack({ task: SHOP_TASK, budget: '1k', format: 'xml', model: 'gpt-4' }),
    loadout.rank({ task: SHOP_TASK, limit: 2 }),
  ]);
  const count = await loadTokenCounter('o200k_base');
  expect(pack).toMatchObject({ role: 'implementer', targets: ['src/clock.ts'], tokenBudget: 3_000 });
  expect(pack.items[0]).toMatchObject({ path: 'src/clock.ts', form: 'full' });
  expect(count(pack.text())).toBe(pack.tokenCount);
  expect(pack.text('markdown')).toBe(pack.text());
  expect(JSON.parse(pack.text('json'))).toMatchObject({ id: pack.id });
  expect(count(pack.text('summary'))).toBeLessThanOrEqual(120);
  expect(pack.receipts.length).toBeGreaterThan(pack.items.length);
  expect(small).toMatchObject({ tokenBudget: 1_000, encoding: 'cl100k_base' });
  expect(small.text()).toMatch(/^<context_package>/);
  expect(ranking.files).toHaveLength(2);

  await expect(loadout.pack({ task: SHOP_TASK, signal: AbortSignal.abort() })).rejects.toThrow();
  await expect(loadout.pack({ task: SHOP_TASK, budget: 0 })).rejects.toMatchObject({ code: 'bad-budget' });
  const late = loadout.pack({ task: SHOP_TASK });
  loadout.close();
  await expect(late).rejects.toThrow();
  await expect(loadout.pack({ task: SHOP_TASK })).rejects.toMatchObject({ code: 'closed' });
});
