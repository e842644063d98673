import { type IterationLog, openIteration, readFailure } from './iteration-log.ts';
import type { LoopState } from './load-state.ts';
import type { LoopPlace } from './loop-place.ts';
import type { LoopWorld } from './loop-world.ts';
import { buildLoopPrompt, type LoopPrompt } from './prompt/build-loop-prompt.ts';
import { readPromptInputs } from './prompt/prompt-inputs.ts';
import { renderTree } from './tree/render-tree.ts';
import type { SelectedLeaf } from './tree/select-leaf.ts';
import { contextPayload, writeContext } from './write-context.ts';

export interface Iteration extends LoopState {
  readonly selected: SelectedLeaf;
  /** Files that the worker finds besides those in git, by path. */
  readonly contextFiles: ReadonlyMap<string, string>;
  readonly prompt: LoopPrompt;
  readonly log: IterationLog;
  readonly started: number;
}

/** Writes the context files, builds the prompt and opens the log: all that is known before a worker starts. */
export async function prepareIteration(
  place: LoopPlace,
  { tree, runState }: LoopState,
  selected: SelectedLeaf,
  world: Pick<LoopWorld, 'buildPackage' | 'wallClockMs'>,
  promptBytes: number,
): Promise<Iteration> {
  const { run_id: runId, next_iter: number, last_guard: lastGuard } = runState;
  const failureLog = lastGuard === 'fail' ? readFailure(place, runId, number - 1) : null;
  const context = contextPayload({
    ...{ node: selected.node, state: runState, failureLog },
    folder: place.context,
  });
  writeContext(place, context);
  const inputs = readPromptInputs(place, tree, selected, context);
  const prompt = await buildLoopPrompt(inputs, promptBytes, world.buildPackage);
  const log = openIteration(place, runId, number);
  log.write('prompt.md', prompt.textWith(null));
  log.write('tree.before.json', renderTree(tree));
  const contextFiles = new Map([...context].map(([name, text]) => [`${place.context}/${name}`, text]));
  return { tree, runState, selected, contextFiles, prompt, log, started: world.wallClockMs() };
}
