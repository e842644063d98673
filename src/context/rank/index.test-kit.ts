import { readGrammar } from '../../../test/support/parse-snippet.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { classify } from '../../scan/discover/classify.ts';
import { SegmentReader } from '../../scan/format/segment-reader.ts';
import { linkSnapshot } from '../../scan/link-snapshot.ts';
import { detectLanguage, isTestPath } from '../../scan/parse/detect-language.ts';
import { createParser } from '../../scan/parse/parse-file.ts';
import { openSegment, type SegmentFileResult } from '../../scan/pool/open-segment.ts';

/** Contents by path. */
export type Texts = Readonly<Record<string, string>>;

const parse = createParser({ readGrammar, now: () => performance.now(), limitMs: 10_000 });
const MAX_FILE_BYTES = 1_000_000;
const NO_HINT = { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };

/** An index of these files in memory, made by the real parser, tokenizer and linker; dealt out over `segments`. */
export async function indexOf(texts: Texts, segments = 1): Promise<IndexView> {
  const paths = Object.keys(texts).sort();
  const root = rootOf(texts);
  const parts = Array.from({ length: Math.min(segments, paths.length) }, (_, part) =>
    paths.filter((__, at) => at % segments === part),
  );
  const built = await Promise.all(parts.map((part) => buildPart(part, root)));
  const files = built
    .flatMap(({ results }, segment) => results.map(([path, result]) => snapshotFile(path, segment, result)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const segment = (number: number) => built[number]!.reader;
  const segmentOf = (file: SnapshotFile) => segment(file.segment);
  const names = parts.map((_, at) => `segment-${at}`);
  return {
    snapshot: { id: 'test', root: '/', gitSha: '', segments: names, files, links: 'links', basis: null },
    links: linkSnapshot(files, { segmentOf }, root),
    segment,
    segmentOf,
  };
}

async function buildPart(paths: readonly string[], root: SafeRoot) {
  const jobs = paths.map((path) => ({ path, plain: false, light: false }));
  const segment = openSegment(root, MAX_FILE_BYTES, parse);
  const files = await segment.read(jobs, () => {});
  const bytes = Buffer.concat(segment.builder.finish());
  const reader = new SegmentReader({
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => {},
  });
  return { reader, results: files.map((result, at): [string, SegmentFileResult] => [paths[at]!, result]) };
}

function snapshotFile(path: string, segment: number, result: SegmentFileResult): SnapshotFile {
  const language = detectLanguage(path, '');
  const isTest = isTestPath(path, language);
  const classification = classify(path, result.size, language?.kind ?? null, isTest);
  return {
    ...result,
    path,
    classification: {
      ...classification,
      generated: classification.generated || result.saysGenerated,
    },
    gitBlob: null,
    segment: result.document < 0 ? -1 : segment,
  };
}

function rootOf(texts: Texts): SafeRoot {
  const read: SafeRoot['read'] = (path) => {
    const text = texts[path];
    if (text === undefined) return { kind: 'skipped', reason: 'vanished', size: 0 };
    return { kind: 'content', bytes: Buffer.from(text), hint: NO_HINT };
  };
  return { path: '/', read, readHead: read, stat: () => null, list: () => null, contain: (path) => path };
}

/** Number of the file at a path. */
export function fileAt({ snapshot }: IndexView, path: string): number {
  const file = snapshot.files.findIndex((one) => one.path === path);
  if (file < 0) throw new Error(`no file ${path}`);
  return file;
}

/** A column as what a test can read: the files with a value, by path. */
export function byPath({ snapshot }: IndexView, column: Float64Array): Record<string, number> {
  const entries = snapshot.files.map(({ path }, file) => [path, column[file]!] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== 0));
}
