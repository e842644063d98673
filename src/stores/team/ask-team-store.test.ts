import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import type { Settings } from '../../config/settings.ts';
import { storesKind } from '../../config/stores-kind.ts';
import { rankRepository } from '../../context/rank.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** A server that does the same with every request. */
async function serverThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const said = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) =>
  diagnostics.find(({ code }) => code === 'store-unavailable')?.message;

const FILES = {
  'src/token-store.ts': 'export class TokenStore {\n  refresh() {}\n}\n',
  'src/clock.ts': 'export function now() {\n  return 0;\n}\n',
};

describe('a ranking with a team store', () => {
  const home = mkdtempSync(join(tmpdir(), 'loadout-team-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const rank = (changes: Partial<Settings>) => {
    const settings = settingsFor(join(home, 'cache'), changes);
    return rankRepository({ repo: join(home, 'repo'), settings, task: 'refresh the token store', limit: 10 });
  };
  beforeAll(() => {
    mkdirSync(join(home, 'repo/src'), { recursive: true });
    for (const [path, text] of Object.entries(FILES)) writeFileSync(join(home, 'repo', path), text);
  });
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

  it('of an unknown version is the ranking of the index, and says so', async () => {
    const url = await serverThat((_, response) =>
      response.end('{"version":{"number":"1.3.0","distribution":"opensearch"}}'),
    );
    const asked = await rank(at({ url, team: 'red' }));
    expect(asked.files).toEqual((await rank({})).files);
    expect(said(asked)).toMatch(/opensearch 1\.3\.0; supported are opensearch 2 and 3.*local store/);
  });

  it('that is slow takes no more than its time limit, and the ranking is that of the index', async () => {
    const url = await serverThat(() => {});
    const plain = await rank({});
    const started = performance.now();
    const asked = await rank({ ...at({ url, team: 'red' }), storeTimeout: 300 });
    expect(performance.now() - started).toBeLessThan(8000);
    expect(asked.files).toEqual(plain.files);
    expect(said(asked)).toMatch(/300 ms.*local store is asked instead/);
  });

  it('that is not declared is an error', async () => {
    await expect(rank({ store: 'teem' })).rejects.toMatchObject({ code: 'unknown-store' });
  });
});
