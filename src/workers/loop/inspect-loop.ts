// Reads a loop without changing it, for `loadout loop status` and `loadout loop show`. It takes no lock, so a loop may
// be running.
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { mayBeAlive, type ProcessIdentity } from '../../platform/process/process-identity.ts';
import { type LoopPlace, loadState, openLoopPlace, type RunState, readFailure } from './loop-files.ts';
import {
  selectLeaf,
  type TreeLine,
  type TreeNode,
  type TreeOutcome,
  treeLines,
  treeOutcome,
  walkTree,
} from './task-tree.ts';

/** How far a loop is. */
export interface LoopStatusReport {
  readonly folder: string;
  readonly outcome: TreeOutcome;
  readonly tree: TreeNode;
  /** The tree as a list, for printing. */
  readonly lines: readonly TreeLine[];
  /** The id of the next node; null when the tree has passed or is stuck. */
  readonly next: string | null;
  /** How many leaves pass, of how many. */
  readonly leaves: { readonly passed: number; readonly all: number };
  readonly runState: RunState;
  /** The log of the last iteration, when its gates failed. */
  readonly failure: string | null;
  /** A process is working on it now. */
  readonly isRunning: boolean;
  /** A step was interrupted while the branch moved to its commit. The next step completes it first. */
  readonly isInterrupted: boolean;
}

/** Reads how far the loop is. Changes nothing. */
export function loopStatus(repository: string, folder: string | undefined): LoopStatusReport {
  const place = openLoopPlace(openSafeRoot(repository), folder);
  const { tree, runState } = loadState(place);
  const outcome = treeOutcome(tree);
  const next = outcome === 'open' ? (selectLeaf(tree)?.node.id ?? null) : null;
  const leaves = [...walkTree(tree)].filter(({ node }) => node.children.length === 0);
  const isRunning = isHeld(place.readText(`${place.iterations}/lock`));
  return {
    ...{ folder: place.folder, outcome, tree, next, runState },
    lines: treeLines(tree, next),
    leaves: { passed: leaves.filter(({ node }) => node.passes).length, all: leaves.length },
    failure:
      runState.last_guard === 'fail' ? readFailure(place, runState.run_id, runState.next_iter - 1) : null,
    isRunning,
    isInterrupted: !isRunning && place.root.stat(`${place.iterations}/pending.json`) !== null,
  };
}

/** Whether the process that wrote the lock is still alive. */
function isHeld(lock: string | null): boolean {
  const owner = jsonOrNull(lock ?? '') as Partial<ProcessIdentity> | null;
  return Number.isInteger(owner?.pid) && mayBeAlive(owner as ProcessIdentity);
}

/** The files that an iteration has left. */
export interface ShownIteration {
  readonly run: string;
  readonly iteration: string;
  /** Relative to the repository. */
  readonly folder: string;
  /** The content of `meta.json`; null when a crash has left it incomplete. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** The worker's answer, as JSON. */
  readonly output: unknown;
  /** The content of `failure.log`, else of `guard.log`. */
  readonly log: string | null;
  readonly files: readonly string[];
}

/** Reads the files of an iteration. Its name is `3` in the current run, or `RUN/3`. */
export function showIteration(repository: string, folder: string | undefined, name: string): ShownIteration {
  const place = openLoopPlace(openSafeRoot(repository), folder);
  const [, run, iteration] = /^(?:([A-Za-z0-9][\w.-]*)\/)?(\d+(?:\.cut-short-\d+)?)$/.exec(name) ?? [];
  if (iteration === undefined) {
    throw new LoadoutError('bad-iteration', `${JSON.stringify(name)} is not an iteration`, {
      subject: name,
      hint: 'give a number such as 3, or a run and a number: RUN/3',
    });
  }
  const runId = run ?? loadState(place).runState.run_id;
  const path = `${place.iterations}/${runId}/${iteration}`;
  const entries = place.root.list(path);
  if (entries === null) {
    const known = (place.root.list(`${place.iterations}/${runId}`) ?? []).map((entry) => entry.name);
    throw new LoadoutError('no-iteration', `there is no iteration ${iteration} of ${runId} on this machine`, {
      subject: path,
      hint: known.length === 0 ? 'the run has none yet' : `there are ${known.join(', ')}`,
    });
  }
  const read = (file: string) => place.readText(`${path}/${file}`);
  return {
    run: runId,
    iteration,
    folder: path,
    meta: parsed(read('meta.json')) as ShownIteration['meta'],
    output: parsed(read('output.json')),
    log: read('failure.log') ?? read('guard.log'),
    files: entries.map((entry) => entry.name),
  };
}

/** An iteration in a few fields, from its `meta.json`. Texts are empty where a crash has left no record. */
export interface IterationSummary {
  readonly run: string;
  /** Its number; `3.cut-short-1` for one that was interrupted. */
  readonly iteration: string;
  readonly node: string;
  /** `passed`, `failed`, `decomposed` or `repair`; another word for a worker that gave no answer. */
  readonly outcome: string;
  readonly status: string;
  readonly guard: string;
  readonly summary: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly files: readonly string[];
}

/** The newest iterations of a loop on this machine, newest first. A folder without a loop has none. */
export function listIterations(
  repository: string,
  folder: string | undefined,
  most: number,
): readonly IterationSummary[] {
  const place = openLoopPlace(openSafeRoot(repository), folder);
  const foldersIn = (path: string) =>
    (place.root.list(path) ?? []).filter(({ type }) => type === 'directory');
  const names = foldersIn(place.iterations).flatMap(({ name: run }) =>
    foldersIn(`${place.iterations}/${run}`).map(({ name: iteration }) => ({ run, iteration })),
  );
  const numberOf = ({ iteration }: { iteration: string }) => Number.parseInt(iteration, 10) || 0;
  return names
    .sort((a, b) => (a.run === b.run ? numberOf(b) - numberOf(a) : a.run < b.run ? 1 : -1))
    .slice(0, most)
    .map(({ run, iteration }) => {
      const path = `${place.iterations}/${run}/${iteration}`;
      // Workers write into this folder, too, so that every value may be of another kind.
      const meta = (parsed(readQuietly(place, `${path}/meta.json`)) ?? {}) as Record<string, unknown>;
      const text = (name: string) => (typeof meta[name] === 'string' ? meta[name] : '');
      return {
        ...{ run, iteration, node: text('node'), outcome: text('outcome'), status: text('status') },
        ...{ guard: text('guard'), summary: text('summary') },
        ...{ startedAt: text('started_at'), endedAt: text('ended_at') },
        files: (place.root.list(path) ?? []).map(({ name }) => name),
      };
    });
}

/** Null for a file that is not there or cannot be read. */
function readQuietly(place: LoopPlace, path: string): string | null {
  try {
    return place.readText(path);
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

/** Null for a file that a crash has left incomplete. */
function parsed(text: string | null): unknown {
  return text === null ? null : jsonOrNull(text);
}
