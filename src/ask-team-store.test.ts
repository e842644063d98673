import { describe, expect, it } from 'vitest';
import { settingsFor } from '../test/support/scan-kit.ts';
import { temporaryRepository } from '../test/support/temporary-repository.ts';
import type { Settings } from './config/settings.ts';
import { storesKind } from './config/stores-kind.ts';
import { rankRepository } from './rank-repository.ts';

const FILES = {
  'src/token-store.ts': 'export class TokenStore {\n  refresh() {}\n}\n',
  'src/clock.ts': 'export function now() {\n  return 0;\n}\n',
};

describe('a ranking with a team store', () => {
  const rank = (changes: Partial<Settings>) => {
    const { path, cache } = temporaryRepository(FILES);
    const settings = settingsFor(cache, changes);
    return rankRepository({ repo: path, settings, task: 'refresh the token store', limit: 10 });
  };
  const at = (store: object) => ({ store: 'team', stores: storesKind.fromFile({ team: store })! });

  it.each([
    [
      'is not there',
      { url: 'http://127.0.0.1:9', team: 'red' },
      /ECONNREFUSED.*local store is asked instead/,
    ],
    [
      'lacks its password',
      { url: 'http://127.0.0.1:9', team: 'red', userEnv: 'LOADOUT_TEST_NO_SUCH_VARIABLE' },
      /LOADOUT_TEST_NO_SUCH_VARIABLE is not set.*local store is asked instead/,
    ],
  ])('that %s is the ranking of the index, and says so', async (_, store, message) => {
    const plain = await rank({});
    const asked = await rank(at(store));
    expect(asked.files).toEqual(plain.files);
    const said = asked.diagnostics.filter(({ code }) => code === 'store-unavailable');
    expect(said.map((one) => one.message)).toEqual([expect.stringMatching(message)]);
  });

  it('that nobody has declared is a mistake', async () => {
    await expect(rank({ store: 'teem' })).rejects.toMatchObject({ code: 'unknown-store' });
  });
});
