import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttpLine } from '../../platform/http-exchange.ts';
import { lexical, termsOf, updateOf } from '../knowledge-store/stored-file.test-kit.ts';
import { dialectOf } from './dialect.ts';
import { openOpenSearchStore } from './opensearch-store.ts';
import { type Recorded, recordedLine } from './recorded-server.test-kit.ts';

// Written down from the documented answers of Elasticsearch 8 and 9; no such server has been run.
const about = (number: string): Recorded => ({
  method: 'GET',
  path: /^\/$/,
  status: 200,
  answer: {
    name: 'instance-0000000000',
    cluster_name: 'docs',
    cluster_uuid: 'xxxxxxxxxxxxxxxxxxxxxx',
    version: {
      number,
      build_flavor: 'default',
      build_type: 'docker',
      build_hash: '747663ddda3421467150de0e4301e8d4bc636b0c',
      build_date: '2024-02-05T22:10:57.067596412Z',
      build_snapshot: false,
      lucene_version: '9.9.2',
      minimum_wire_compatibility_version: '7.17.0',
      minimum_index_compatibility_version: '7.0.0',
    },
    tagline: 'You Know, for Search',
  },
});
const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };
const absent = { error: 'alias [loadout] missing', status: 404 };
const present = { 'loadout-v1': { aliases: { loadout: {} } } };
const noIndex = {
  error: { root_cause: [], type: 'index_not_found_exception', reason: 'no such index [loadout]' },
  status: 404,
};
const written = {
  _index: 'loadout-v1',
  _id: 'x',
  _version: 1,
  result: 'created',
  _shards: shards,
  _seq_no: 0,
  _primary_term: 1,
};

function open(exchanges: readonly Recorded[]) {
  const line = recordedLine(exchanges);
  const credentials = { key: 'VnVhQ2ZHY0JDZGJrU' };
  return {
    line,
    store: openOpenSearchStore({ urls: ['https://search.example'], line, credentials, team: 'red' }),
  };
}

