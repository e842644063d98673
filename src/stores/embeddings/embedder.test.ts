import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHttpEmbedder, type HttpEmbedderOptions, readEmbeddings } from './embedder.ts';
import {
  body,
  type EmbeddingServer,
  embeddingServer,
  silence,
  status,
  wordVector,
} from './embedding-server.test-kit.ts';

function embedderFor(server: EmbeddingServer, changes: Partial<HttpEmbedderOptions> = {}) {
  const usual = { url: server.url, model: 'words', key: '', timeoutMs: 5000, attempts: 3, firstDelayMs: 5 };
  return createHttpEmbedder({ ...usual, ...changes });
}

const vectorsOf = (...texts: string[]) => ({
  kind: 'vectors',
  vectors: texts.map((text) => Float32Array.from(wordVector(text))),
});

describe('an endpoint', () => {
  it('gives a vector for each text, in order, whatever the order of the answer', async () => {
    const server = await embeddingServer();
    expect(await embedderFor(server).embed(['one', 'two', 'three'])).toEqual(
      vectorsOf('one', 'two', 'three'),
    );
    expect(server.requests).toEqual([['one', 'two', 'three']]);
  });

  it('is not asked about nothing', async () => {
    const server = await embeddingServer();
    expect(await embedderFor(server).embed([])).toEqual({ kind: 'vectors', vectors: [] });
    expect(server.requests).toEqual([]);
  });

  it('gets the key when there is one, and no header when there is none', async () => {
    const server = await embeddingServer();
    await embedderFor(server, { key: 'k-123' }).embed(['a']);
    await embedderFor(server).embed(['a']);
    expect(server.headers.map(({ authorization }) => authorization)).toEqual(['Bearer k-123', undefined]);
  });

  it.each([429, 500, 502, 503, 408])('that says %i is asked again', async (code) => {
    const server = await embeddingServer();
    server.next.push(status(code), status(code));
    expect(await embedderFor(server).embed(['a'])).toEqual(vectorsOf('a'));
    expect(server.requests).toHaveLength(3);
  });

  it('that keeps failing is given up, and the reason contains no secret', async () => {
    const server = await embeddingServer();
    server.next.push(status(500), status(500), status(500));
    const outcome = await embedderFor(server, { key: 'k-123' }).embed(['text of mine']);
    expect(outcome).toEqual({ kind: 'failed', reason: 'HTTP 500' });
    expect(server.requests).toHaveLength(3);
  });

  it('is not asked again before the time that it names', async () => {
    const server = await embeddingServer();
    server.next.push(status(429, { 'retry-after': '1' }));
    const started = performance.now();
    expect(await embedderFor(server).embed(['a'])).toEqual(vectorsOf('a'));
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  it('that asks for an hour is not waited for', async () => {
    const server = await embeddingServer();
    server.next.push(status(429, { 'retry-after': '3600' }));
    expect(await embedderFor(server).embed(['a'])).toEqual({ kind: 'failed', reason: 'HTTP 429' });
  });

  it.each([401, 403, 404, 301, 302])('that says %i is not asked again, and not followed', async (code) => {
    const server = await embeddingServer();
    server.next.push(status(code, { location: server.url }));
    expect(await embedderFor(server).embed(['a'])).toEqual({ kind: 'failed', reason: `HTTP ${code}` });
    expect(server.requests).toHaveLength(1);
  });

  it('that never answers is given up in time', async () => {
    const server = await embeddingServer();
    server.next.push(silence, silence);
    const outcome = await embedderFor(server, { timeoutMs: 100, attempts: 2 }).embed(['a']);
    expect(outcome).toEqual({ kind: 'failed', reason: 'no answer within 100 ms' });
  });

  it('that is not there is a reason, not a crash', async () => {
    const server = await embeddingServer();
    const outcome = await embedderFor(server, { url: 'http://127.0.0.1:1/v1/embeddings' }).embed(['a']);
    expect(outcome).toMatchObject({ kind: 'failed' });
  });

  it('is left when the caller leaves, also while waiting to ask again', async () => {
    const server = await embeddingServer();
    server.next.push(status(500));
    const controller = new AbortController();
    const embedder = embedderFor(server, { firstDelayMs: 15_000 });
    const outcome = embedder.embed(['a'], controller.signal);
    setTimeout(() => controller.abort(), 50);
    expect(await outcome).toEqual({ kind: 'failed', reason: 'cancelled' });
    expect(await embedder.embed(['a'], controller.signal)).toEqual({ kind: 'failed', reason: 'cancelled' });
  });

  it('that refuses one text still embeds the others', async () => {
    const server = await embeddingServer();
    const refuse = (response: Parameters<typeof silence>[0], texts: readonly string[]) => {
      if (!texts.includes('bad')) return 'vectors';
      response.writeHead(400).end();
      return undefined;
    };
    server.next.push(...Array.from({ length: 10 }, () => refuse));
    const outcome = await embedderFor(server).embed(['one', 'two', 'bad', 'three', 'four']);
    expect(outcome).toEqual({
      kind: 'vectors',
      vectors: ['one', 'two', 'bad', 'three', 'four'].map((text) =>
        text === 'bad' ? null : Float32Array.from(wordVector(text)),
      ),
    });
  });

  it('that refuses everything is found out after half of a batch', async () => {
    const server = await embeddingServer();
    server.next.push(...Array.from({ length: 50 }, () => status(400)));
    const outcome = await embedderFor(server).embed(Array.from({ length: 16 }, (_, at) => `text ${at}`));
    expect(outcome).toEqual({ kind: 'failed', reason: 'it refuses every text' });
    expect(server.requests.length).toBeLessThan(8);
  });

  it.each([
    ['not JSON', '<html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['no data', '{}'],
    ['too few', '{"data":[]}'],
    ['no numbers', '{"data":[{"index":0,"embedding":["a"]}]}'],
    ['an empty vector', '{"data":[{"index":0,"embedding":[]}]}'],
    ['huge numbers', '{"data":[{"index":0,"embedding":[1e300]}]}'],
    ['zeros', '{"data":[{"index":0,"embedding":[0,0]}]}'],
    ['a wrong index', '{"data":[{"index":7,"embedding":[1]}]}'],
    ['an index that is a name', '{"data":[{"index":"__proto__","embedding":[1]}]}'],
  ])('that gives %s is refused', async (_, text) => {
    const server = await embeddingServer();
    server.next.push(body(text));
    expect(await embedderFor(server).embed(['a'])).toMatchObject({ kind: 'failed' });
    expect(server.requests).toHaveLength(1);
  });
});

it('no answer makes the reader throw, and what it takes are whole vectors of one length', () => {
  const entry = fc.oneof(
    fc.anything(),
    fc.record({
      index: fc.integer({ min: -1, max: 3 }),
      embedding: fc.array(fc.oneof(fc.double(), fc.anything())),
    }),
  );
  const answer = fc.oneof(fc.anything(), fc.record({ data: fc.array(entry, { maxLength: 4 }) }));
  fc.assert(
    fc.property(answer, fc.integer({ min: 1, max: 3 }), (value, count) => {
      const read = readEmbeddings(value, count);
      if (typeof read === 'string') return;
      expect(read).toHaveLength(count);
      for (const vector of read) expect(vector.length).toBe(read[0]!.length);
    }),
    { numRuns: 2000 },
  );
});
