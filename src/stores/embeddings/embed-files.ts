// Makes vectors for the files of an index. A file is cut into passages that a model can read, without secrets,
// and each vector is cached under a key of model, path and content.

import { createHash } from 'node:crypto';
import type { LineSpan } from '../../model/ranking.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { contentHash } from '../../platform/fs/read-file.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { redactSecrets } from '../../redact/index.ts';
import { packVector } from '../knowledge-store/store-snapshot.ts';
import type { Embedder } from './embedder.ts';
import type { VectorCache } from './vector-file.ts';

/** The files to embed, the embedder, and the time limit. */
interface EmbedRequest {
  readonly root: SafeRoot;
  readonly files: readonly SnapshotFile[];
  readonly maxFileBytes: number;
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  /** Time after which no further batch is begun. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The progress that was made. */
interface EmbedReport {
  /** Files that have no vectors yet. */
  readonly missing: number;
  /** Files that are worth vectors. */
  readonly total: number;
  /** Empty when nothing went wrong. */
  readonly problem: string;
}

/** Texts of one request. */
const BATCH_PASSAGES = 64;

/** The cache key of the vectors of a file. The path is part of it, because the model reads the path. */
export function vectorKey(model: string, { path, hash }: SnapshotFile): string {
  return createHash('sha256')
    .update(JSON.stringify([PASSAGE_FORMAT, model, path, hash]))
    .digest('hex')
    .slice(0, 40);
}

/** Generated, vendored and data files get no vectors: few tasks are about their meaning. */
function isEmbedded({ segment, classification }: SnapshotFile): boolean {
  const { role, generated, vendored } = classification;
  return segment >= 0 && role !== 'data' && !generated && !vendored;
}

/** Makes the vectors that are not cached yet. Each one is stored at once, so that no work is done twice. */
export async function embedFiles(request: EmbedRequest): Promise<EmbedReport> {
  const { embedder, cache, signal } = request;
  const started = monotonicMs();
  const wanted = request.files.filter(isEmbedded);
  const missing = wanted.filter((file) => cache.get(vectorKey(embedder.model, file)) === null);
  const report = (problem: string, done: number): EmbedReport => ({
    missing: missing.length - done,
    total: wanted.length,
    problem,
  });
  let done = 0;
  while (done < missing.length) {
    request.onProgress?.(wanted.length - missing.length + done, wanted.length);
    if (signal?.aborted) return report('cancelled', done);
    if (monotonicMs() - started >= request.budgetMs) return report('the time is up', done);
    const batch = readBatch(request, missing, done);
    const texts = batch.flatMap(({ passages }) => passages.map(({ text }) => text));
    const outcome = await embedder.embed(texts, signal);
    if (outcome.kind === 'failed') return report(outcome.reason, done);
    let at = 0;
    cache.put(
      batch.map(({ key, passages }) => {
        const vectors = outcome.vectors.slice(at, at + passages.length);
        at += passages.length;
        return [key, passages.flatMap((passage, place) => stored(passage, vectors[place] ?? null))] as const;
      }),
    );
    done += batch.length;
  }
  return report('', done);
}

/** The cached form of a passage; none when the model gave no usable vector. */
function stored({ startLine, endLine }: Passage, vector: Float32Array | null) {
  const packed = vector && packVector(vector);
  return packed ? [{ startLine, endLine, vector: packed }] : [];
}

/** The next files whose passages fill a request; at least one file. */
function readBatch(request: EmbedRequest, missing: readonly SnapshotFile[], from: number) {
  const batch: { key: string; passages: readonly Passage[] }[] = [];
  let count = 0;
  for (let at = from; at < missing.length && count < BATCH_PASSAGES; at++) {
    const file = missing[at]!;
    const passages = passagesOf(request, file);
    if (count > 0 && count + passages.length > BATCH_PASSAGES) break;
    batch.push({ key: vectorKey(request.embedder.model, file), passages });
    count += passages.length;
  }
  return batch;
}

/** Secrets are taken out of the whole text first: a cut could hide a part of one. */
function passagesOf({ root, maxFileBytes }: EmbedRequest, file: SnapshotFile): readonly Passage[] {
  const read = root.read(file.path, maxFileBytes);
  // a file that changed since the scan has another hash, and is another file for the next one
  if (read.kind !== 'content' || contentHash(read.bytes) !== file.hash) return [];
  const decoded = decodeText(read.bytes);
  return decoded.kind === 'text' ? cutPassages(file.path, redactSecrets(decoded.text, file.path).text) : [];
}

/** A piece of a file, with the path of the file as its first line. */
interface Passage extends LineSpan {
  readonly text: string;
}

/** Small models read about 500 tokens. */
const MAX_CHARACTERS = 1600;
/** A passage ends after this many lines, even when they are short. */
const MAX_LINES = 60;
/** In characters; the rest of a longer line is left out. */
const MAX_LINE = 400;
/** The beginning of a longer file represents the rest. */
const MAX_PASSAGES = 40;

/** Goes up when the same file is cut differently. */
const PASSAGE_FORMAT = 1;

/** Pieces of a text that a model can read, each under the file's path; empty stretches are left out. */
export function cutPassages(path: string, text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let lines: string[] = [];
  let size = 0;
  let startLine = 1;
  const finish = (endLine: number) => {
    const body = lines.join('\n').trim();
    if (body !== '') passages.push({ startLine, endLine, text: `${path}\n${body}` });
    lines = [];
    size = 0;
    startLine = endLine + 1;
  };
  const all = text.split('\n');
  for (const [at, written] of all.entries()) {
    const line = written.length > MAX_LINE ? written.slice(0, MAX_LINE) : written;
    if (lines.length > 0 && (size + line.length > MAX_CHARACTERS || lines.length >= MAX_LINES)) finish(at);
    if (passages.length >= MAX_PASSAGES) return passages;
    lines.push(line);
    size += line.length + 1;
  }
  finish(all.length);
  return passages.slice(0, MAX_PASSAGES);
}
