// The knowledge store that a team shares, on OpenSearch or Elasticsearch. This file maps the contract to
// requests; lexical-query.ts ranks words, update-branch.ts writes, snapshot-document.ts reads documents.

import type {
  FoundSymbol,
  LexicalQuery,
  RankedList,
  StoredSymbol,
  StoreEdge,
  StoreHit,
  TeamStore,
  VectorQuery,
} from '../../model/knowledge-store.ts';
import { choosesSnapshot, describeFile, rankedList } from '../knowledge-store/search-snapshots.ts';
import { documentId, refused, unitVector } from '../knowledge-store/store-snapshot.ts';
import { searchAll, sendBulk, textField } from './bulk-requests.ts';
import {
  Connection,
  type ConnectionOptions,
  NAME,
  type Patience,
  patienceOf,
  WRITE_ATTEMPTS,
} from './connection.ts';
import { MAX_LIST } from './index-layout.ts';
import { searchLexically } from './lexical-query.ts';
import { chosenFiles, inSnapshot } from './manifest-pages.ts';
import {
  listRecords,
  type Place,
  readContent,
  readEntries,
  readRecord,
  recordId,
  routingOf,
  type SnapshotRecord,
} from './snapshot-document.ts';
import { PASSAGE_HEAD } from './stored-document.ts';
import { updateBranch } from './update-branch.ts';

/** How to reach the server, and which indexes are used. */
export interface OpenSearchOptions extends Omit<ConnectionOptions, 'requestTimeoutMs' | 'kind'> {
  /** The name of the store, for people. */
  readonly name?: string;
  /** The family of servers that the user expects. */
  readonly kind?: ConnectionOptions['kind'];
  readonly team: string;
  /** The name of the index; teams share it. */
  readonly index?: string;
  /** Used when the index is created; an index that exists keeps its own. */
  readonly shards?: number;
  /** In milliseconds, for one request. */
  readonly requestTimeoutMs?: number;
}

/** The store with its parts, for tests. */
export interface OpenSearchStore extends TeamStore {
  readonly connection: Connection;
  readonly place: Place;
}

const DEFAULT_INDEX = 'loadout';
const DEFAULT_SHARDS = 3;
const REQUEST_TIMEOUT_MS = 30_000;

/** The store that a team shares: one index on a cluster of OpenSearch or Elasticsearch. */
export function openOpenSearchStore(options: OpenSearchOptions): OpenSearchStore {
  const { team, name = NAME, index: alias = DEFAULT_INDEX, shards = DEFAULT_SHARDS } = options;
  const connection = new Connection({ requestTimeoutMs: REQUEST_TIMEOUT_MS, kind: 'auto', ...options });
  const place: Place = { connection, alias, team };
  return {
    name,
    team,
    connection,
    place,
    async capabilities(call) {
      await connection.dialect(patienceOf(call));
      return { channels: ['lexical', 'vector'], writable: true, durable: true };
    },
    async server(call) {
      const { family, version } = await connection.dialect(patienceOf(call));
      return `${family} ${version}`;
    },
    async collectGarbage(call) {
      const { collectGarbage } = await import('./collect-garbage.ts');
      return collectGarbage(place, patienceOf(call));
    },
    traffic: () => ({ bytesSent: connection.bytesSent, retries: connection.retries }),
    async snapshots(call) {
      return (await listRecords(place, null, patienceOf(call))).map(({ head }) => head);
    },
    async snapshot(repository, branch, call) {
      return (await readRecord(place, repository, branch, patienceOf(call)))?.head ?? null;
    },
    async update(update, call) {
      return updateBranch(place, { alias, shards }, update, patienceOf(call, WRITE_ATTEMPTS));
    },
    // Lexical queries share their requests. Queries by meaning follow one by one.
    async search(queries, call) {
      const patience = patienceOf(call);
      const all = await listRecords(place, null, patience);
      const asked = queries.map((query) => ({
        query,
        records: all.filter(({ head }) => choosesSnapshot(query.filter, head)),
      }));
      const words = asked.flatMap(({ query, records }) =>
        query.channel === 'lexical' ? [{ query: query as LexicalQuery, records }] : [],
      );
      const found = words.length > 0 ? await searchLexically(place, words, patience) : [];
      const lists: RankedList[] = [];
      let at = 0;
      for (const { query, records } of asked)
        lists.push(
          query.channel === 'lexical' ? found[at++]! : await searchByMeaning(place, query, records, patience),
        );
      return lists;
    },
    // One search for each snapshot; the definitions of a file are filtered here, because the index knows only
    // their names.
    async symbols(wanted, filter, call) {
      const patience = patienceOf(call);
      const files = chosenFiles(filter);
      if (files === null) return [];
      const records = (await listRecords(place, null, patience)).filter(({ head }) =>
        choosesSnapshot(filter, head),
      );
      const searches = records.map(({ head: { repository, fileCount }, layers }) => ({
        routing: routingOf(team, repository),
        body: {
          size: Math.min(Math.max(1, fileCount), MAX_LIST),
          track_total_hits: false,
          _source: ['known.symbols'],
          docvalue_fields: ['path'],
          sort: [{ path: 'asc' }],
          query: {
            bool: {
              filter: [
                ...inSnapshot({ team, repository, layers }),
                ...files,
                { term: { symbolNames: wanted } },
              ],
            },
          },
        },
      }));
      // In the order of `records`.
      const answers = await searchAll(place, searches, patience);
      return records.flatMap(({ head: { repository, branch } }, number) =>
        answers[number]!.hits.flatMap((hit) => {
          const { symbols = [] } = (hit._source?.known ?? {}) as { symbols?: StoredSymbol[] };
          return symbols
            .filter((symbol) => symbol.name === wanted)
            .sort((a, b) => a.line - b.line)
            .map((symbol): FoundSymbol => ({ ...symbol, repository, branch, path: textField(hit, 'path') }));
        }),
      );
    },
    // The list of files is read whole: the edges to a file are in the entries of the others.
    async file(repository, branch, path, call) {
      const patience = patienceOf(call);
      const record = await readRecord(place, repository, branch, patience);
      if (!record) return null;
      const entries = await readEntries(place, record, patience);
      const entry = entries.find((one) => one.path === path);
      if (!entry) return null;
      const id = documentId(team, repository, record.head.model, entry);
      const content = await readContent(place, repository, id, patience);
      const usedBy = entries.flatMap((other) =>
        other.edges.filter(({ to }) => to === path).map(({ kind }): StoreEdge => ({ to: other.path, kind })),
      );
      return describeFile(
        {
          head: record.head,
          files: [entry],
          scoreWords: () => [],
          passages: () => [],
          symbolsNamed: () => [],
          describe: () => content,
          edgesAround: () => ({ edges: entry.edges, usedBy }),
        },
        path,
      );
    },
    // Only the records are removed. `loadout store gc` removes documents without a record later.
    async remove(repository, branch, call) {
      const patience = patienceOf(call, WRITE_ATTEMPTS);
      const gone = (await listRecords(place, repository, patience)).filter(
        ({ head }) => branch === null || head.branch === branch,
      );
      const routing = routingOf(team, repository);
      const items = gone.map(({ head }) => ({
        id: recordId(team, repository, head.branch),
        routing,
        action: 'delete' as const,
      }));
      if (items.length > 0) {
        await sendBulk(place, items, patience);
        const path = `/${encodeURIComponent(alias)}/_refresh`;
        await connection.send({ method: 'POST', path }, patience);
      }
      return gone.length;
    },
    async close() {
      connection.close();
    },
  };
}

