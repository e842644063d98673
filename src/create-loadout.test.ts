import { expect, it } from 'vitest';
import { temporaryRepository } from '../test/support/temporary-repository.ts';
import { createLoadout } from './create-loadout.ts';
import { loadTokenCounter } from './fit/count-tokens.ts';
import { SHOP_FILES, SHOP_TASK } from './pack/pack-fixture.test-kit.ts';

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
