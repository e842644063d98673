import { type Patience, unavailable } from './connection.ts';
import { type PageEntry, readPages } from './manifest-pages.ts';
import { type Place, routingOf, type SnapshotRecord } from './snapshot-document.ts';
import { FIELDS, type KnownContent, type Lengths } from './stored-document.ts';

export interface ContentFacts {
  readonly lengths: Lengths;
  readonly dimension: number;
}

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

const BATCH = 1000;

/** What is there this moment, searchable or not, of these documents. */
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

/** Which contents are stored, with what their statistics are made of. */
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
