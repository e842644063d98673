// The list of files of a snapshot, as the server keeps it: pages of compressed rows, shared between snapshots.
// The queries that choose files of a snapshot are here, too.

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ManifestEntry, StoreEdge, StoreFilter } from '../../model/knowledge-store.ts';
import { parseJson } from '../../model/read-json.ts';
import type { Lengths } from './stored-document.ts';

/** A file of a snapshot, with the numbers for the statistics. */
export interface PageEntry extends ManifestEntry {
  readonly lengths: Lengths;
}

export interface Page {
  /** Of its content: a page that stays the same is sent once. */
  readonly id: string;
  readonly data: string;
}

/** About as many files as make a page. */
const PAGE_FILES = 256;
/** Of one page once it is unpacked. */
const MAX_PAGE_BYTES = 64_000_000;

/** A file as one row of JSON. */
type Row = readonly [
  path: string,
  contentHash: string,
  language: string | null,
  edges: readonly (readonly [to: string, kind: string])[],
  lengths: Lengths,
];

/** Files go to pages by their path, so that a change touches few pages. */
export function pagesOf(scope: string, entries: readonly PageEntry[]): readonly Page[] {
  const count = 2 ** Math.max(0, Math.ceil(Math.log2(entries.length / PAGE_FILES)));
  const rows: Row[][] = Array.from({ length: count }, () => []);
  for (const { path, contentHash, language, edges, lengths } of entries) {
    const number = createHash('sha1').update(path).digest().readUInt32BE(0) % count;
    rows[number]!.push([
      path,
      contentHash,
      language,
      edges.map(({ to, kind }) => [to, kind] as const),
      lengths,
    ]);
  }
  return rows
    .filter((page) => page.length > 0)
    .map((page) => {
      const text = JSON.stringify(page);
      const hash = createHash('sha256').update(JSON.stringify(scope)).update(text).digest('hex');
      return { id: `page-${hash.slice(0, 40)}`, data: deflateRawSync(text).toString('base64') };
    });
}

/** Sorted by path. */
export function readPages(pages: readonly string[]): readonly PageEntry[] {
  return pages
    .flatMap((data) => {
      const options = { maxOutputLength: MAX_PAGE_BYTES };
      const text = inflateRawSync(Buffer.from(data, 'base64'), options).toString('utf8');
      return (parseJson(text, 'a list of files', MAX_PAGE_BYTES) as Row[]).map(
        ([path, contentHash, language, edges, lengths]): PageEntry => ({
          path,
          contentHash,
          language,
          edges: edges.map(([to, kind]) => ({ to, kind }) as StoreEdge),
          lengths,
        }),
      );
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A query in the language of the server. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * Each update is a layer with a name of its own. A file carries the layers that brought it (`on`) and those that took
 * it away (`off`); a snapshot is a list of layers, oldest first. So a branch that starts from another one shares its
 * layers, an update marks only the changed files, and the leftovers of a failed update are in no list.
 */
export type Layers = readonly string[];

/** Beyond this an update marks all files anew: the longer the list, the slower every search. */
export const MAX_LAYERS = 40;

/** A file exists when the last layer that mentions it brought it. */
export function inLayers(layers: Layers): Query {
  const should = layers.map((layer, at) => {
    const later = layers.slice(at + 1);
    return {
      bool: {
        filter: [{ term: { on: layer } }],
        ...(later.length > 0 ? { must_not: [{ terms: { off: later } }] } : {}),
      },
    };
  });
  return { bool: { should, minimum_should_match: 1 } };
}

/** The parts of a snapshot on the server. */
interface SnapshotScope {
  readonly team: string;
  readonly repository: string;
  readonly layers: Layers;
}

/** The team is in every filter, although no layer belongs to two. */
export function inSnapshot({ team, repository, layers }: SnapshotScope): Query[] {
  return [{ term: { kind: 'file' } }, { term: { team } }, { term: { repository } }, inLayers(layers)];
}

/** Null when no file can match the filter. */
export function chosenFiles({ languages, paths }: StoreFilter): Query[] | null {
  if (languages?.length === 0 || paths?.length === 0) return null;
  const chosen: Query[] = [];
  if (languages) chosen.push({ terms: { language: languages } });
  if (paths) chosen.push({ bool: { should: paths.map(pathQuery), minimum_should_match: 1 } });
  return chosen;
}

/** `*` is the only wildcard of a filter; the server would also treat `?` as one. */
function pathQuery(pattern: string): Query {
  if (!pattern.includes('*')) return { term: { path: pattern } };
  return { wildcard: { path: { value: pattern.replace(/[\\?]/g, '\\$&') } } };
}
