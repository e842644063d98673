import { expect, it } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { buildPackage } from '../pack.ts';
import { SHOP_FILES, SHOP_TASK } from './pack-fixture.test-kit.ts';
import { verifyPackage } from './verify-package.ts';

it('says which files of a package are the same, changed and gone', async () => {
  const repository = temporaryRepository(SHOP_FILES);
  const settings = settingsFor(repository.cache, { tokenBudget: 2_500, minRelevance: 0 });
  const request = { repo: repository.path, settings };
  const { pack } = await buildPackage({ ...request, task: SHOP_TASK, targets: ['src/auth/session.ts'] });
  const verify = async () => (await verifyPackage({ ...request, items: pack.items })).items;
  expect(new Set(pack.items.map(({ form }) => form)).size).toBeGreaterThan(1);
  expect((await verify()).filter(({ state }) => state !== 'same')).toEqual([]);

  const [excerpt, other] = pack.items.filter(({ form }) => form !== 'mention');
  expect(excerpt!.form).toBe('excerpt');
  const before = SHOP_FILES[excerpt!.path]!;
  // outside of what is shown: every shown line is still there, under its number
  repository.write(excerpt!.path, `${before}// one more line\n`);
  expect((await verify())[0]).toEqual({ path: excerpt!.path, state: 'same' });
  repository.write(excerpt!.path, `// a new first line\n${before}`);
  repository.git('rm', '--quiet', other!.path);
  const states = new Map((await verify()).map(({ path, state }) => [path, state]));
  expect(states.get(excerpt!.path)).toBe('changed');
  expect(states.get(other!.path)).toBe('gone');
});
