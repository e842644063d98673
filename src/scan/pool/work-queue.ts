// The files to parse, in portions that workers ask for. It estimates the effort of each file, groups files by parser,
// and decides how many workers are worth their start.
import type { FileEntry } from '../../model/file-entry.ts';
import { isLight } from '../index.ts';
import type { SegmentJobFile } from './open-segment.ts';

/**
 * Effort of one segment, in bytes of source. Large enough that an index has few segments, small enough that a crash
 * repeats little.
 */
const SEGMENT_EFFORT = 16_000_000;
/** With more effort for each worker, it fills two segments, which halves its memory. */
const TWO_SEGMENTS = SEGMENT_EFFORT / 2;
const SEGMENT_BYTES = 32_000_000;
const SEGMENT_FILES = 4_000;
/** A worker may fill its last segment a little more instead of opening another one. */
const SEGMENT_SLACK = 1.25;

/** With less effort for each worker, starting another process takes longer than the work. */
const WORTH_A_WORKER = 300_000;

/** Portions for each worker. Many small ones let all workers end at about the same time. */
const PORTIONS_PER_WORKER = 32;
/** The smallest portion. It takes about 50 ms, and asking for it about 1 ms. */
const PORTION_EFFORT = 200_000;
const PORTION_BYTES = SEGMENT_BYTES / 4;
const PORTION_FILES = SEGMENT_FILES / 4;

/** With less effort for a grammar, the second that the optimizer takes for it is not earned back. */
const LARGE_HEAP = 1_000_000;

/** Parsers that use neither a grammar nor a compiler. They take a quarter of the time. */
const PLAIN_PARSERS: ReadonlySet<string> = new Set(['', 'lines']);
const PLAIN_EFFORT = 1 / 4;
/** Bytes of a light file that are parsed. The rest is only read and hashed. */
const LIGHT_BYTES = 4_000;
const HASH_EFFORT = 1 / 50;

/** The effort for a file, in bytes of source code that would take as long. */
function effortOf({ size }: FileEntry, light: boolean, parser: string): number {
  if (light) return Math.min(size, LIGHT_BYTES) * PLAIN_EFFORT + size * HASH_EFFORT;
  return PLAIN_PARSERS.has(parser) ? size * PLAIN_EFFORT : size;
}

/** Files that are read together, and their effort. */
interface Load {
  effort: number;
  bytes: number;
  readonly files: SegmentJobFile[];
}

const nothing = (): Load => ({ effort: 0, bytes: 0, files: [] });

function addTo(load: Load, { effort, bytes, files }: Readonly<Load>): void {
  load.effort += effort;
  load.bytes += bytes;
  for (const file of files) load.files.push(file);
}

/** Files of one parser that wait for a worker. */
interface Heap {
  readonly portions: Load[];
  readonly kind: 'large' | 'small' | 'plain';
  readonly parser: string;
  effort: number;
  /** Some worker has loaded the parser already. */
  isBegun: boolean;
}

/** Files for one worker, and how to read them. */
export interface Portion {
  readonly files: readonly SegmentJobFile[];
  /** Too few files for their grammar: compiling it would take longer than using it. */
  readonly isSmall: boolean;
}

/** A worker as the queue sees it. */
interface Asker {
  heap: Heap | null;
  hasReadMuch: boolean;
}

/**
 * The files to parse, in portions that workers ask for one after the other. The effort of a file is an estimate, so the
 * worker that finishes first gets the next portion. A worker stays with the parser that it has loaded as long as there
 * is work for it, so that few workers load the same parser.
 */
export class WorkQueue {
  /** How many workers are worth their start. */
  readonly workers: number;
  readonly files: readonly SegmentJobFile[];
  readonly #heaps: Heap[];
  readonly #segmentEffort: number;

