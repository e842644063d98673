import { describe, expect, it } from 'vitest';
import { documentId } from '../knowledge-store/store-snapshot.ts';
import { lexical, termsOf, updateOf } from '../knowledge-store/stored-file.test-kit.ts';
import { pagesOf } from './manifest-pages.ts';
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

/** The documents of a branch with two files, as the server has them. */
function headDocument(pages: readonly string[]) {
  const head = {
    ...{ repository: 'org/app', branch: 'main', commit: 'c', generation: 1 },
    ...{ manifestHash: 'h', fileCount: 2, model: '' },
  };
  const record = {
    ...{ head, layers: ['L1'], pages, twins: '', dimension: 0, attempt: 'L1' },
    statistics: { documents: 2, lengths: [3, 0, 0, 0] },
  };
  return {
    ...{ _index: 'loadout-v1', _id: 'head-1', _routing: 'r', _seq_no: 5, _primary_term: 1, found: true },
    _source: { kind: 'head', layout: 1, team: 'red', repository: 'org/app', branch: 'main', head: record },
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
    for (const { headers } of line.asked) expect(headers.authorization).toBe('ApiKey VnVhQ2ZHY0JDZGJrU');
    for (const { headers } of line.asked.slice(1)) {
      expect(headers.accept).toBe(`application/vnd.elasticsearch+json; compatible-with=${major}`);
    }
    const bulk = line.asked.find(({ url }) => url.includes('_bulk'))!;
    expect(bulk.headers['content-type']).toBe(
      `application/vnd.elasticsearch+x-ndjson; compatible-with=${major}`,
    );
  });

  it('is asked', async () => {
    const hit = { _score: 0.69, fields: { path: ['a'], contentHash: ['abc'] } };
    const { line, store } = open([
      about(version),
      {
        method: 'POST',
        path: /^\/loadout\/_search$/,
        body: ['"team":"red"'],
        status: 200,
        answer: { took: 1, timed_out: false, _shards: shards, hits: { hits: [headDocument(['page-1'])] } },
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

  /** A branch of two files, of which one goes and another one comes. */
  function changedBranch() {
    const former = updateOf({ a: { code: 'word' }, b: { code: 'old' } });
    const entries = former.files.map((file) => ({ ...file, lengths: [1, 0, 0, 0] }));
    const pages = pagesOf('red/org/app', entries);
    const next = updateOf({ a: { code: 'word' }, c: { code: 'new' } });
    const idIn = (update: typeof former, path: string) =>
      documentId('red', 'org/app', '', update.files.find((file) => file.path === path)!);
    const document = headDocument(pages.map(({ id }) => id));
    const start: readonly Recorded[] = [
      about(version),
      { method: 'GET', path: /^\/loadout\/_doc\/head-/, status: 200, answer: document },
      { method: 'GET', path: /^\/_alias\/loadout$/, status: 200, answer: present },
      {
        method: 'POST',
        path: /^\/loadout\/_mget\?_source_includes=team,page$/,
        status: 200,
        answer: {
          docs: pages.map(({ id, data }) => ({
            ...{ _index: 'loadout-v1', _id: id, _version: 1, _seq_no: 1, _primary_term: 1, _routing: 'r' },
            ...{ found: true, _source: { team: 'red', page: { data } } },
          })),
        },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_mget\?_source_includes=team,length,dimension$/,
        body: [idIn(next, 'c')],
        status: 200,
        answer: { docs: [{ _index: 'loadout-v1', _id: idIn(next, 'c'), found: false }] },
      },
    ];
    return { next, start, gone: idIn(former, 'b'), added: idIn(next, 'c') };
  }

  it('is brought up to date; what it had no room for is sent again, and nothing else', async () => {
    const { next, start, gone, added } = changedBranch();
    const busy = {
      update: { status: 429, error: { type: 'es_rejected_execution_exception' } },
    };
    const { line, store } = open([
      ...start,
      {
        method: 'POST',
        path: /^\/loadout\/_bulk\?require_alias=true&filter_path=items/,
        body: [gone, added, '"lang":"painless"', '"upsert"'],
        status: 200,
        answer: { items: [{ update: { status: 200 } }, busy] },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_bulk/,
        body: [added],
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
      { method: 'POST', path: /^\/loadout\/_count/, status: 200, answer: { count: 2, _shards: shards } },
      {
        method: 'PUT',
        path: /^\/loadout\/_doc\/head-.*&if_seq_no=5&if_primary_term=1$/,
        body: ['"generation":2'],
        status: 200,
        answer: { ...written, _version: 2, result: 'updated' },
      },
    ]);
    expect(await store.update(next)).toEqual({ generation: 2, changed: true, sent: 1, kept: 1, removed: 1 });
    expect(line.left()).toBe(0);
    const bulks = line.asked.filter(({ url }) => url.includes('_bulk'));
    expect(bulks[1]!.body).not.toContain(gone);
  });

  it('says when another writer was faster', async () => {
    const { next, start } = changedBranch();
    const conflict = {
      error: {
        root_cause: [{ type: 'version_conflict_engine_exception', reason: '[head-1]: version conflict' }],
        type: 'version_conflict_engine_exception',
        reason: '[head-1]: version conflict',
      },
      status: 409,
    };
    const other = headDocument(['page-9']);
    const document = {
      ...other,
      _seq_no: 9,
      _source: {
        ...other._source,
        head: {
          ...other._source.head,
          head: { ...other._source.head.head, generation: 7 },
          attempt: 'L9',
        },
      },
    };
    const { line, store } = open([
      ...start,
      {
        method: 'POST',
        path: /^\/loadout\/_bulk/,
        status: 200,
        answer: { items: [{ update: { status: 200 } }, { update: { status: 201 } }] },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_bulk/,
        status: 200,
        answer: { items: [{ index: { status: 201 } }] },
      },
      { method: 'POST', path: /^\/loadout\/_refresh$/, status: 200, answer: { _shards: shards } },
      { method: 'POST', path: /^\/loadout\/_count/, status: 200, answer: { count: 2, _shards: shards } },
      { method: 'PUT', path: /^\/loadout\/_doc\/head-/, status: 409, answer: conflict },
      { method: 'GET', path: /^\/loadout\/_doc\/head-/, status: 200, answer: document },
      { method: 'GET', path: /^\/loadout\/_doc\/head-/, status: 200, answer: document },
    ]);
    await expect(store.update(next)).rejects.toMatchObject({ code: 'store-conflict' });
    expect(line.left()).toBe(0);
  });

  it('forgets a branch', async () => {
    const { line, store } = open([
      about(version),
      {
        method: 'POST',
        path: /^\/loadout\/_search\?routing=/,
        body: ['"repository":"org/app"'],
        status: 200,
        answer: {
          ...{ took: 1, timed_out: false, _shards: shards },
          hits: { total: { value: 1, relation: 'eq' }, hits: [headDocument(['page-1'])] },
        },
      },
      {
        method: 'POST',
        path: /^\/loadout\/_bulk/,
        body: ['{"delete":{"_id":"head-'],
        status: 200,
        answer: { items: [{ delete: { status: 200 } }] },
      },
      { method: 'POST', path: /^\/loadout\/_refresh$/, status: 200, answer: { _shards: shards } },
    ]);
    expect(await store.remove('org/app', 'main')).toBe(1);
    expect(line.left()).toBe(0);
  });

  it('is believed when it turns a key away, and the key is in no message', async () => {
    const problem = {
      type: 'security_exception',
      reason: 'unable to authenticate with provided credentials and anonymous access is not allowed',
    };
    const answer = { error: { root_cause: [problem], ...problem }, status: 401 };
    const refused: Recorded = { method: 'GET', path: /^\/$/, status: 401, answer };
    const { line, store } = open([refused, refused]);
    const failure = await store.snapshots().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'store-unavailable' });
    expect(String(failure)).toContain('credentials (HTTP 401)');
    expect(String(failure)).not.toContain('VnVh');
    expect(line.left()).toBe(0);
  });
});
