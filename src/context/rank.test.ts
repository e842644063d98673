import { expect, it } from 'vitest';
import { settingsFor } from '../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { openRepository } from '../scan/repository.ts';
import { forgetTunedWeights, writeTunedWeights } from './evaluate/tuned-weights.ts';
import { rankRepository } from './rank.ts';

it('uses the weights that were kept for this repository, says so, and forgets them', async () => {
  const { path, cache } = temporaryRepository({
    'billing/invoice.py': 'def charge():\n    """Sends the reminder."""\n',
    'mail/letters.py': '# invoice reminder, invoice reminder\nREMINDER = "invoice reminder"\n',
  });
  const rank = () =>
    rankRepository({ repo: path, settings: settingsFor(cache), task: 'invoice reminder', limit: 5 });
  const usual = await rank();
  const repository = await openRepository(path, cache);
  const onlyPaths = { path: 1, symbol: 0, lexical: 0, semantic: 0, graph: 0, history: 0 };
  writeTunedWeights(repository, cache, onlyPaths);
  const tuned = await rank();
  expect(tuned.diagnostics.map(({ code }) => code)).toContain('tuned-weights');
  expect(tuned.files.map((file) => file.path)).toEqual(['billing/invoice.py']);
  expect(usual.files).toHaveLength(2);
  forgetTunedWeights(repository, cache);
  expect(await rank()).toEqual(usual);
});

it('refuses an empty task', async () => {
  const { path, cache } = temporaryRepository({ 'a.py': 'x = 1\n' });
  const request = { repo: path, settings: settingsFor(cache), task: ' \n', limit: 5 };
  await expect(rankRepository(request)).rejects.toMatchObject({ code: 'empty-task' });
});