  constructor(
    files: readonly FileEntry[],
    workers: number,
    parserOf: (language: string | null) => string,
    givenUp: ReadonlySet<string> = new Set(),
  ) {
    const loads = new Map<string, Load[]>();
    this.files = files.map((file) => ({
      path: file.path,
      light: isLight(file),
      plain: givenUp.has(file.path),
    }));
    let total = 0;
    for (const [at, file] of files.entries()) {
      const queued = this.files[at]!;
      // Light files need no parser, whatever their language.
      const parser = queued.light ? '' : parserOf(file.language);
      const effort = effortOf(file, queued.light, parser);
      total += effort;
      const load = { effort, bytes: file.size, files: [queued] };
      const same = loads.get(parser);
      if (same) same.push(load);
      else loads.set(parser, [load]);
    }
    const share = total / workers;
    const isLarge = share > WORTH_A_WORKER;
    const rounds = Math.max(share > TWO_SEGMENTS ? 2 : 1, Math.ceil(share / SEGMENT_EFFORT));
    this.workers = isLarge ? workers : Math.min(1, files.length);
    this.#segmentEffort = isLarge ? share / rounds : SEGMENT_EFFORT;
    // A single worker gets everything at once.
    const portion =
      this.workers > 1 ? Math.max(PORTION_EFFORT, share / PORTIONS_PER_WORKER) : this.#segmentEffort;
    this.#heaps = [...loads].map(([parser, list]) => {
      const effort = list.reduce((sum, load) => sum + load.effort, 0);
      const kind = PLAIN_PARSERS.has(parser) ? 'plain' : effort > LARGE_HEAP ? 'large' : 'small';
      return { parser, kind, portions: toPortions(list, portion), effort, isBegun: false };
    });
  }

  /** The segments of one worker, each as a sequence of portions. */
  *segments(): Generator<Iterable<Portion>, void, void> {
    const asker: Asker = { heap: null, hasReadMuch: false };
    while (this.#heapFor(asker.heap)) yield this.#segment(asker);
  }

  *#segment(asker: Asker): Generator<Portion, void, void> {
    const load = nothing();
    for (;;) {
      const heap = this.#heapFor(asker.heap);
      const portion = heap?.portions[0];
      if (!heap || !portion || !this.#fits(load, portion)) return;
      asker.heap = heap;
      asker.hasReadMuch ||= heap.kind === 'large';
      heap.isBegun = true;
      heap.portions.shift();
      heap.effort -= portion.effort;
      addTo(load, portion);
      // Before its first large parser, a worker would compile the runtime that all grammars share for this one only.
      yield { files: portion.files, isSmall: heap.kind === 'small' && asker.hasReadMuch };
    }
  }

  /** Whether a portion still fits into the segment. */
  #fits(load: Load, portion: Load): boolean {
    if (load.files.length === 0) return true;
    return (
      load.effort + portion.effort <= this.#segmentEffort * SEGMENT_SLACK &&
      load.bytes + portion.bytes <= SEGMENT_BYTES &&
      load.files.length + portion.files.length <= SEGMENT_FILES
    );
  }

  /**
   * Chooses the next files for a worker: those of its own parser; then a parser that no worker has loaded, large ones
   * first; then where most work is left.
   */
  #heapFor(current: Heap | null): Heap | null {
    if (current && current.portions.length > 0) return current;
    const left = this.#heaps.filter(({ portions }) => portions.length > 0);
    left.sort((a, b) => b.effort - a.effort || (a.parser < b.parser ? -1 : 1));
    const unbegun = (kind: Heap['kind']) => left.find((heap) => heap.kind === kind && !heap.isBegun);
    const most = left[0] ?? null;
    const others = left.reduce((sum, { effort }) => sum + effort, 0) - (most?.effort ?? 0);
    // The other files would not keep this worker busy until the largest rest is done.
    const isHelpWanted = most?.kind === 'large' && most.effort > others;
    return unbegun('large') ?? (isHelpWanted ? most : (unbegun('small') ?? most));
  }
}

/** Portions of equal effort, in the order of the files. */
function toPortions(files: readonly Load[], effort: number): Load[] {
  const portions: Load[] = [];
  let current = nothing();
  // Room that is left for all portions so far: no portion has to make up for the length of the one before.
  let room = effort;
  for (const file of files) {
    const isDone = room < file.effort / 2;
    const isFull = current.bytes + file.bytes > PORTION_BYTES || current.files.length >= PORTION_FILES;
    if (current.files.length > 0 && (isDone || isFull)) {
      portions.push(current);
      current = nothing();
      room = isDone ? room + effort : effort;
    }
    addTo(current, file);
    room -= file.effort;
  }
  if (current.files.length > 0) portions.push(current);
  return portions;
}
