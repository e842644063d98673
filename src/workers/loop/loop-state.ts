import { LoadoutError } from '../../model/loadout-error.ts';
import { object } from '../../schema/object-schema.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { choice, described, integer, matching, nullable, text, type ValueOf } from '../../schema/schema.ts';
import { readValue, showIssue } from '../../schema/value-issues.ts';
import type { LoopPlace } from './loop-place.ts';
import { needTree } from './read-task-tree.ts';
import { passParents, type TreeNode } from './task-tree.ts';

/** How a worker says that an iteration went. */
export const LOOP_STATUSES = ['done', 'retry', 'decomposed'] as const;
export type LoopStatus = (typeof LOOP_STATUSES)[number];

/** What a worker answers at the end of an iteration; `output.json` holds it. */
export const loopAnswer = object(
  { title: 'LoopOutput' },
  {
    status: described(choice(LOOP_STATUSES), 'done, retry or decomposed'),
    summary: described(text(), 'What was done and what is left, for the next worker'),
  },
);

export type LoopAnswer = ValueOf<typeof loopAnswer>;

/** It names a folder. */
const RUN_ID = /^[A-Za-z0-9][\w.-]{0,99}$/;

const schema = object(
  { title: 'RunState' },
  {
    run_id: matching(RUN_ID, 'letters, digits, ".", "_" and "-"'),
    next_iter: integer({ min: 1 }, 'a whole number, 1 or more'),
    last_status: nullable(choice(LOOP_STATUSES)),
    last_summary: nullable(text()),
    last_guard: nullable(choice(['pass', 'fail', 'skipped'])),
  },
);

/** How far the loop is. The field names are those of `run_state.json`. */
export type RunState = ValueOf<typeof schema>;
/** How the last guard ended; `skipped` when it did not run. */
export type GuardVerdict = NonNullable<RunState['last_guard']>;

/** The state before the first iteration. */
export function newRunState(runId: string): RunState {
  return { run_id: runId, next_iter: 1, last_status: null, last_summary: null, last_guard: null };
}

/** The text of `run_state.json`, with fields in a fixed order. */
export function renderRunState(state: RunState): string {
  const { run_id, next_iter, last_status, last_summary, last_guard } = state;
  return `${JSON.stringify({ run_id, next_iter, last_status, last_summary, last_guard }, null, 2)}\n`;
}

/** Reads `run_state.json`. Throws when it is not valid. */
function readRunState(content: string, name: string): RunState {
  const read = readValue(schema, parseJsonDocument(content, name).value);
  if (read.kind === 'read') return read.value;
  const problems = read.issues.map(showIssue);
  throw new LoadoutError('bad-run-state', `${name} is not valid: ${problems.join('; ')}`, {
    subject: name,
    hint: `take its last good version: git checkout HEAD -- ${name}`,
  });
}

/** The task tree and the run state, as they are on disk. */
export interface LoopState {
  readonly tree: TreeNode;
  readonly runState: RunState;
}

/** Reads both files. Throws when one is missing or not valid. */
export function loadState(place: LoopPlace): LoopState {
  const [tree, runState] = [place.readText(place.tree), place.readText(place.runState)];
  if (tree === null || runState === null) throw noLoop(place, tree === null ? place.tree : place.runState);
  return {
    tree: passParents(needTree(tree, place.tree)),
    runState: readRunState(runState, place.runState),
  };
}

/** The error for a folder without a loop. */
export function noLoop({ folder }: LoopPlace, missing: string): LoadoutError {
  return new LoadoutError('no-loop', `there is no loop in ${folder}: ${missing} is missing`, {
    subject: missing,
    hint: 'begin one: loadout loop start --goal "What is to be reached"',
  });
}