/** A script that runs through the passages of a file. `BEST` and `LINES` end it with different results. */
const LOOP = `def v = doc['vectors'].value; int size = params.q.length; int step = size + ${PASSAGE_HEAD};
double best = 0; int at = -1;
for (int from = v.offset; from + step <= v.offset + v.length; from += step) {
  int bits = ((v.bytes[from + 8] & 255) << 24) | ((v.bytes[from + 9] & 255) << 16) | ((v.bytes[from + 10] & 255) << 8) | (v.bytes[from + 11] & 255);
  double sum = 0;
  for (int i = 0; i < size; i++) { sum += v.bytes[from + ${PASSAGE_HEAD} + i] * (double) params.q[i]; }
  sum *= Float.intBitsToFloat(bits);
  if (sum > best) { best = sum; at = from; }
}`;
const BEST = `${LOOP} return best;`;
const LINES = `${LOOP} if (at < 0) { return null; }
int first = ((v.bytes[at] & 255) << 24) | ((v.bytes[at + 1] & 255) << 16) | ((v.bytes[at + 2] & 255) << 8) | (v.bytes[at + 3] & 255);
int last = ((v.bytes[at + 4] & 255) << 24) | ((v.bytes[at + 5] & 255) << 16) | ((v.bytes[at + 6] & 255) << 8) | (v.bytes[at + 7] & 255);
return first + '-' + last;`;

/** A cosine below this is none. */
const MIN_SIZE = 1e-6;

/**
 * Cosine of the best passage of each file, worked out on the server one by one: exact, with every server that runs
 * scripts, and fast enough for the files of a repository.
 */
async function searchByMeaning(
  place: Place,
  query: VectorQuery,
  records: readonly SnapshotRecord[],
  patience: Patience,
): Promise<RankedList> {
  // A query of length 1, so that the sum of products is the cosine.
  const unit = unitVector(query.vector);
  if (!unit) throw refused('the vector of a query has no direction');
  const files = chosenFiles(query.filter);
  // Vectors of another model say nothing about this query.
  const chosen = files
    ? records.filter(({ head, dimension }) => head.model === query.model && dimension > 0)
    : [];
  for (const { dimension } of chosen)
    if (dimension !== unit.length)
      throw refused(`the query has ${unit.length} numbers, the stored vectors have ${dimension}`);
  const params = { q: [...unit] };
  // The script reads every passage of a file: exact, and linear in the number of files.
  const searches = chosen.map(({ head: { repository, fileCount }, layers }) => {
    const scope = inSnapshot({ team: place.team, repository, layers });
    const filter = [...scope, ...files!, { exists: { field: 'vectors' } }];
    const script = { lang: 'painless', source: BEST, params };
    return {
      routing: routingOf(place.team, repository),
      body: {
        size: Math.min(query.limit, fileCount, MAX_LIST),
        track_total_hits: false,
        _source: false,
        docvalue_fields: ['path', 'contentHash'],
        script_fields: { lines: { script: { lang: 'painless', source: LINES, params } } },
        sort: [{ _score: 'desc' }, { path: 'asc' }],
        query: { script_score: { query: { bool: { filter } }, script, min_score: MIN_SIZE } },
      },
    };
  });
  const answers = await searchAll(place, searches, patience);
  const hits = chosen.flatMap(({ head: { repository, branch } }, at) =>
    answers[at]!.hits.map((hit): StoreHit => {
      const [startLine, endLine] = textField(hit, 'lines').split('-').map(Number);
      return {
        repository,
        branch,
        path: textField(hit, 'path'),
        contentHash: textField(hit, 'contentHash'),
        score: hit._score ?? 0,
        span: { startLine: startLine ?? 1, endLine: endLine ?? 1 },
      };
    }),
  );
  return rankedList(hits, query.limit);
}
