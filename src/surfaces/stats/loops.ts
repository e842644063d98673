// Loops, read from the records of their iterations: how many passed, how long they took, and the state of the task tree.

import { LoadoutError } from '../../model/loadout-error.ts';
import {
  type IterationSummary,
  type LoopStatusReport,
  listIterations,
  loopStatus,
} from '../../workers/loop/index.ts';

/** The loop of a repository. */
export interface LoopFacts {
  /** The first and last time of its iterations; empty when none has begun. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly outcome: LoopStatusReport['outcome'];
  /** Leaves of the task tree. */
  readonly leaves: LoopStatusReport['leaves'];
  readonly iterations: number;
  readonly passed: number;
  readonly decomposed: number;
  /** From the start of each iteration to its end. */
  readonly durationMs: number;
}

/** Further iterations are not read. */
const MAX_ITERATIONS = 1_000;

/** The iterations of a repository's loop since a time; null when there is no loop or no such iteration. */
export function readLoop(repository: string, sinceMs: number): LoopFacts | null {
  const all = quietly(() => listIterations(repository, undefined, MAX_ITERATIONS)) ?? [];
  const iterations = all.filter(({ startedAt }) => Date.parse(startedAt) >= sinceMs);
  const status = iterations.length === 0 ? null : quietly(() => loopStatus(repository, undefined));
  if (status === null) return null;
  const times = iterations
    .flatMap(({ startedAt, endedAt }) => [startedAt, endedAt])
    .filter(isTime)
    .sort();
  const count = (outcome: string) => iterations.filter((one) => one.outcome === outcome).length;
  return {
    startedAt: times[0]!,
    endedAt: times.at(-1)!,
    outcome: status.outcome,
    leaves: status.leaves,
    iterations: iterations.length,
    passed: count('passed'),
    decomposed: count('decomposed'),
    durationMs: iterations.reduce((sum, one) => sum + durationOf(one), 0),
  };
}

const isTime = (text: string): boolean => Number.isFinite(Date.parse(text));

/** 0 for an iteration without an end, and when the clock was set back. */
function durationOf({ startedAt, endedAt }: IterationSummary): number {
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) || 0;
}

/** Null where there is no loop, or one that cannot be read. */
function quietly<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

/** Sums over the loops of some repositories. */
export interface LoopTotals {
  readonly loops: number;
  readonly iterations: number;
  readonly passed: number;
  readonly decomposed: number;
  /** Of all task trees, as they are now. */
  readonly leaves: { readonly passed: number; readonly all: number };
  readonly durationMs: number;
}

/** The sums over loops. */
export function loopTotalsOf(loops: readonly LoopFacts[]): LoopTotals {
  const sum = (measure: (loop: LoopFacts) => number) => loops.reduce((all, one) => all + measure(one), 0);
  return {
    loops: loops.length,
    iterations: sum(({ iterations }) => iterations),
    passed: sum(({ passed }) => passed),
    decomposed: sum(({ decomposed }) => decomposed),
    leaves: { passed: sum(({ leaves }) => leaves.passed), all: sum(({ leaves }) => leaves.all) },
    durationMs: sum(({ durationMs }) => durationMs),
  };
}
