// The data of the view Runs: runs with attempts, gates, patch and cost, their events as they come, and the loop's task tree.

import { LoadoutError } from '../../model/loadout-error.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { safeData } from '../../redact/index.ts';
import { object } from '../../schema/object-schema.ts';
import { integer, maybe, text } from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import { listRunIds, readRun, type StoredEvent } from '../../workers/index.ts';
import {
  type IterationSummary,
  type LoopStatusReport,
  listIterations,
  loopStatus,
} from '../../workers/loop/index.ts';
import { type RunFacts, type RunTotals, readRuns, runFactsOf, runTotalsOf } from '../stats/index.ts';

/** One node of the task tree, parents before their children. */
interface LoopNode {
  readonly id: string;
  /** 0 for the root. */
  readonly depth: number;
  readonly title: string;
  readonly goal: string;
  readonly acceptance: readonly string[];
  readonly state: LoopStatusReport['lines'][number]['mark'];
  readonly attempts: number;
  readonly maxAttempts: number;
}

/** The loop of the repository. */
interface LoopData {
  readonly folder: string;
  readonly outcome: LoopStatusReport['outcome'];
  /** `interrupted`: a step was cut off, and the next one completes it. */
  readonly activity: 'working' | 'interrupted' | 'idle';
  readonly leaves: LoopStatusReport['leaves'];
  readonly nodes: readonly LoopNode[];
  /** Newest first. */
  readonly iterations: readonly IterationSummary[];
  /** The end of the log of the last iteration, when its gates failed; else empty. */
  readonly failure: string;
}

/** Everything that the view Runs shows before a run is opened. */
export interface RunsData {
  readonly totals: RunTotals;
  /** Newest first. */
  readonly runs: readonly RunFacts[];
  readonly runsLeftOut: number;
  /** Null without a loop; `problem` when its files cannot be read. */
  readonly loop: LoopData | { readonly problem: string } | null;
}

const MAX_RUNS = 100;
const MAX_NODES = 2_000;
const MAX_ITERATIONS = 200;
const MAX_LOG = 8_000;

const runsQuery = object(
  { title: 'Question about runs' },
  { run: maybe(text()), after: maybe(integer({ min: 0 }, 'the number of an event')) },
);

/** The answer for the page: `{}` asks for the list, `{ run, after }` for one run and its events after that number. */
export const runsRoute = {
  path: 'runs',
  answer: ({ root }: { readonly root: SafeRoot }, query: unknown): RunsData | RunDetail => {
    const asked = valueOrUndefined(runsQuery, query ?? {});
    if (asked === undefined)
      throw new LoadoutError('bad-question', 'run must be an id, and after the number of an event', {
        subject: 'run',
      });
    return asked.run === undefined ? runsData(root) : runDetail(root, asked.run, asked.after ?? 0);
  },
};

/** Reads the runs and the loop of a repository. */
export function runsData(root: SafeRoot): RunsData {
  const { runs, leftOut } = readRuns(root, 0);
  return safeData({
    totals: runTotalsOf(runs),
    runs: runs.slice(0, MAX_RUNS),
    runsLeftOut: leftOut + Math.max(0, runs.length - MAX_RUNS),
    loop: loopOf(root),
  });
}

function loopOf(root: SafeRoot): RunsData['loop'] {
  try {
    const status = loopStatus(root.path, undefined);
    const { folder, outcome, leaves, lines, isRunning, isInterrupted, failure } = status;
    return {
      ...{ folder, outcome, leaves },
      activity: isRunning ? 'working' : isInterrupted ? 'interrupted' : 'idle',
      nodes: lines.slice(0, MAX_NODES).map(({ depth, mark, node }) => ({
        ...{ id: node.id, depth, title: node.title, goal: node.goal, acceptance: node.acceptance },
        ...{ state: mark, attempts: node.attempts, maxAttempts: node.max_attempts },
      })),
      iterations: listIterations(root.path, undefined, MAX_ITERATIONS),
      failure: (failure ?? '').slice(-MAX_LOG),
    };
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return error.code === 'no-loop' ? null : { problem: error.message };
  }
}

/** One run: what is known now, and its events after a number. */
export interface RunDetail {
  readonly facts: RunFacts | null;
  /** Those that the reader does not have yet, in order. */
  readonly events: readonly StoredEvent[];
  /** Ask again with this number. */
  readonly next: number;
  /** No event comes any more. */
  readonly isEnded: boolean;
  readonly message: string;
  readonly changedFiles: readonly string[];
  /** The patch; null while the run goes on and when nothing changed. */
  readonly patch: { readonly content: string; readonly bytesLeftOut: number } | null;
  /** Files in the folder of the run. */
  readonly files: readonly string[];
}

const MAX_EVENTS = 2_000;
const MAX_PATCH = 400_000;
const MAX_LISTED = 1_000;

/** Reads one run. `after` is the number of the last event that the reader has, 0 for none. */
export function runDetail(root: SafeRoot, run: string, after: number): RunDetail {
  // The id becomes a part of a path, so only one that is in the list is taken.
  if (!listRunIds(root).includes(run))
    throw new LoadoutError('unknown-run', `there is no run ${JSON.stringify(run.slice(0, 100))}`, {
      subject: run,
      hint: 'see: loadout runs list',
    });
  const { events, record } = readRun(root, run);
  const end = events.find((event) => event.type === 'run-end');
  const fresh = events.filter(({ seq }) => seq > after).slice(0, MAX_EVENTS);
  const next = fresh.at(-1)?.seq ?? after;
  // The record lies in the repository, so that its values may be of any kind.
  const changed: unknown = (record as { changedFiles?: unknown } | null)?.changedFiles;
  return safeData({
    facts: runFactsOf(run, events),
    events: fresh,
    next,
    isEnded: end !== undefined && next >= end.seq,
    message: typeof end?.message === 'string' ? end.message : '',
    changedFiles: Array.isArray(changed)
      ? changed.filter((path) => typeof path === 'string').slice(0, MAX_LISTED)
      : [],
    patch: end === undefined ? null : patchOf(root, run),
    files: (root.list(`.loadout/runs/${run}`) ?? []).map(({ name }) => name).slice(0, MAX_LISTED),
  });
}

function patchOf(root: SafeRoot, run: string): RunDetail['patch'] {
  const path = `.loadout/runs/${run}/patch.diff`;
  const read = root.readHead(path, MAX_PATCH);
  if (read.kind !== 'content') return null;
  const size = root.stat(path)?.hint.size ?? read.bytes.length;
  // Cut between lines: a half of a secret would not be recognised.
  const end = size > read.bytes.length ? read.bytes.lastIndexOf('\n') + 1 : read.bytes.length;
  return { content: read.bytes.toString('utf8', 0, end), bytesLeftOut: Math.max(0, size - end) };
}