describe.each(['8.12.1', '9.1.0'])('Elasticsearch %s, as documented', (version) => {
  const major = version[0];

  it('is filled', async () => {
    const { line, store } = open([
      about(version),
      { method: 'GET', path: /^\/loadout\/_doc\/head-/, status: 404, answer: noIndex },
      { method: 'GET', path: /^\/_alias\/loadout$/, status: 404, answer: absent },
      {
        method: 'PUT',
        path: /^\/loadout-v1$/,
        body: ['"type":"scripted"', 'pattern_capture', '"aliases":{"loadout":{}}'],
        status: 200,
        answer: { acknowledged: true, shards_acknowledged: true, index: 'loadout-v1' },
      },
      { method: 'GET', path: /^\/_alias\/loadout$/, status: 200, answer: present },
      {
        method: 'POST',
        path: /^\/loadout\/_search\?routing=/,
        status: 200,
        answer: {
          took: 1,
          timed_out: false,
          _shards: shards,
          hits: { total: { value: 0, relation: 'eq' }, hits: [] },
        },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_mget/,
        status: 200,
        answer: { docs: [{ _index: 'loadout-v1', _id: 'x', found: false }] },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_bulk\?require_alias=true/,
        body: ['"code":"word"', '"team":"red"', '"retry_on_conflict":5'],
        status: 200,
        answer: { items: [{ update: { status: 201 } }] },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_bulk/,
        body: ['"kind":"page"'],
        status: 200,
        answer: { items: [{ index: { status: 201 } }] },
      },
      { method: 'POST', path: /^\/loadout\/_refresh$/, status: 200, answer: { _shards: shards } },
      { method: 'POST', path: /^\/loadout\/_count/, status: 200, answer: { count: 1, _shards: shards } },
      {
        method: 'PUT',
        path: /^\/loadout\/_doc\/head-.*op_type=create/,
        body: ['"generation":1'],
        status: 201,
        answer: written,
      },
    ]);
    expect(await store.update(updateOf({ a: { code: 'word' } }))).toMatchObject({ sent: 1, generation: 1 });
    expect(line.left()).toBe(0);
    for (const { headers } of line.asked.slice(1)) {
      expect(headers.authorization).toBe('ApiKey VnVhQ2ZHY0JDZGJrU');
      expect(headers.accept).toBe(`application/vnd.elasticsearch+json; compatible-with=${major}`);
    }
    const bulk = line.asked.find(({ url }) => url.includes('_bulk'))!;
    expect(bulk.headers['content-type']).toBe(
      `application/vnd.elasticsearch+x-ndjson; compatible-with=${major}`,
    );
  });

  it('is asked', async () => {
    const record = {
      head: {
        ...{ repository: 'org/app', branch: 'main', commit: 'c', generation: 1 },
        ...{ manifestHash: 'h', fileCount: 2, model: '' },
      },
      ...{ layers: ['L1'], pages: ['page-1'], twins: '', dimension: 0, attempt: 'L1' },
      statistics: { documents: 2, lengths: [3, 0, 0, 0] },
    };
    const head = {
      _index: 'loadout-v1',
      _id: 'head-1',
      _routing: 'r',
      _seq_no: 5,
      _primary_term: 1,
      _source: { kind: 'head', layout: 1, team: 'red', repository: 'org/app', branch: 'main', head: record },
    };
    const hit = { _score: 0.69, fields: { path: ['a'], contentHash: ['abc'] } };
    const { line, store } = open([
      about(version),
      {
        method: 'POST',
        path: /^\/loadout\/_search$/,
        body: ['"team":"red"'],
        status: 200,
        answer: { took: 1, timed_out: false, _shards: shards, hits: { hits: [head] } },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_msearch/,
        body: ['"t0"', '"on":"L1"', '"team":"red"'],
        status: 200,
        answer: {
          responses: [
            {
              ...{ status: 200, timed_out: false, _shards: { failed: 0 }, hits: { hits: [] } },
              aggregations: { counts: { buckets: { t0: { doc_count: 1 } } } },
            },
          ],
        },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_msearch/,
        body: ['script_score', '"team":"red"', '"path":"asc"'],
        status: 200,
        answer: {
          responses: [{ status: 200, timed_out: false, _shards: { failed: 0 }, hits: { hits: [hit] } }],
        },
      },
    ]);
    expect(await store.search([lexical(termsOf('word'))])).toEqual([
      [{ repository: 'org/app', branch: 'main', path: 'a', contentHash: 'abc', score: 0.69 }],
    ]);
    expect(line.left()).toBe(0);
  });
});

describe('a server', () => {
  it.each([
    [{ version: { number: '1.3.2', distribution: 'opensearch' } }, 'opensearch 1.3.2'],
    [{ version: { number: '7.17.0', build_flavor: 'default' } }, 'elasticsearch 7.17.0'],
    [{ version: { number: '8.11.0', build_flavor: 'serverless' } }, 'serverless'],
    [{ version: { number: '4.0.0', distribution: 'opensearch' } }, 'opensearch 4.0.0'],
    [{ version: { number: '1', distribution: '\u001b[31mevil' } }, 'unknown kind'],
    [{ hello: 'world' }, 'does not say'],
    [null, 'does not say'],
  ])('that says %j is not used', (answer, why) => expect(dialectOf(answer)).toContain(why));

  it.each([
    [{ version: { number: '2.19.1', distribution: 'opensearch' } }, 'opensearch', 2],
    [{ version: { number: '3.8.0', distribution: 'opensearch' } }, 'opensearch', 3],
    [{ version: { number: '8.19.0', build_flavor: 'default' } }, 'elasticsearch', 8],
    [{ version: { number: '9.1.0', build_flavor: 'default' } }, 'elasticsearch', 9],
  ])('that says %j is', (answer, family, major) =>
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

  it('that never answers costs no more than the time that there is', async () => {
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

  it('that wants other credentials is told apart, and they are in no message', async () => {
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
