import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ManifestEntry, StoreEdge } from '../../model/knowledge-store.ts';
import type { Lengths } from './stored-document.ts';

/** A file of a snapshot, with what its statistics are made of. */
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
const MAX_PAGE_BYTES = 64_000_000;

type Row = readonly [
  path: string,
  contentHash: string,
  language: string | null,
  edges: readonly (readonly [to: string, kind: string])[],
  lengths: Lengths,
];

/** Files go to pages by their path, so that a change touches the pages of what has changed. */
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
      return (JSON.parse(text) as Row[]).map(
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
