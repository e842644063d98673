import { expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openRepository } from '../repository.ts';
import { commit, LIMIT } from './history.test-kit.ts';
import { loadHistory, readHistoryAhead } from './load-history.ts';

it('hands over what was read ahead, to the same question alone', async () => {
  const given = temporaryRepository({ a: '' });
  commit(given, 'Second');
  const repository = await openRepository(given.path, given.cache);
  const head = repository.git?.headAtOpening ?? null;
  readHistoryAhead(repository, { limit: LIMIT });
  const ahead = loadHistory(repository, head, { limit: LIMIT });
  expect((await ahead).subjects).toEqual(['Second', 'step']);

  readHistoryAhead(repository, { limit: LIMIT });
  expect((await loadHistory(repository, head, { limit: 1 })).subjects).toEqual(['Second']);
  readHistoryAhead(repository, { limit: LIMIT });
  const parent = given.git('rev-parse', 'HEAD~1').trim();
  expect((await loadHistory(repository, parent, { limit: LIMIT })).subjects).toEqual(['step']);
});
