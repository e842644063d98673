// The loop as a recipe. `runTaskTree` checks everything once and steps until the tree passes or is stuck. `stepLoop` is one
// iteration. The files beside this one hold the parts: the tree, the prompt, the branch, the judgement, the log.
import { librarySettings, type Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { namesOf, newRunId, type RunEnvironment, type RunTree } from '../index.ts';
import {
  type FinishedWork,
  type Iteration,
  lostSections,
  prepareIteration,
  recordIteration,
  writeMeta,
} from './iteration.ts';
import { type Judgement, judgeWork } from './judge-work.ts';
import {
  buildLoopPackage,
  createLoopEnvironment,
  type LoopEnvironment,
  type LoopWorkers,
} from './loop-environment.ts';
import { loadState } from './loop-files.ts';
import { commitEdits, type OpenLoop, withLoop } from './open-loop.ts';
import { nodeById, type SelectedLeaf, selectLeaf, treeOutcome } from './task-tree.ts';

/**
 * Works on a task tree, one node in each iteration. Each worker starts with nothing but the tree, the files and the notes
 * of the attempt before it.
 *
 * @example
 * await startLoop({ repository: '.', goal: 'Make login work' });
 * const settings = { loopGuard: 'npm test' };
 * const { outcome } = await runTaskTree({ repository: '.', settings }, createRunEnvironment());
 */
export function runTaskTree(request: TaskTreeRequest, environment: RunEnvironment): Promise<DriveResult> {
  const { repository, folder, role = 'implementer', signal = new AbortController().signal } = request;
  const settings = librarySettings(request.settings);
  // Hold the lock of the loop until the end. A step that a crash interrupted is completed first.
  return withLoop(repository, folder, async (loop) => {
    // Refuse before anything starts: a wrong branch, role, agent or gate would stop every iteration.
    await loop.checkBranch();
    const gates = settings.loopGuard === '' ? [] : [settings.loopGuard];
    const source = { repository: loop.place.root.path, settings, loopFolder: loop.place.folder, signal };
    const { loopEnvironment, diagnostics } = await createLoopEnvironment(
      { ...request, role, signal, gates },
      environment,
      settings.loopPackage
        ? (reader) => (task, bytes) => buildLoopPackage({ ...source, role: reader }, task, bytes)
        : null,
    );
    const noGates = loopEnvironment.runGates === null ? [NO_GATES] : [];
    request.onDiagnostics?.([...loop.diagnostics, ...diagnostics, ...noGates]);

    // Step until the tree passes, is stuck, or the iterations are used up. Every step counts, so this ends.
    const options: StepOptions = {
      ...{ role, promptBytes: settings.loopPromptBytes, signal },
      ...(request.onDiagnostics === undefined ? {} : { onDiagnostics: request.onDiagnostics }),
      ...(request.onStep === undefined ? {} : { onStep: request.onStep }),
    };
    const steps: StepReport[] = [];
    while (steps.length < (request.most ?? Number.POSITIVE_INFINITY)) {
      const report = await stepLoop(loop, loopEnvironment, options);
      steps.push(report);
      request.onReport?.(report);
      if (report.outcome !== 'open') return { outcome: report.outcome, steps };
    }
    return { outcome: 'open', steps };
  });
}

/** One iteration: the next open leaf, a fresh context, a worker, a check, a commit. */
export async function stepLoop(
  loop: OpenLoop,
  environment: LoopEnvironment,
  options: StepOptions,
): Promise<StepReport> {
  const { place, diagnostics } = loop;
  const { onStep, onDiagnostics, signal } = options;

  // Commit the state that the user edited by hand, because a worker sees only committed files.
  const branch = await commitEdits(loop);

  // Select the next open leaf. Without one the loop has ended.
  const state = loadState(place);
  const selected = selectLeaf(state.tree);
  const outcome = treeOutcome(state.tree);
  if (selected === null || outcome !== 'open')
    return { kind: 'ended', outcome: outcome === 'stuck' ? 'stuck' : 'passed', diagnostics };

  // Write the context files, build the prompt and open the log.
  onStep?.({ type: 'iteration-start', iteration: state.runState.next_iter, selected });
  const iteration = await prepareIteration(place, state, selected, environment, options);
  const lost = lostSections(iteration.prompt.pack);
  if (lost.length > 0) onDiagnostics?.(lost);
  signal.throwIfAborted();

  // Take a work tree. The user's files and branch stay as they are until the commit.
  const run = newRunId(iteration.started);
  const tree = await environment.takeTree(run, branch.head);
  try {
    // Let the worker work in it, and the gates check the result.
    const finished = await work(loop, environment, options, iteration, { run, tree, base: branch.head });
    signal.throwIfAborted();
    if (finished.diagnostics.length > 0) onDiagnostics?.(finished.diagnostics);

    // Write the log, commit the result and move the user's branch to it.
    const commit = await recordIteration(loop, branch, iteration, finished, environment.wallClockMs());
    tree.finish();
    const all = [...diagnostics, ...lost, ...finished.diagnostics];
    return reportOf(iteration, finished.judgement, commit, all);
  } finally {
    await tree.giveBack();
  }
}

/** Runs the worker and the gates in the work tree. A worker that could not work at all ends the loop with an error. */
async function work(
  loop: OpenLoop,
  environment: LoopEnvironment,
  { role, signal, onStep }: StepOptions,
  iteration: Iteration,
  { run, tree, base }: { readonly run: string; readonly tree: RunTree; readonly base: string },
): Promise<FinishedWork> {
  const { selected, prompt, log, contextFiles: files } = iteration;
  const { node } = selected;
  const { promptId, packageId } = prompt;

  // Run the agent. Its log is kept, whatever the outcome.
  onStep?.({ type: 'worker-start', promptBytes: prompt.pack.bytes });
  const outcome = await environment.runWorker({
    ...{ run, node, tree, files, folder: log.folder, signal, promptId, packageId },
    role: node.role ?? role,
    prompt: prompt.textWith,
  });
  if (outcome.log !== null) log.write('executor.log', outcome.log);
  signal.throwIfAborted();
  if (outcome.kind === 'failed') {
    const end = { outcome: 'worker-failed', summary: outcome.message };
    writeMeta(iteration, base, environment.wallClockMs(), end);
    throw workerFailed(outcome.message);
  }

  // Keep the files that may be committed, and judge them. The gates run only when everything else is fine.
  const { left, diagnostics } = await takeWork(loop, tree, outcome.kind === 'answered' && outcome.isReadOnly);
  const { runGates } = environment;
  const reported = () => {
    onStep?.({ type: 'guard-start' });
    return runGates!({ run, tree, before: left, context: loop.place.context, signal });
  };
  const judgement = await judgeWork(outcome, {
    ...{ place: loop.place, git: loop.git, before: iteration.tree, selected: node.id, left },
    runGates: runGates && reported,
  });
  return { work: outcome, left, judgement, diagnostics };
}

/**
 * The files of the worker that may go into the commit. The loop's own folder is not the worker's: only the task tree and
 * the notes are taken from there. From a read-only worker nothing else is taken at all. The rest is put back in the
 * work tree as well, so that the gates see what the commit will hold.
 */
async function takeWork(
  { place, withoutChanges }: OpenLoop,
  tree: RunTree,
  isReadOnly: boolean,
): Promise<Pick<FinishedWork, 'left' | 'diagnostics'>> {
  const left = await tree.snapshot();
  const isLoops = (path: string) => path.startsWith(`${place.folder}/`);
  const taken = new Set([place.tree, place.assumptions, place.questions]);
  const isUndone = (path: string) => !taken.has(path) && (isReadOnly || isLoops(path));
  const { tree: allowed, undone } = await withoutChanges(tree.baseTree, left.tree, isUndone);
  if (undone.length > 0) await tree.restore(allowed);
  const edited = undone.filter((path) => !isLoops(path));
  return { left: { ...left, tree: allowed }, diagnostics: edited.length > 0 ? [wroteAnyway(edited)] : [] };
}

function wroteAnyway(paths: readonly string[]): Diagnostic {
  const message = `The worker was read-only, but its agent changed files: ${namesOf(paths)}. The changes are not in the commit`;
  return { code: 'read-only-changes', severity: 'warning', message };
}

/** The report of a step that ended in a commit. */
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

function workerFailed(message: string): LoadoutError {
  return new LoadoutError('worker-failed', `the worker could not do its work: ${message}`, {
    hint: 'the attempt does not count; solve the problem, then continue: loadout loop run',
  });
}

const NO_GATES: Diagnostic = {
  code: 'no-guard',
  severity: 'warning',
  message: 'there is no guard: a node passes when its worker says so (--guard COMMAND checks it)',
};

/** Which loop to run, with which workers, and the callbacks for its progress. */
export interface TaskTreeRequest extends Omit<LoopWorkers, 'gates' | 'signal' | 'role'> {
  /** The folder of the loop in the repository. */
  readonly folder?: string | undefined;
  /** For nodes that name no role. (default: implementer) */
  readonly role?: string;
  /** On top of the environment's variables and the defaults; `loopGuard` is the command that checks the work. */
  readonly settings?: Partial<Settings>;
  readonly signal?: AbortSignal;
  /** The largest number of iterations; without it the loop continues until the tree passes or is stuck. */
  readonly most?: number | undefined;
  readonly onStep?: (event: StepEvent) => void;
  readonly onReport?: (report: StepReport) => void;
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/** Where the loop stopped, and its steps. */
export interface DriveResult {
  /** `open`: the iterations were used up. */
  readonly outcome: 'passed' | 'stuck' | 'open';
  readonly steps: readonly StepReport[];
}

/** How a step works, and the callbacks for its progress. */
export interface StepOptions {
  /** For nodes that name no role of their own. */
  readonly role: string;
  readonly promptBytes: number;
  readonly signal: AbortSignal;
  readonly onStep?: (event: StepEvent) => void;
  /** Called with notes that a user should see before the step ends. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/** Reported during a step. */
export type StepEvent =
  | { readonly type: 'iteration-start'; readonly iteration: number; readonly selected: SelectedLeaf }
  | { readonly type: 'worker-start'; readonly promptBytes: number }
  | { readonly type: 'guard-start' };

/** The result of a step; `ended` when there was nothing to do. */
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
      /** Of the node, after this iteration. */
      readonly attempts: number;
      readonly maxAttempts: number;
      readonly commit: string;
      /** The outcome of the whole tree so far. */
      readonly outcome: 'open' | 'passed' | 'stuck';
      readonly diagnostics: readonly Diagnostic[];
    };
