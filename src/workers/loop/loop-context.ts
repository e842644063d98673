import { LoadoutError } from '../../model/loadout-error.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { badArgument } from '../../schema/describe-value.ts';
import { readFailure } from './iteration-log.ts';
import { type LoopState, loadState } from './load-state.ts';
import { type LoopPlace, openLoopPlace } from './loop-place.ts';
import { type PromptInputs, readPromptInputs as readInputs } from './prompt/prompt-inputs.ts';
import { type SelectedLeaf, selectLeaf } from './tree/select-leaf.ts';
import { type ContextPayload, contextPayload, writeContext as writeFiles } from './write-context.ts';

/** Which loop is meant. */
export interface LoopFolder {
  /** The root of the repository. */
  readonly repo: string;
  /** The folder of the loop; without it `.loadout/loop`, else `.runner` if it is there. */
  readonly folder?: string;
}

/**
 * Clears `context/` of a loop and writes it anew for the next open leaf: `goal.md`, `history.md` after a retry,
 * `failure.md` after a failed guard. Returns the files by name. For a runner of your own; `runTaskTree` does it itself.
 */
export function writeContext(loop: LoopFolder): ContextPayload {
  const { place, payload } = nextIteration(loop);
  writeFiles(place, payload);
  return payload;
}

/** Everything that the prompt for the next open leaf is made of, from the files of the loop. */
export function readPromptInputs(loop: LoopFolder): PromptInputs {
  const { place, state, selected, payload } = nextIteration(loop);
  return readInputs(place, state.tree, selected, payload);
}

function nextIteration(loop: LoopFolder): {
  place: LoopPlace;
  state: LoopState;
  selected: SelectedLeaf;
  payload: ContextPayload;
} {
  // A program without types may give anything.
  const { repo, folder } = loop ?? {};
  if (typeof repo !== 'string' || repo === '') throw badArgument('repo', repo, 'the path of a repository');
  if (folder !== undefined && typeof folder !== 'string')
    throw badArgument('folder', folder, 'the path of a folder in the repository');
  const place = openLoopPlace(openSafeRoot(repo), folder);
  const state = loadState(place);
  const selected = selectLeaf(state.tree);
  if (selected === null) {
    throw new LoadoutError('loop-passed', `every node of ${place.tree} passes: no iteration is left`, {
      subject: place.tree,
      hint: 'begin another loop: loadout loop start --goal "What is to be reached"',
    });
  }
  const { run_id: runId, next_iter: number, last_guard: lastGuard } = state.runState;
  const failureLog = lastGuard === 'fail' ? readFailure(place, runId, number - 1) : null;
  const sources = { node: selected.node, state: state.runState, failureLog, folder: place.context };
  return { place, state, selected, payload: contextPayload(sources) };
}
