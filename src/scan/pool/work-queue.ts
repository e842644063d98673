import type { FileEntry } from '../../model/file-entry.ts';
import { isLight } from '../index.ts';
import type { SegmentJobFile } from './open-segment.ts';

/** Effort per segment: large enough that few segments make an index, small enough that a crash repeats little. */
const SEGMENT_EFFORT = 16_000_000;
/** From here on each worker fills two: memory is used for half as much. */
const TWO_SEGMENTS = SEGMENT_EFFORT / 2;
const SEGMENT_BYTES = 32_000_000;
const SEGMENT_FILES = 4_000;
/** A quick worker may add a little to its last segment instead of opening another one. */
const SEGMENT_SLACK = 1.25;

/** Below this, starting another process takes longer than the work. */
const WORTH_A_WORKER = 300_000;

/** A worker asks so often for more: the last portions make all of them end together. */
const PORTIONS_PER_WORKER = 32;
/** Takes a twentieth of a second, and asking for it a fiftieth of that. */
const PORTION_EFFORT = 200_000;
const PORTION_BYTES = SEGMENT_BYTES / 4;
const PORTION_FILES = SEGMENT_FILES / 4;

/** Of less, a grammar reads nothing faster after the second that the optimizer takes for it. */
const LARGE_HEAP = 1_000_000;

/** No grammar and no compiler looks at these: they take a quarter of the time. */
const PLAIN_PARSERS: ReadonlySet<string> = new Set(['', 'lines']);
const PLAIN_EFFORT = 1 / 4;
/** Of a light file this much is looked at, and the rest is read and hashed. */
const LIGHT_BYTES = 4_000;
const HASH_EFFORT = 1 / 50;

/** What a file takes, in bytes of source that would take as long. */
function effortOf({ size }: FileEntry, light: boolean, parser: string): number {
  if (light) return Math.min(size, LIGHT_BYTES) * PLAIN_EFFORT + size * HASH_EFFORT;
  return PLAIN_PARSERS.has(parser) ? size * PLAIN_EFFORT : size;
}

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

/** Files of one parser that no worker has taken yet. */
interface Heap {
  readonly portions: Load[];
  readonly kind: 'large' | 'small' | 'plain';
  readonly parser: string;
  effort: number;
  /** A worker has loaded the parser for it. */
  isBegun: boolean;
}

/** Files for one worker, and how to read them. */
export interface Portion {
  readonly files: readonly SegmentJobFile[];
  /** Too few for their grammar: the worker would compile it longer than use it. */
  readonly isSmall: boolean;
}

/** A worker, from the side of the queue. */
interface Asker {
  heap: Heap | null;
  hasReadMuch: boolean;
}

/**
 * What has to be parsed, in portions that workers ask for one after the other. How long a file takes is only guessed:
 * the worker that finishes first continues first. A worker stays with the parser that it has loaded as long as there is work for
 * it, so that few of them have to load each.
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
      // data is looked at by no parser, whatever it is written in
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
    // one worker alone need not ask
    const portion =
      this.workers > 1 ? Math.max(PORTION_EFFORT, share / PORTIONS_PER_WORKER) : this.#segmentEffort;
    this.#heaps = [...loads].map(([parser, list]) => {
      const effort = list.reduce((sum, load) => sum + load.effort, 0);
      const kind = PLAIN_PARSERS.has(parser) ? 'plain' : effort > LARGE_HEAP ? 'large' : 'small';
      return { parser, kind, portions: toPortions(list, portion), effort, isBegun: false };
    });
  }

  /** What one worker asks, segment by segment. */
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
      // before, what all grammars share would be compiled for this one only
      yield { files: portion.files, isSmall: heap.kind === 'small' && asker.hasReadMuch };
    }
  }

  #fits(load: Load, portion: Load): boolean {
    if (load.files.length === 0) return true;
    return (
      load.effort + portion.effort <= this.#segmentEffort * SEGMENT_SLACK &&
      load.bytes + portion.bytes <= SEGMENT_BYTES &&
      load.files.length + portion.files.length <= SEGMENT_FILES
    );
  }

  /** The same as before; else one whose parser no worker has loaded, the large ones first; else where most is left. */
  #heapFor(current: Heap | null): Heap | null {
    if (current && current.portions.length > 0) return current;
    const left = this.#heaps.filter(({ portions }) => portions.length > 0);
    left.sort((a, b) => b.effort - a.effort || (a.parser < b.parser ? -1 : 1));
    const unbegun = (kind: Heap['kind']) => left.find((heap) => heap.kind === kind && !heap.isBegun);
    const most = left[0] ?? null;
    const others = left.reduce((sum, { effort }) => sum + effort, 0) - (most?.effort ?? 0);
    // the others would not keep this worker busy until it is done
    const isHelpWanted = most?.kind === 'large' && most.effort > others;
    return unbegun('large') ?? (isHelpWanted ? most : (unbegun('small') ?? most));
  }
}

/** Portions of equal effort, in the order of the files. */
function toPortions(files: readonly Load[], effort: number): Load[] {
  const portions: Load[] = [];
  let current = nothing();
  // what the portions so far may take together: none has to make up for the length of the one before
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
