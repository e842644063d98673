// The files of a loop: where they are, how they are read, and the state in `run_state.json`. Other runners of such
// trees use the same files, so their names and fields are fixed.
import { describeSkip, type SkipReason } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { object } from '../../schema/object-schema.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { choice, described, integer, matching, nullable, text, type ValueOf } from '../../schema/schema.ts';
import { readValue, showIssue } from '../../schema/value-issues.ts';
import { needTree } from './read-task-tree.ts';
import { passParents, type TreeNode } from './task-tree.ts';

const DEFAULT_LOOP_FOLDER = '.loadout/loop';
/** The folder of other runners of such trees. They use the same files. */
const OTHER_LOOP_FOLDER = '.runner';
/** Of a larger log or note only this much is read. */
const MAX_BYTES = 12_000_000;
/** A relative path without `..` and `.git`. */
const FOLDER = /^(?!.*(^|\/)\.{1,2}(\/|$))(?!.*(^|\/)\.git(\/|$))[\w.][\w. -]*(\/[\w.][\w. -]*)*$/i;

/** The files of a loop. Paths are relative to the root of the repository, with `/`. */
export interface LoopPlace {
  readonly root: SafeRoot;
  readonly folder: string;
  /** `state/tree.json`: the task tree. */
  readonly tree: string;
  /** `state/run_state.json`: how far the loop is. */
  readonly runState: string;
  /** `state/assumptions.md` and `state/questions.md`: notes that workers keep for later iterations. */
  readonly assumptions: string;
  readonly questions: string;
  /** Keeps `context/` and `iterations/` out of git, also when the folder itself is not ignored. */
  readonly ignoreFile: string;
  /** `context/`: the files for the next worker, written anew for each iteration. */
  readonly context: string;
  /** `iterations/`: the logs, the lock and the plan of a move. */
  readonly iterations: string;
  /** Null when there is no such file. */
  readText(path: string): string | null;
}

/** Finds the folder of the loop: the one that was asked for, else `.loadout/loop`, else `.runner` if it has a tree. */
export function openLoopPlace(root: SafeRoot, asked: string | undefined): LoopPlace {
  const folder = (asked ?? foundFolder(root)).replace(/^\.\//, '').replace(/\/+$/, '');
  if (!FOLDER.test(folder)) {
    throw new LoadoutError('bad-loop-folder', `${JSON.stringify(asked)} cannot hold a loop`, {
      subject: '--dir',
      hint: `name a folder inside the repository, such as ${DEFAULT_LOOP_FOLDER} or ${OTHER_LOOP_FOLDER}`,
    });
  }
  const state = `${folder}/state`;
  return {
    root,
    folder,
    tree: `${state}/tree.json`,
    runState: `${state}/run_state.json`,
    assumptions: `${state}/assumptions.md`,
    questions: `${state}/questions.md`,
    ignoreFile: `${folder}/.gitignore`,
    context: `${folder}/context`,
    iterations: `${folder}/iterations`,
    readText: (path) => {
      const outcome = root.readHead(path, MAX_BYTES);
      if (outcome.kind === 'content') return textOf(outcome.bytes, path);
      if (outcome.reason === 'vanished') return null;
      throw unreadable(path, outcome.reason);
    },
  };
}

/** The default folder, unless only the other one has a tree. */
function foundFolder(root: SafeRoot): string {
  const has = (folder: string) => root.stat(`${folder}/state/tree.json`) !== null;
  return !has(DEFAULT_LOOP_FOLDER) && has(OTHER_LOOP_FOLDER) ? OTHER_LOOP_FOLDER : DEFAULT_LOOP_FOLDER;
}

/** The text of a file. Throws when it is not text. */
export function textOf(bytes: Buffer, path: string): string {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return decoded.text;
  throw unreadable(path, 'binary');
}

function unreadable(path: string, why: SkipReason): LoadoutError {
  return new LoadoutError('unreadable', `${path} cannot be read: ${describeSkip(why)}`, { subject: path });
}

/** Why the gates failed in an iteration: `failure.log`, else the output of the gates. */
export function readFailure(place: LoopPlace, runId: string, iteration: number): string | null {
  const folder = `${place.iterations}/${runId}/${iteration}`;
  return place.readText(`${folder}/failure.log`) ?? place.readText(`${folder}/guard.log`);
}

/** How a worker says that an iteration went. */
export const LOOP_STATUSES = ['done', 'retry', 'decomposed'] as const;
/** One of `LOOP_STATUSES`. */
export type LoopStatus = (typeof LOOP_STATUSES)[number];

/** The answer of a worker at the end of an iteration; `output.json` holds it. */
export const loopAnswer = object(
  { title: 'LoopOutput' },
  {
    status: described(choice(LOOP_STATUSES), 'done, retry or decomposed'),
    summary: described(text(), 'What was done and what is left, for the next worker'),
  },
);

/** The answer of a worker, checked against `loopAnswer`. */
export type LoopAnswer = ValueOf<typeof loopAnswer>;

/** The id becomes the name of a folder in `iterations/`. */
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
/** How the gates of the last iteration ended; `skipped` when they did not run. */
export type GatesVerdict = NonNullable<RunState['last_guard']>;

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
    hint: `restore its last committed version: git checkout HEAD -- ${name}`,
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
    hint: 'start one: loadout loop start --goal "Describe the goal"',
  });
}
