import { describeSkip, type SkipReason } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { OWNER_ONLY, writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { makeFolderInside, moveAway, OWNER_FOLDER } from '../../platform/fs/make-folder.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { withoutSecrets } from '../../redact/index.ts';

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
  readonly tree: string;
  readonly runState: string;
  readonly assumptions: string;
  readonly questions: string;
  /** Keeps `context/` and `iterations/` out of git, also when the folder itself is not ignored. */
  readonly ignoreFile: string;
  readonly context: string;
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

/** The folder with the log files of one iteration. */
export interface IterationLog {
  /** An absolute path. Workers may write files of their own there. */
  readonly folder: string;
  write(name: string, content: string): void;
}

/** Opens a folder for one iteration. Files of an interrupted iteration with the same number stay, under another name. */
export function openIteration(place: LoopPlace, runId: string, iteration: number): IterationLog {
  const run = makeFolderInside(place.root.path, `${place.iterations}/${runId}`, OWNER_FOLDER);
  for (let cut = 1; place.root.stat(`${place.iterations}/${runId}/${iteration}`) !== null; cut += 1) {
    const name = `${iteration}.cut-short-${cut}`;
    if (place.root.stat(`${place.iterations}/${runId}/${name}`) === null)
      moveAway(`${run}/${iteration}`, `${run}/${name}`);
  }
  const folder = makeFolderInside(place.root.path, `${place.iterations}/${runId}/${iteration}`, OWNER_FOLDER);
  return {
    folder,
    write: (name, content) => writeFileAtomic(`${folder}/${name}`, withoutSecrets(content), OWNER_ONLY),
  };
}

/** Why the guard failed in an iteration: `failure.log`, else the output of the guard. */
export function readFailure(place: LoopPlace, runId: string, iteration: number): string | null {
  const folder = `${place.iterations}/${runId}/${iteration}`;
  return place.readText(`${folder}/failure.log`) ?? place.readText(`${folder}/guard.log`);
}
