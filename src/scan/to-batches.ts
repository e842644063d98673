import type { FileEntry } from '../model/file-entry.ts';
import type { BatchFile } from './batch-attempts.ts';
import { isLight } from './plan-scan.ts';

/** Effort per segment: large enough that few segments make an index, small enough that a crash repeats little. */
const BATCH_EFFORT = 16_000_000;
/** From here on each worker gets two: whoever is done first goes on first, and memory is used for half as much. */
const TWO_BATCHES = BATCH_EFFORT / 2;
const BATCH_BYTES = 32_000_000;
const BATCH_FILES = 4_000;

/** Below this, starting another process takes longer than the work. */
const WORTH_A_WORKER = 300_000;

/** No grammar and no compiler looks at these: they take a quarter of the time. */
const PLAIN_PARSERS: ReadonlySet<string> = new Set(['', 'lines']);
const PLAIN_EFFORT = 1 / 4;
/** Of a light file this much is looked at, and the rest is read and hashed. */
const LIGHT_BYTES = 4_000;
const HASH_EFFORT = 1 / 50;

/** What a file takes, in bytes of source that would take as long. */
function effortOf(file: FileEntry, parser: string): number {
  const { size } = file;
  if (isLight(file)) return Math.min(size, LIGHT_BYTES) * PLAIN_EFFORT + size * HASH_EFFORT;
  return PLAIN_PARSERS.has(parser) ? size * PLAIN_EFFORT : size;
}

/**
 * Splits what has to be parsed into batches that take equally long, as many for each worker. Files for the same parser
 * stand together, so that few workers have to load each of them.
 */
export function toBatches(
  files: readonly FileEntry[],
  workers: number,
  parserOf: (language: string | null) => string,
): BatchFile[][] {
  const efforts = files.map((file, at) => {
    const parser = parserOf(file.language);
    return { file, parser, at, effort: effortOf(file, parser) };
  });
  efforts.sort((a, b) => (a.parser === b.parser ? a.at - b.at : a.parser < b.parser ? -1 : 1));
  const share = efforts.reduce((sum, { effort }) => sum + effort, 0) / workers;
  const rounds = Math.max(share > TWO_BATCHES ? 2 : 1, Math.ceil(share / BATCH_EFFORT));
  const limit = share > WORTH_A_WORKER ? share / rounds : BATCH_EFFORT;
  const batches: BatchFile[][] = [];
  let current: BatchFile[] = [];
  let bytes = 0;
  // what the batches so far may take together: no batch has to make up for the length of the one before
  let room = limit;
  for (const { file, effort } of efforts) {
    const isDone = room < effort / 2;
    const isFull = bytes + file.size > BATCH_BYTES || current.length >= BATCH_FILES;
    if (current.length > 0 && (isDone || isFull)) {
      batches.push(current);
      current = [];
      bytes = 0;
      room = isDone ? room + limit : limit;
    }
    current.push({ path: file.path, light: isLight(file) });
    bytes += file.size;
    room -= effort;
  }
  if (current.length > 0) batches.push(current);
  // plain text goes last: how long it takes is known best, so that all workers end together
  return batches.reverse();
}
