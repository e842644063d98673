// Documents of snapshots: the record that is the commit, its statistics, and the reading of contents and lists
// of files by id.

import { createHash } from 'node:crypto';
import type { ManifestEntry, StoreSnapshot } from '../../model/knowledge-store.ts';
import { bySnapshotName } from '../knowledge-store/store-snapshot.ts';
import { type Connection, type Patience, unavailable } from './connection.ts';
import { LAYOUT, otherLayout } from './index-layout.ts';
import { type Layers, type PageEntry, readPages } from './manifest-pages.ts';
import { FIELDS, type KnownContent, type Lengths } from './stored-document.ts';

/** All that makes up a snapshot, in one document: replacing it is the commit. */
export interface SnapshotRecord {
  readonly head: StoreSnapshot;
  readonly layers: Layers;
  /** Documents that hold its list of files. */
  readonly pages: readonly string[];
  /** Document that lists its twins; empty when there are none. */
  readonly twins: string;
  readonly statistics: SnapshotStatistics;
  /** Numbers in a vector; 0 without any. */
  readonly dimension: number;
  /** The update that wrote it. */
  readonly attempt: string;
}

/** A record with the version that a writer must replace. */
export interface FoundRecord extends SnapshotRecord {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** An index on a server, and the team whose documents are read and written. */
export interface Place {
  readonly connection: Connection;
  readonly alias: string;
  readonly team: string;
}

/** Names may hold anything, so that ids are hashes. */
const hashed = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** All documents of a repository are in one shard. */
export const routingOf = (team: string, repository: string): string =>
  hashed('routing', team, repository).slice(0, 16);

/** The id of the record of a branch. */
export const recordId = (team: string, repository: string, branch: string): string =>
  `head-${hashed('head', team, repository, branch).slice(0, 40)}`;

/** The address of a document. */
const documentPath = (alias: string, kind: string, id: string, routing: string): string =>
  `/${encodeURIComponent(alias)}/${kind}/${encodeURIComponent(id)}?routing=${routing}`;

/** The current state, also when it cannot be searched yet. */
export async function readRecord(
  { connection, alias, team }: Place,
  repository: string,
  branch: string,
  patience: Patience,
): Promise<FoundRecord | null> {
  const path = documentPath(alias, '_doc', recordId(team, repository, branch), routingOf(team, repository));
  const { status, value } = await connection.send({ method: 'GET', path, accept: [404] }, patience);
  return status === 404 ? null : recordOf(value as RawDocument, team);
}

/** A document as the server sends it. */
interface RawDocument {
  readonly found?: boolean;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
  readonly _source?: { readonly team?: string; readonly layout?: number; readonly head?: SnapshotRecord };
}

/** Null for a document of another team. Throws for a layout that this version does not know. */
function recordOf({ _source, _seq_no, _primary_term }: RawDocument, team: string): FoundRecord | null {
  if (!_source?.head || _source.team !== team) return null;
  if (_source.layout !== LAYOUT) throw unavailable(otherLayout(Number(_source.layout)));
  return { ..._source.head, seqNo: _seq_no ?? -1, primaryTerm: _primary_term ?? -1 };
}

/** Most branches that one team may have. */
const MAX_RECORDS = 10_000;

/** The records of a team, or of one of its repositories, sorted by repository and branch. */
export async function listRecords(
  { connection, alias, team }: Place,
  repository: string | null,
  patience: Patience,
): Promise<readonly FoundRecord[]> {
  const filter = [
    { term: { kind: 'head' } },
    { term: { team } },
    ...(repository === null ? [] : [{ term: { repository } }]),
  ];
  const routing = repository === null ? '' : `?routing=${routingOf(team, repository)}`;
  const { status, value } = await connection.send(
    {
      method: 'POST',
      path: `/${encodeURIComponent(alias)}/_search${routing}`,
      body: { query: { bool: { filter } }, size: MAX_RECORDS, seq_no_primary_term: true },
      accept: [404],
    },
    patience,
  );
  if (status === 404) return [];
  const answer = value as { _shards?: { failed?: number }; hits?: { hits?: RawDocument[] } };
  if (answer._shards?.failed !== 0) throw unavailable('a part of its index does not answer');
  return (answer.hits?.hits ?? [])
    .flatMap((hit) => recordOf(hit, team) ?? [])
    .sort((a, b) => bySnapshotName(a.head, b.head));
}

/** Replaces the former record, if there is one. False when another writer was faster. */
export async function writeRecord(
  place: Place,
  record: SnapshotRecord,
  former: FoundRecord | null,
  patience: Patience,
): Promise<boolean> {
  const { connection, alias, team } = place;
  const { repository, branch } = record.head;
  const id = recordId(team, repository, branch);
  const condition = former
    ? `&if_seq_no=${former.seqNo}&if_primary_term=${former.primaryTerm}`
    : '&op_type=create';
  const path = `${documentPath(alias, '_doc', id, routingOf(team, repository))}&refresh=true&require_alias=true${condition}`;
  const body = { kind: 'head', layout: LAYOUT, team, repository, branch, head: record };
  const { status } = await connection.send({ method: 'PUT', path, body, accept: [409] }, patience);
  if (status !== 409) return true;
  // the answer to a first attempt may have been lost on the way
  return (await readRecord(place, repository, branch, patience))?.attempt === record.attempt;
}

/** The statistics of a whole snapshot for BM25. */
interface SnapshotStatistics {
  /** Files of equal content count once. */
  readonly documents: number;
  /** Words in each field, over all of them. */
  readonly lengths: readonly number[];
}

/** Files of equal content and language are one document of the statistics. */
const contentKey = ({ contentHash, language }: Pick<ManifestEntry, 'contentHash' | 'language'>) =>
  `${contentHash} ${language}`;

/** Statistics, and the files that they leave out. */
interface CountedSnapshot {
  readonly statistics: SnapshotStatistics;
  /** Numbers of the files whose content an earlier path already has. */
  readonly twins: readonly number[];
}

/** Counts the words of a snapshot; files of equal content count once. */
export function countSnapshot(entries: readonly PageEntry[]): CountedSnapshot {
  const seen = new Set<string>();
  const twins: number[] = [];
  const lengths = FIELDS.map(() => 0);
  entries.forEach((entry, place) => {
    const key = contentKey(entry);
    if (seen.has(key)) {
      twins.push(place);
      return;
    }
    seen.add(key);
    for (const field of lengths.keys()) lengths[field]! += entry.lengths[field] ?? 0;
  });
  return { statistics: { documents: seen.size, lengths }, twins };
}

/** The numbers of a stored content for the statistics. */
export interface ContentFacts {
  readonly lengths: Lengths;
  readonly dimension: number;
}

/** A file document as the server sends it. */
interface RawFile {
  readonly _id: string;
  readonly found?: boolean;
  readonly error?: unknown;
  readonly _source?: {
    readonly team?: string;
    readonly length?: Readonly<Record<string, number>>;
    readonly dimension?: number;
    readonly known?: KnownContent;
    readonly page?: { readonly data?: string };
  };
}

/** Documents of one request. */
const BATCH = 1000;

/** The current state of these documents, also when they cannot be searched yet. */
async function getMany(
  { connection, alias, team }: Place,
  repository: string,
  ids: readonly string[],
  fields: readonly string[],
  patience: Patience,
): Promise<readonly RawFile[]> {
  const routing = routingOf(team, repository);
  const found: RawFile[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const docs = ids.slice(from, from + BATCH).map((_id) => ({ _id, routing }));
    const source = ['team', ...fields].join(',');
    const path = `/${encodeURIComponent(alias)}/_mget?_source_includes=${source}`;
    const { value } = await connection.send({ method: 'POST', path, body: { docs } }, patience);
    const answer = (value as { docs?: readonly RawFile[] })?.docs ?? [];
    if (answer.length !== docs.length || answer.some(({ error }) => error !== undefined))
      throw unavailable('a part of its index does not answer');
    found.push(...answer.filter((one) => one.found && one._source?.team === team));
  }
  return found;
}

/** The contents that are stored, with the numbers for the statistics. */
export async function lookUpContents(
  place: Place,
  repository: string,
  ids: readonly string[],
  patience: Patience,
): Promise<ReadonlyMap<string, ContentFacts>> {
  const found = await getMany(place, repository, ids, ['length', 'dimension'], patience);
  return new Map(
    found.map(({ _id, _source }) => {
      const lengths = FIELDS.map((field) => _source?.length?.[field] ?? 0);
      return [_id, { lengths, dimension: _source?.dimension ?? 0 }];
    }),
  );
}

/** The files of a snapshot. */
export async function readEntries(
  place: Place,
  { head, pages }: Pick<SnapshotRecord, 'head' | 'pages'>,
  patience: Patience,
): Promise<readonly PageEntry[]> {
  const found = await getMany(place, head.repository, pages, ['page'], patience);
  if (found.length !== pages.length) throw unavailable('a part of the list of files is gone');
  return readPages(found.map(({ _source }) => _source?.page?.data ?? ''));
}

/** The facts about one file. */
export async function readContent(
  place: Place,
  repository: string,
  id: string,
  patience: Patience,
): Promise<KnownContent> {
  const [file] = await getMany(place, repository, [id], ['known'], patience);
  const known = file?._source?.known;
  if (!known) throw unavailable('a file of the snapshot is gone');
  return known;
}
