// The index on the server: its mapping, its analyzer, and how it is created or brought over from an earlier
// layout.

import { type Connection, type Patience, unavailable } from './connection.ts';

/** Goes up when documents of the former layout cannot be read any more. */
export const LAYOUT = 1;

/** The one index of a store. */
export interface IndexOptions {
  /** The name for readers and writers: an alias of the index of the present layout. */
  readonly alias: string;
  /** A repository is in one shard; more shards spread repositories. */
  readonly shards: number;
}

const indexName = (alias: string, layout: number) => `${alias}-v${layout}`;

/** Most files that one search lists. */
export const MAX_LIST = 200_000;

/**
 * Words arrive as written. A word answers to itself without underscores and to its parts, as `wordParts` says; after
 * `=` it stands for itself alone.
 */
const PARTS = '=.*|(\\p{Lu}+(?=\\p{Lu}\\p{Ll})|\\p{Lu}?\\p{Ll}[\\p{Ll}\\p{M}]*|\\p{Lu}+|\\p{Lo}+|\\p{N}+)';

/** A field of words: only how often each of them occurs is stored. */
const words = {
  type: 'text',
  analyzer: 'loadout_code',
  similarity: 'loadout_count',
  norms: false,
  index_options: 'freqs',
};
/** An exact value. */
const keyword = { type: 'keyword' };
/** Kept in the source, and nowhere else. */
const opaque = { type: 'object', enabled: false };

/** Of one index: the only thing that is created on a server. */
export function indexBody({ shards }: IndexOptions): Record<string, unknown> {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        auto_expand_replicas: '0-1',
        max_result_window: MAX_LIST,
        max_terms_count: 1_000_000,
      },
      analysis: {
        filter: {
          loadout_parts: { type: 'pattern_capture', preserve_original: true, patterns: [PARTS] },
          loadout_joined: { type: 'pattern_replace', pattern: '[_=]', replacement: '' },
          loadout_some: { type: 'length', min: 1 },
        },
        analyzer: {
          loadout_code: {
            type: 'custom',
            tokenizer: 'whitespace',
            filter: ['loadout_parts', 'loadout_joined', 'lowercase', 'loadout_some', 'remove_duplicates'],
          },
        },
      },
      // how often, and nothing else: the statistics are those of a snapshot, which the server does not know
      similarity: {
        loadout_count: { type: 'scripted', script: { source: 'return query.boost * doc.freq;' } },
      },
    },
    mappings: {
      dynamic: false,
      _meta: { layout: LAYOUT },
      properties: {
        kind: keyword,
        team: keyword,
        repository: keyword,
        branch: keyword,
        path: keyword,
        contentHash: keyword,
        language: keyword,
        on: keyword,
        off: keyword,
        at: { type: 'long' },
        code: words,
        comment: words,
        string: words,
        definition: words,
        length: {
          properties: {
            code: { type: 'integer' },
            comment: { type: 'integer' },
            string: { type: 'integer' },
            definition: { type: 'integer' },
          },
        },
        symbolNames: { type: 'keyword', ignore_above: 8000 },
        vectors: { type: 'binary', doc_values: true },
        known: opaque,
        head: opaque,
        page: opaque,
      },
    },
  };
}

/** The layout behind the alias; null when there is none yet. */
async function layoutOf(connection: Connection, alias: string, patience: Patience): Promise<number | null> {
  const path = `/_alias/${encodeURIComponent(alias)}`;
  const { status, value } = await connection.send({ method: 'GET', path, accept: [404] }, patience);
  if (status === 404) return null;
  const names = Object.keys((value ?? {}) as object);
  const layouts = names.map((name) => Number(name.slice(alias.length + 2)));
  const layout = Math.max(...layouts);
  if (!Number.isInteger(layout)) throw unavailable(`the alias ${alias} belongs to something else`);
  return layout;
}

/** Makes the index, or brings one of an earlier layout over; the alias changes hands in one step. */
export async function ensureIndex(
  connection: Connection,
  options: IndexOptions,
  patience: Patience,
): Promise<void> {
  const { alias } = options;
  const found = await layoutOf(connection, alias, patience);
  if (found === LAYOUT) return;
  if (found !== null && found > LAYOUT) throw unavailable(otherLayout(found));
  const index = indexName(alias, LAYOUT);
  const body = { ...indexBody(options), ...(found === null ? { aliases: { [alias]: {} } } : {}) };
  // 400: another writer was faster
  await connection.send({ method: 'PUT', path: `/${index}`, body, accept: [400] }, patience);
  if (found !== null) {
    const former = indexName(alias, found);
    const copy = { source: { index: former }, dest: { index, op_type: 'create' }, conflicts: 'proceed' };
    await connection.send({ method: 'POST', path: '/_reindex?refresh=true', body: copy }, patience);
    const actions = [{ add: { index, alias } }, { remove: { index: former, alias } }];
    await connection.send({ method: 'POST', path: '/_aliases', body: { actions } }, patience);
  }
  if ((await layoutOf(connection, alias, patience)) !== LAYOUT)
    throw unavailable(`the index ${index} could not be made`);
}

/** The message for an index that this version cannot read. */
export const otherLayout = (found: number): string =>
  `it has layout ${found}, this version of loadout knows layout ${LAYOUT}`;
