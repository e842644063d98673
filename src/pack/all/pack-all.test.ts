import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { loadTokenCounter } from '../../fit/count-tokens.ts';
import { SHOP_FILES } from '../pack-fixture.test-kit.ts';
import { type AllRequest, packAll } from './pack-all.ts';

function shop() {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  return async (tokenBudget: number, changes: Partial<AllRequest> = {}) => {
    let text = '';
    const settings = settingsFor(cache, { tokenBudget });
    const write = (piece: string) => {
      text += piece;
    };
    return { text: () => text, ...(await packAll({ repo: path, settings, write, ...changes })) };
  };
}

it('packs every file whole when all fit, in order of their paths, and counts right', async () => {
  const build = shop();
  const count = await loadTokenCounter('o200k_base');
  const { text, items, omitted, tokenCount } = await build(100_000);
  expect(items.map(({ path }) => path)).toEqual(Object.keys(SHOP_FILES).sort());
  expect(new Set(items.map(({ form }) => form))).toEqual(new Set(['full']));
  expect(omitted).toEqual([]);
  expect(count(text())).toBe(tokenCount);
  expect(text()).toContain('## Files\n');
  for (const content of Object.values(SHOP_FILES)) expect(text()).toContain(content);
  const reread = await build(100_000, { mostKept: 0 });
  expect([reread.text(), reread.tokenCount]).toEqual([text(), tokenCount]);
  const signatures = await build(100_000, { form: 'signatures', format: 'xml' });
  expect(signatures.tokenCount).toBeLessThan(tokenCount);
  expect(signatures.text()).toMatch(/^<context_package>[\s\S]*<\/context_package>\n$/);
});

it('leaves out what changes between choosing and writing', async () => {
  const { path, cache } = temporaryRepository(SHOP_FILES);
  let text = '';
  const write = (piece: string) => {
    if (text === '') writeFileSync(join(path, 'src/clock.ts'), 'changed\n');
    text += piece;
  };
  const request = { repo: path, settings: settingsFor(cache, { tokenBudget: 100_000 }), write, mostKept: 0 };
  const { items, diagnostics } = await packAll(request);
  expect(items.map((item) => item.path)).not.toContain('src/clock.ts');
  expect(diagnostics.map(({ code }) => code)).toContain('file-changed');
});

it('never has more tokens than the budget, and says what is left out', async () => {
  const build = shop();
  const count = await loadTokenCounter('o200k_base');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12_000 }),
      fc.constantFrom('markdown', 'xml'),
      async (budget, format) => {
        const { text, items, omitted, tokenCount } = await build(budget, { format });
        expect(count(text())).toBe(tokenCount);
        expect(tokenCount).toBeLessThanOrEqual(budget);
        expect([...items.map(({ path }) => path), ...omitted].sort()).toEqual(Object.keys(SHOP_FILES).sort());
      },
    ),
    { numRuns: 25 },
  );
});
