import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileEntry } from '../../model/file-entry.ts';
import { type Portion, WorkQueue } from './work-queue.ts';

const MEGABYTE = 1_000_000;

const entry = (path: string, language: string | null, size: number, role: string): FileEntry =>
  ({ path, language, size, classification: { role } }) as unknown as FileEntry;
const sources = (count: number, language: string | null, size: number) =>
  Array.from({ length: count }, (_, at) => entry(`${language}/${at}`, language, size, 'source'));
const parserOf = (language: string | null) => language ?? '';

type Taken = string[][];

/** Lets workers ask in turns until nothing is left; `pace` says how many portions each takes at a time. */
function workOff(queue: WorkQueue, pace: readonly number[]): Taken[] {
  const lanes = Array.from({ length: queue.workers }, () => ({ segments: queue.segments(), done: false }));
  const open: (Iterator<Portion> | null)[] = lanes.map(() => null);
  const taken: Taken[] = lanes.map(() => []);
  while (lanes.some(({ done }) => !done))
    lanes.forEach((lane, at) => {
      for (let turn = 0; turn < (pace[at] ?? 1) && !lane.done; turn++) {
        open[at] ??= nextSegment(lane, taken[at]!);
        const portion = open[at]?.next();
        if (portion && !portion.done) taken[at]!.at(-1)!.push(...portion.value.files.map(({ path }) => path));
        else open[at] = null;
      }
    });
  return taken;
}

function nextSegment(lane: { segments: ReturnType<WorkQueue['segments']>; done: boolean }, taken: Taken) {
  const { value, done } = lane.segments.next();
  lane.done = done === true;
  if (!value) return null;
  taken.push([]);
  return value[Symbol.iterator]();
}

const start = (path: string) => path.slice(0, path.indexOf('/'));

describe('WorkQueue', () => {
  it('gives every file to one worker, in segments that are not too large', () => {
    const files = fc.array(
      fc.record({
        language: fc.constantFrom('python', 'go', null),
        size: fc.integer({ min: 0, max: 9 * MEGABYTE }),
        role: fc.constantFrom('source', 'data'),
      }),
      { maxLength: 60 },
    );
    const pace = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 4 }), pace, (given, workers, turns) => {
        const listed = given.map(({ language, size, role }, at) => entry(`f${at}`, language, size, role));
        const sizes = new Map(listed.map(({ path, size }) => [path, size]));
        const segments = workOff(new WorkQueue(listed, workers, parserOf), turns).flat();
        expect(segments.flat().sort()).toEqual(listed.map(({ path }) => path).sort());
        for (const segment of segments) {
          expect(segment.length).toBeGreaterThan(0);
          const bytes = segment.reduce((sum, path) => sum + sizes.get(path)!, 0);
          if (segment.length > 1) expect(bytes).toBeLessThanOrEqual(32 * MEGABYTE);
        }
      }),
    );
  });

  it('gives more to the faster worker', () => {
    const files = [...sources(100, null, 80_000), ...sources(200, 'python', 50_000)];
    const [quick, slow] = workOff(new WorkQueue(files, 2, parserOf), [3, 1]) as [Taken, Taken];
    expect(quick.flat().length).toBeGreaterThan(2 * slow.flat().length);
    expect(quick.flat().length + slow.flat().length).toBe(300);
  });

  it('keeps each worker with its parser, and leaves plain text for the end', () => {
    const files = [
      ...sources(100, null, 40_000),
      ...sources(60, 'python', 50_000),
      ...sources(60, 'go', 50_000),
    ];
    const orders = workOff(new WorkQueue(files, 2, parserOf), [1, 1]).map((taken) => taken.flat().map(start));
    expect(orders.map((order) => [...new Set(order)])).toEqual([
      ['go', 'null'],
      ['python', 'null'],
    ]);
  });

  it('lets all workers help with the largest heap, and reads small heaps after it without an optimizer', () => {
    const files = [...sources(300, 'python', 50_000), ...sources(40, 'bash', 10_000)];
    const queue = new WorkQueue(files, 2, parserOf);
    const [quick, slow] = workOff(queue, [2, 1]).map((taken) => taken.flat().map(start)) as [
      string[],
      string[],
    ];
    expect([...new Set(slow)]).toContain('python');
    expect(new Set([...quick, ...slow])).toEqual(new Set(['python', 'bash']));
    const seen: boolean[] = [];
    for (const segment of new WorkQueue(files, 1, parserOf).segments())
      for (const { isSmall } of segment) seen.push(isSmall);
    expect(seen).toEqual([false, false, true]);
  });

  it('fills a few segments, however much there is to do', () => {
    const count = (files: number) =>
      workOff(new WorkQueue(sources(files, 'python', 100_000), 2, parserOf), [1, 1]).map(
        (taken) => taken.length,
      );
    expect(count(200)).toEqual([2, 2]);
    expect(count(1_000)).toEqual([4, 4]);
  });

  it('starts no second worker for little', () => {
    const queue = new WorkQueue(sources(10, 'python', 20_000), 4, parserOf);
    expect(workOff(queue, [1]).map((taken) => taken.length)).toEqual([1]);
    expect(new WorkQueue([], 4, parserOf).workers).toBe(0);
  });
});
