// Runs of workers, read from their events: attempts, gates, durations, and the cost that the agents reported.

import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import {
  listRunIds,
  type RunOutcome,
  type RunReason,
  readEvents,
  type StoredEvent,
} from '../../workers/index.ts';

/** One attempt of a run. */
interface AttemptFacts {
  readonly attempt: number;
  readonly mode: string;
  /** `unfinished` while it is running, and after it was killed. */
  readonly outcome: RunOutcome | 'unfinished';
  readonly reason: RunReason | null;
  /** From its first event to its last. */
  readonly durationMs: number;
  /** As the agent reported it; null when it did not. */
  readonly costUsd: number | null;
  readonly gates: readonly { readonly gate: string; readonly passed: boolean; readonly durationMs: number }[];
}

/** One run. */
export interface RunFacts {
  readonly run: string;
  readonly startedAt: string;
  readonly role: string;
  readonly cli: string;
  readonly task: string;
  readonly outcome: RunOutcome | 'unfinished';
  readonly reason: RunReason | null;
  readonly durationMs: number;
  /** The sum of what its agents reported; null when none did. */
  readonly costUsd: number | null;
  readonly attempts: readonly AttemptFacts[];
}

/** Further runs are not read. */
const MAX_RUNS = 500;

/** The runs of a repository since a time, newest first, and how many older ones were left out. */
export function readRuns(
  root: SafeRoot,
  sinceMs: number,
): { readonly runs: readonly RunFacts[]; readonly leftOut: number } {
  const since = new Date(sinceMs).toISOString().replace(/\D/g, '').slice(0, 14);
  // An id begins with the time of the run.
  const ids = listRunIds(root).filter((id) => id.replace('-', '').slice(0, 14) >= since);
  const runs = ids.slice(0, MAX_RUNS).flatMap((run) => runFactsOf(run, readEvents(root, run)) ?? []);
  return { runs, leftOut: Math.max(0, ids.length - MAX_RUNS) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
const msBetween = (first: string, last: string): number =>
  Math.max(0, Date.parse(last) - Date.parse(first)) || 0;
const addCost = (sum: number | null, one: number | null): number | null =>
  one === null ? sum : (sum ?? 0) + one;

/** Null for a log without a beginning. A log lies in the repository, so its values are checked. */
export function runFactsOf(run: string, all: readonly StoredEvent[]): RunFacts | null {
  const events = all.filter(({ at }) => Number.isFinite(Date.parse(textOf(at))));
  const start = events.find((event) => event.type === 'run-start');
  if (start === undefined) return null;
  const end = events.find((event) => event.type === 'run-end');
  const attempts = attemptsOf(events);
  return {
    run,
    startedAt: start.at,
    ...{ role: textOf(start.role), cli: textOf(start.cli), task: textOf(start.task) },
    outcome: (textOf(end?.outcome) || 'unfinished') as RunFacts['outcome'],
    reason: (textOf(end?.reason) || null) as RunFacts['reason'],
    durationMs: msBetween(start.at, events.at(-1)!.at),
    costUsd: attempts.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), null),
    attempts,
  };
}

function attemptsOf(events: readonly StoredEvent[]): readonly AttemptFacts[] {
  const starts = events.flatMap((event, at) => (event.type === 'attempt-start' ? [{ event, at }] : []));
  return starts.map(({ event, at }, index) => {
    const own = events.slice(at, starts[index + 1]?.at);
    const end = own.find((one) => one.type === 'attempt-end');
    const last = end ?? own.at(-1)!;
    return {
      attempt: numberOf(event.attempt) ?? index + 1,
      mode: textOf(event.mode),
      outcome: (textOf(end?.outcome) || 'unfinished') as AttemptFacts['outcome'],
      reason: (textOf(end?.reason) || null) as AttemptFacts['reason'],
      durationMs: msBetween(event.at, last.at),
      costUsd: own.reduce<number | null>(
        (sum, one) => (one.type === 'agent-end' ? addCost(sum, numberOf(one.costUsd)) : sum),
        null,
      ),
      gates: own.flatMap((one) =>
        one.type === 'gate-end'
          ? [
              {
                gate: textOf(one.gate),
                passed: one.passed === true,
                durationMs: numberOf(one.durationMs) ?? 0,
              },
            ]
          : [],
      ),
    };
  });
}

/** Sums over some runs. */
export interface RunTotals {
  readonly runs: number;
  readonly passed: number;
  readonly unfinished: number;
  readonly attempts: number;
  readonly gates: { readonly passed: number; readonly failed: number };
  readonly durationMs: number;
  /** The cost that agents reported, in dollars; null when none did. */
  readonly costUsd: number | null;
  /** Runs whose agents reported no cost. */
  readonly withoutCost: number;
}

/** The sums over runs. */
export function runTotalsOf(runs: readonly RunFacts[]): RunTotals {
  const attempts = runs.flatMap((run) => run.attempts);
  const gates = attempts.flatMap((attempt) => attempt.gates);
  const passed = gates.filter((gate) => gate.passed).length;
  return {
    runs: runs.length,
    passed: runs.filter(({ outcome }) => outcome === 'passed').length,
    unfinished: runs.filter(({ outcome }) => outcome === 'unfinished').length,
    attempts: attempts.length,
    gates: { passed, failed: gates.length - passed },
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    costUsd: runs.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), null),
    withoutCost: runs.filter(({ costUsd }) => costUsd === null).length,
  };
}
