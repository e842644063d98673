import { keepEnds } from '../../context/fit/cut-text.ts';
import { makeFolderInside, replaceFolder } from '../../platform/fs/make-folder.ts';
import { safeText } from '../../redact/outgoing-text.ts';
import { goalLines } from './goal-text.ts';
import type { LoopPlace } from './loop-place.ts';
import type { RunState } from './run-state.ts';
import type { TreeNode } from './tree/tree-node.ts';

/** The files of `context/` by name, for one iteration. */
export type ContextPayload = ReadonlyMap<ContextFile, string>;
/** `failure.log` is there when `failure.md` leaves some of it out. */
export type ContextFile = 'goal.md' | 'history.md' | 'failure.md' | 'failure.log';

export const HISTORY_HEADING = '# History (previous attempt)';
export const FAILURE_HEADING = '# Failure (previous attempt)';

/** Of a log: what begins it and what ends it say most. */
const FAILURE_HEAD_BYTES = 4_000;
const FAILURE_TAIL_CHARACTERS = 8_000;

export interface ContextSources {
  readonly node: Pick<TreeNode, 'title' | 'goal' | 'acceptance'>;
  readonly state: Pick<RunState, 'last_status' | 'last_summary' | 'last_guard'>;
  /** `failure.log` of the iteration before, else its `guard.log`; null when neither is there. */
  readonly failureLog: string | null;
  /** Where the files will lie, as a worker would name it. */
  readonly folder?: string;
}

/** What the worker of this iteration is told; what is not in it is not about this iteration. */
export function contextPayload(sources: ContextSources): ContextPayload {
  const { node, state, failureLog, folder = 'context' } = sources;
  const payload = new Map<ContextFile, string>();
  payload.set('goal.md', `${['# Goal', '', ...goalLines(node)].join('\n')}\n`);
  if (state.last_status === 'retry')
    payload.set('history.md', `${HISTORY_HEADING}\n\n${safeText(state.last_summary?.trim() ?? '')}\n`);
  if (state.last_guard === 'fail') {
    const log = failureLog ?? 'The check of the previous attempt failed; its log is not on this machine.';
    const text = safeText(log).replace(/^\n+|\s+$/g, '');
    const shown = keepEnds(text, FAILURE_HEAD_BYTES, FAILURE_TAIL_CHARACTERS, (left) => {
      return `[${left} bytes left out; all of it is in ${folder}/failure.log]`;
    });
    payload.set('failure.md', `${FAILURE_HEADING}\n\n${shown}\n`);
    if (shown !== text) payload.set('failure.log', `${text}\n`);
  }
  return payload;
}

/** Clears `context/` and writes it anew. A crash meanwhile never leaves files of two iterations. */
export function writeContext(place: LoopPlace, payload: ContextPayload): void {
  const parent = makeFolderInside(place.root.path, place.folder);
  replaceFolder(`${parent}/context`, payload);
}
