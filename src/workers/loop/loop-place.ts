import { describeSkip, type SkipReason } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';

const DEFAULT_LOOP_FOLDER = '.loadout/loop';
/** Where other runners of such trees keep theirs; the files in it are the same. */
const OTHER_LOOP_FOLDER = '.runner';
/** A log or a note larger than this is read up to here. */
const MAX_BYTES = 12_000_000;
const FOLDER = /^(?!.*(^|\/)\.{1,2}(\/|$))(?!.*(^|\/)\.git(\/|$))[\w.][\w. -]*(\/[\w.][\w. -]*)*$/i;

/** The files of a loop. Paths are relative to the root of the repository, with `/`. */
export interface LoopPlace {
  readonly root: SafeRoot;
  readonly folder: string;
  readonly tree: string;
  readonly runState: string;
  readonly assumptions: string;
  readonly questions: string;
  /** Keeps `context/` and `iterations/` out of git, wherever the loop lies. */
  readonly ignoreFile: string;
  readonly context: string;
  readonly iterations: string;
  /** Null when it is not there. */
  readText(path: string): string | null;
}

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

function foundFolder(root: SafeRoot): string {
  const has = (folder: string) => root.stat(`${folder}/state/tree.json`) !== null;
  return !has(DEFAULT_LOOP_FOLDER) && has(OTHER_LOOP_FOLDER) ? OTHER_LOOP_FOLDER : DEFAULT_LOOP_FOLDER;
}

export function textOf(bytes: Buffer, path: string): string {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return decoded.text;
  throw unreadable(path, 'binary');
}

function unreadable(path: string, why: SkipReason): LoadoutError {
  return new LoadoutError('unreadable', `${path} cannot be read: ${describeSkip(why)}`, { subject: path });
}
