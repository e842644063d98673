import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttpLine } from '../../platform/http-client.ts';
import { lexical, termsOf } from '../knowledge-store/stored-file.test-kit.ts';
import { dialectOf } from './connection.ts';
import { openOpenSearchStore } from './opensearch-store.ts';

describe('a server', () => {
  it.each([
    [{ version: { number: '1.3.2', distribution: 'opensearch' } }, 'opensearch 1.3.2'],
    [{ version: { number: '7.17.0', build_flavor: 'default' } }, 'elasticsearch 7.17.0'],
    [{ version: { number: '8.11.0', build_flavor: 'serverless' } }, 'serverless'],
    [{ version: { number: '4.0.0', distribution: 'opensearch' } }, 'opensearch 4.0.0'],
    [{ version: { number: '1', distribution: '\u001b[31mevil' } }, 'unknown kind'],
    [{ hello: 'world' }, 'does not say'],
    [null, 'does not say'],
  ])('that answers %j is not used', (answer, why) => expect(dialectOf(answer)).toContain(why));

  it.each([
    [{ version: { number: '2.19.1', distribution: 'opensearch' } }, 'opensearch', 2],
    [{ version: { number: '3.8.0', distribution: 'opensearch' } }, 'opensearch', 3],
    [{ version: { number: '8.19.0', build_flavor: 'default' } }, 'elasticsearch', 8],
    [{ version: { number: '9.1.0', build_flavor: 'default' } }, 'elasticsearch', 9],
  ])('that answers %j is used', (answer, family, major) =>
    expect(dialectOf(answer)).toMatchObject({ family, major }),
  );

  /** A server that does the same with every request. */
  async function serverThat(answer: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const storeAt = (url: string) =>
    openOpenSearchStore({
      urls: [url],
      line: openHttpLine(),
      credentials: { user: 'ann', password: 'hush-hush' },
      team: 'red',
    });
  const queries = [lexical(termsOf('word'))];

  it('that never answers takes no more than the time limit', async () => {
    const store = storeAt(await serverThat(() => {}));
    const started = performance.now();
    await expect(store.search(queries, { budgetMs: 300 })).rejects.toMatchObject({ code: 'store-timeout' });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('that is not there is given up soon, and by name', async () => {
    await expect(storeAt('http://127.0.0.1:9').search(queries)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('that wants other credentials is recognised, and no message contains them', async () => {
    const url = await serverThat((request, response) => {
      response.writeHead(401).end(JSON.stringify({ error: request.headers.authorization }));
    });
    const failure = await storeAt(url)
      .search(queries)
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'store-unavailable' });
    const text = `${String(failure)} ${JSON.stringify(failure)}`;
    expect(text).toContain('HTTP 401');
    expect(text).not.toContain('hush');
    expect(text).not.toContain(Buffer.from('ann:hush-hush').toString('base64'));
  });

  it.each([
    ['auto', ['ApiKey k3y', 'Bearer k3y', 'Bearer k3y']],
    ['opensearch', ['Bearer k3y', 'Bearer k3y']],
  ] as const)('that wants a token is found out (%s)', async (kind, wanted) => {
    const seen: (string | undefined)[] = [];
    const url = await serverThat((request, response) => {
      seen.push(request.headers.authorization);
      const about = { version: { number: '3.8.0', distribution: 'opensearch' } };
      const found = { _shards: { total: 1, failed: 0 }, hits: { hits: [] } };
      if (request.headers.authorization === 'Bearer k3y')
        response.end(JSON.stringify(request.url === '/' ? about : found));
      else response.writeHead(401).end('Unauthorized');
    });
    const parts = { urls: [url], line: openHttpLine(), credentials: { key: 'k3y' }, team: 'red', kind };
    expect(await openOpenSearchStore(parts).snapshots()).toEqual([]);
    expect(seen).toEqual(wanted);
  });

  it('that sends a redirect is not followed', async () => {
    let asked = 0;
    const elsewhere = await serverThat((_, response) => {
      asked++;
      response.end('{}');
    });
    const url = await serverThat((_, response) => response.writeHead(302, { location: elsewhere }).end());
    await expect(storeAt(url).search(queries)).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(asked).toBe(0);
  });

  it.each(['', 'not json', '[]', '{"version":5}'])('that answers %j is not believed', async (text) => {
    const url = await serverThat((_, response) => response.end(text));
    await expect(storeAt(url).search(queries)).rejects.toMatchObject({ code: 'store-unavailable' });
  });

  it('whose answer lacks a part of the index is not believed', async () => {
    const url = await serverThat((request, response) => {
      const about = { version: { number: '3.8.0', distribution: 'opensearch' } };
      const found = { _shards: { total: 3, failed: 1 }, hits: { hits: [] } };
      response.end(JSON.stringify(request.url === '/' ? about : found));
    });
    await expect(storeAt(url).search(queries)).rejects.toMatchObject({ code: 'store-unavailable' });
  });
});
