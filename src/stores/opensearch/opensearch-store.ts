import type {
  FoundSymbol,
  KnowledgeStore,
  LexicalQuery,
  RankedList,
  StoredSymbol,
  StoreEdge,
} from '../../model/knowledge-store.ts';
import { documentId } from '../knowledge-store/document-id.ts';
import { describeFile } from '../knowledge-store/search-snapshots.ts';
import { choosesSnapshot } from '../knowledge-store/store-filter.ts';
import { chosenFiles, inSnapshot } from './branch-layers.ts';
import { Connection, type ConnectionOptions, NAME, patienceOf, WRITE_ATTEMPTS } from './connection.ts';
import { LARGEST_LIST } from './index-layout.ts';
import { searchLexically } from './lexical-query.ts';
import { readContent, readEntries } from './read-documents.ts';
import { searchAll, textField } from './search-request.ts';
import { sendBulk } from './send-bulk.ts';
import { listRecords, type Place, readRecord, recordId, routingOf } from './snapshot-document.ts';
import { updateBranch } from './update-branch.ts';
import { searchByMeaning } from './vector-query.ts';

export interface OpenSearchOptions extends Omit<ConnectionOptions, 'requestTimeoutMs' | 'kind'> {
  /** What people call it. */
  readonly name?: string;
  /** The only family of servers that is wanted. */
  readonly kind?: ConnectionOptions['kind'];
  readonly team: string;
  /** What the index is called; its teams share it. */
  readonly index?: string;
  readonly shards?: number;
  readonly requestTimeoutMs?: number;
}

export interface OpenSearchStore extends KnowledgeStore {
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
    async snapshots(call) {
      return (await listRecords(place, null, patienceOf(call))).map(({ head }) => head);
    },
    async snapshot(repository, branch, call) {
      return (await readRecord(place, repository, branch, patienceOf(call)))?.head ?? null;
    },
    async update(update, call) {
      return updateBranch(place, { alias, shards }, update, patienceOf(call, WRITE_ATTEMPTS));
    },
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
          size: Math.min(Math.max(1, fileCount), LARGEST_LIST),
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
