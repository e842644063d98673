import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { newRunId } from '../new-run-id.ts';
import type { RunTree } from '../worktrees/run-tree.ts';
import { writeMeta } from './iteration-meta.ts';
import { type Judgement, judgeWork } from './judge-work.ts';
import { loadState } from './load-state.ts';
import type { LoopWorld } from './loop-world.ts';
import { commitEdits, type OpenLoop } from './open-loop.ts';
import { type Iteration, prepareIteration } from './prepare-iteration.ts';
import type { PromptPack } from './prompt/prompt-builder.ts';
import { type FinishedWork, recordIteration } from './record-iteration.ts';
import { type SelectedLeaf, selectLeaf, treeOutcome } from './tree/select-leaf.ts';
import { nodeById } from './tree/tree-node.ts';

export interface StepOptions {
  /** For nodes that name no role of their own. */
  readonly role: string;
  readonly promptBytes: number;
  readonly signal: AbortSignal;
  readonly onStep?: (event: StepEvent) => void;
  /** What a user should know before the worker ends. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

export type StepEvent =
  | { readonly type: 'iteration-start'; readonly iteration: number; readonly selected: SelectedLeaf }
  | { readonly type: 'worker-start'; readonly promptBytes: number }
  | { readonly type: 'guard-start' };

/** What a step has done, or why there is nothing to do. */
export type StepReport =
  | {
      readonly kind: 'ended';
      readonly outcome: 'passed' | 'stuck';
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly kind: 'stepped';
      readonly runId: string;
      readonly iteration: number;
      readonly node: string;
      readonly title: string;
      readonly result: Judgement['outcome'];
      readonly status: Judgement['status'];
      readonly guard: Judgement['guard'];
      readonly summary: string;
      readonly attempts: number;
      readonly maxAttempts: number;
      readonly commit: string;
      /** Of the whole tree, now. */
      readonly outcome: 'open' | 'passed' | 'stuck';
      readonly diagnostics: readonly Diagnostic[];
    };

/** One iteration: the next open leaf, a fresh context, a worker, a check, a commit. */
export async function stepLoop(loop: OpenLoop, world: LoopWorld, options: StepOptions): Promise<StepReport> {
  const { place, diagnostics } = loop;
  const branch = await commitEdits(loop);
  const state = loadState(place);
  const selected = selectLeaf(state.tree);
  const outcome = treeOutcome(state.tree);
  if (selected === null || outcome !== 'open')
    return { kind: 'ended', outcome: outcome === 'stuck' ? 'stuck' : 'passed', diagnostics };
  options.onStep?.({ type: 'iteration-start', iteration: state.runState.next_iter, selected });
  const iteration = await prepareIteration(place, state, selected, world, options.promptBytes);
  const lost = lostSections(iteration.prompt.pack);
  if (lost.length > 0) options.onDiagnostics?.(lost);
  options.signal.throwIfAborted();
  const run = newRunId(iteration.started);
  const tree = await world.takeTree(run, branch.head);
  try {
    const finished = await work(loop, world, options, iteration, { run, tree, base: branch.head });
    options.signal.throwIfAborted();
    const commit = await recordIteration(loop, branch, iteration, finished, world.wallClockMs());
    tree.settle();
    return reportOf(iteration, finished.judgement, commit, [...diagnostics, ...lost]);
  } finally {
    await tree.giveBack();
  }
}

/** The worker and the guard in the work tree; nothing of the user's has changed after it. */
async function work(
  loop: OpenLoop,
  world: LoopWorld,
  { role, signal, onStep }: StepOptions,
  iteration: Iteration,
  { run, tree, base }: { readonly run: string; readonly tree: RunTree; readonly base: string },
): Promise<FinishedWork> {
  const { selected, prompt, log, contextFiles: files } = iteration;
  const { node } = selected;
  const { promptId, packageId } = prompt;
  onStep?.({ type: 'worker-start', promptBytes: prompt.pack.bytes });
  const outcome = await world.runWorker({
    ...{ run, node, tree, files, folder: log.folder, signal, promptId, packageId },
    role: node.role ?? role,
    prompt: prompt.textWith,
  });
  if (outcome.log !== null) log.write('executor.log', outcome.log);
  signal.throwIfAborted();
  if (outcome.kind === 'failed') {
    writeMeta(iteration, base, world.wallClockMs(), { outcome: 'worker-failed', summary: outcome.message });
    throw workerFailed(outcome.message);
  }
  const left = await tree.snapshot();
  const { runGuard } = world;
  const guard = () => {
    onStep?.({ type: 'guard-start' });
    return runGuard!({ run, tree, before: left, signal });
  };
  const judgement = await judgeWork(outcome, {
    ...{ place: loop.place, git: loop.git, before: iteration.tree, selected: node.id, left },
    runGuard: runGuard && guard,
  });
  return { work: outcome, left, judgement };
}

function reportOf(
  { runState, selected: { node } }: Iteration,
  { tree, outcome: result, status, guard, summary }: Judgement,
  commit: string,
  diagnostics: readonly Diagnostic[],
): StepReport {
  const after = nodeById(tree, node.id) ?? node;
  return {
    kind: 'stepped',
    ...{ runId: runState.run_id, iteration: runState.next_iter, node: node.id, title: node.title },
    ...{ result, status, guard, summary, commit, diagnostics },
    attempts: after.attempts,
    maxAttempts: after.max_attempts,
    outcome: treeOutcome(tree),
  };
}

/** What the prompt had no room for. */
function lostSections({ dropped, truncated, bytes }: PromptPack): readonly Diagnostic[] {
  const warn = (code: string, message: string): Diagnostic => ({ code, severity: 'warning', message });
  const size = `the prompt (${bytes} bytes)`;
  return [
    ...(truncated.includes('goal')
      ? [warn('loop-goal-cut', `the goal is cut in ${size}: the selected node holds all of it`)]
      : []),
    ...(dropped.length > 0
      ? [warn('loop-sections-dropped', `${size} has no room for: ${dropped.join(', ')}`)]
      : []),
  ];
}

function workerFailed(message: string): LoadoutError {
  return new LoadoutError('worker-failed', `the worker could not do its work: ${message}`, {
    hint: 'the attempt does not count; put right what is wrong and go on: loadout loop run',
  });
}
