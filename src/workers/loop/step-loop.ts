import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import { namesOf, newRunId, type RunTree } from '../index.ts';
import { type Judgement, judgeWork } from './judge-work.ts';
import type { BranchState } from './loop-branch.ts';
import { contextPayload, gatherPromptInputs, writeContextFiles } from './loop-context.ts';
import type { GuardOutcome, GuardRequest } from './loop-gates.ts';
import { type IterationLog, type LoopPlace, openIteration, readFailure } from './loop-place.ts';
import { type BuildLoopPackage, buildLoopPrompt, type LoopPrompt, type PromptPack } from './loop-prompt.ts';
import { type LoopState, loadState, type RunState, renderRunState } from './loop-state.ts';
import type { WorkerOutcome, WorkerRequest } from './loop-worker.ts';
import { commitEdits, type OpenLoop } from './open-loop.ts';
import {
  nodeById,
  renderTree,
  type SelectedLeaf,
  selectLeaf,
  showNodePath,
  treeOutcome,
} from './task-tree.ts';

/** How a step works, and who is told. */
export interface StepOptions {
  /** For nodes that name no role of their own. */
  readonly role: string;
  readonly promptBytes: number;
  readonly signal: AbortSignal;
  readonly onStep?: (event: StepEvent) => void;
  /** Called with notes that a user should see before the step ends. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/** Reported while a step goes on. */
export type StepEvent =
  | { readonly type: 'iteration-start'; readonly iteration: number; readonly selected: SelectedLeaf }
  | { readonly type: 'worker-start'; readonly promptBytes: number }
  | { readonly type: 'guard-start' };

/** Everything an iteration needs from outside. */
export interface LoopEnvironment {
  takeTree(run: string, commit: string): Promise<RunTree>;
  runWorker(request: WorkerRequest): Promise<WorkerOutcome>;
  /** Null when there is no check: then the worker's word counts. */
  readonly runGuard: ((request: GuardRequest) => Promise<GuardOutcome>) | null;
  /** Null for prompts without a context package. */
  readonly buildPackage: BuildLoopPackage | null;
  wallClockMs(): number;
}

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
      readonly attempts: number;
      readonly maxAttempts: number;
      readonly commit: string;
      /** The outcome of the whole tree so far. */
      readonly outcome: 'open' | 'passed' | 'stuck';
      readonly diagnostics: readonly Diagnostic[];
    };

/** One iteration: the next open leaf, a fresh context, a worker, a check, a commit. */
export async function stepLoop(
  loop: OpenLoop,
  environment: LoopEnvironment,
  options: StepOptions,
): Promise<StepReport> {
  const { place, diagnostics } = loop;
  // Commit what the user edited, and select the next open leaf.
  const branch = await commitEdits(loop);
  const state = loadState(place);
  const selected = selectLeaf(state.tree);
  const outcome = treeOutcome(state.tree);
  if (selected === null || outcome !== 'open')
    return { kind: 'ended', outcome: outcome === 'stuck' ? 'stuck' : 'passed', diagnostics };

  // Write the context files and build the prompt.
  options.onStep?.({ type: 'iteration-start', iteration: state.runState.next_iter, selected });
  const iteration = await prepareIteration(place, state, selected, environment, options.promptBytes);
  const lost = lostSections(iteration.prompt.pack);
  if (lost.length > 0) options.onDiagnostics?.(lost);
  options.signal.throwIfAborted();

  // Let the worker and the guard work in a tree of their own, then commit the result.
  const run = newRunId(iteration.started);
  const tree = await environment.takeTree(run, branch.head);
  try {
    const finished = await work(loop, environment, options, iteration, { run, tree, base: branch.head });
    options.signal.throwIfAborted();
    if (finished.diagnostics.length > 0) options.onDiagnostics?.(finished.diagnostics);
    const commit = await recordIteration(loop, branch, iteration, finished, environment.wallClockMs());
    tree.finish();
    return reportOf(iteration, finished.judgement, commit, [
      ...diagnostics,
      ...lost,
      ...finished.diagnostics,
    ]);
  } finally {
    await tree.giveBack();
  }
}

/** Runs the worker and the guard in the work tree. The user's files and branch are not touched. */
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
  onStep?.({ type: 'worker-start', promptBytes: prompt.pack.bytes });
  const outcome = await environment.runWorker({
    ...{ run, node, tree, files, folder: log.folder, signal, promptId, packageId },
    role: node.role ?? role,
    prompt: prompt.textWith,
  });
  if (outcome.log !== null) log.write('executor.log', outcome.log);
  signal.throwIfAborted();
  if (outcome.kind === 'failed') {
    writeMeta(iteration, base, environment.wallClockMs(), {
      outcome: 'worker-failed',
      summary: outcome.message,
    });
    throw workerFailed(outcome.message);
  }
  const { left, diagnostics } = await takeWork(loop, tree, outcome.kind === 'answered' && outcome.isReadOnly);
  const { runGuard } = environment;
  const guard = () => {
    onStep?.({ type: 'guard-start' });
    return runGuard!({ run, tree, before: left, context: loop.place.context, signal });
  };
  const judgement = await judgeWork(outcome, {
    ...{ place: loop.place, git: loop.git, before: iteration.tree, selected: node.id, left },
    runGuard: runGuard && guard,
  });
  return { work: outcome, left, judgement, diagnostics };
}

/**
 * The files of the worker that may go into the commit. The loop's own folder is not the worker's: only the task tree and
 * the notes are taken from there. From a read-only worker nothing else is taken at all. The rest is put back in the
 * work tree as well, so that the guard sees what the commit will hold.
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
  const message = `The worker was read-only, and its agent changed files all the same: ${namesOf(paths)}. They are not in the commit`;
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

/** Warns of sections that did not fit into the prompt. */
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
    hint: 'the attempt does not count; solve the problem and go on: loadout loop run',
  });
}

/** The worker's answer, its files that may be committed, and how they were judged. */
interface FinishedWork {
  readonly work: Exclude<WorkerOutcome, { kind: 'failed' }>;
  readonly left: TreeSnapshot;
  readonly judgement: Judgement;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes the log of an iteration, then its commit, so that every commit has a log. Returns the commit. */
async function recordIteration(
  loop: OpenLoop,
  branch: BranchState,
  iteration: Iteration,
  { work, left, judgement }: FinishedWork,
  ended: number,
): Promise<string> {
  const { place } = loop;
  const { log, runState, selected } = iteration;
  const { outcome, status, summary, guard } = judgement;
  if (work.kind === 'answered') log.write('output.json', `${JSON.stringify(work.answer, null, 2)}\n`);
  if (judgement.guardLog !== null) log.write('guard.log', judgement.guardLog);
  if (judgement.failureLog !== null) log.write('failure.log', judgement.failureLog);
  log.write('tree.after.json', judgement.leftTree ?? renderTree(iteration.tree));
  const { nestedRepositories: nested_repositories } = left;
  writeMeta(iteration, branch.head, ended, { outcome, status, summary, guard, nested_repositories });

  const next: RunState = {
    run_id: runState.run_id,
    next_iter: runState.next_iter + 1,
    last_status: status,
    last_summary: summary,
    last_guard: guard,
  };
  const taken = judgement.takesWork ? left.tree : null;
  const files = new Map([
    [place.tree, renderTree(judgement.tree)],
    [place.runState, renderRunState(next)],
    ...(taken === null ? [] : await lostNotes(loop, taken)),
  ]);
  const message = stepMessage(runState, selected, judgement);
  return loop.commit(branch, taken, files, message);
}

/** Notes that the worker removed: they are written again. */
async function lostNotes({ place, git }: OpenLoop, tree: string): Promise<[string, string][]> {
  const notes: [string, string][] = [];
  for (const path of [place.assumptions, place.questions]) {
    const mode = (await git.entry(tree, path))?.mode ?? '';
    if (!mode.startsWith('100')) notes.push([path, place.readText(path) ?? '']);
  }
  return notes;
}

/** The message of an iteration's commit. The same iteration always has the same message. */
function stepMessage(
  { run_id: runId, next_iter: iteration }: RunState,
  { node, path }: SelectedLeaf,
  { outcome, status, guard, tree }: Judgement,
): string {
  const after = nodeById(tree, node.id) ?? node;
  const ending = outcome === 'repair' ? `${status}, tree not accepted` : `${status}, guard ${guard}`;
  return `${[
    `loadout loop: ${node.id} ${ending}`,
    '',
    `Iteration: ${iteration}`,
    `Run: ${runId}`,
    `Node: ${showNodePath(path)}`,
    `Title: ${node.title}`,
    `Attempts: ${after.attempts} of ${after.max_attempts}`,
    `Passes: ${after.passes ? 'yes' : 'no'}`,
  ].join('\n')}\n`;
}

/** Writes `meta.json`: the node, the prompt and the result of an iteration. */
function writeMeta(
  { log, runState, selected, prompt, started }: Iteration,
  base: string,
  ended: number,
  end: Readonly<Record<string, unknown>>,
): void {
  const meta = {
    run_id: runState.run_id,
    iter: runState.next_iter,
    node: selected.node.id,
    path: showNodePath(selected.path),
    ...end,
    base,
    prompt_id: prompt.promptId,
    prompt_bytes: prompt.pack.bytes,
    package_id: prompt.packageId,
    dropped: prompt.pack.dropped,
    truncated: prompt.pack.truncated,
    started_at: new Date(started).toISOString(),
    ended_at: new Date(ended).toISOString(),
  };
  log.write('meta.json', `${JSON.stringify(meta, null, 2)}\n`);
}

/** Everything that is known before the worker starts. */
interface Iteration extends LoopState {
  readonly selected: SelectedLeaf;
  /** Files for the worker that are not in git, by path. */
  readonly contextFiles: ReadonlyMap<string, string>;
  readonly prompt: LoopPrompt;
  readonly log: IterationLog;
  readonly started: number;
}

/** Writes the context files, builds the prompt and opens the log. */
async function prepareIteration(
  place: LoopPlace,
  { tree, runState }: LoopState,
  selected: SelectedLeaf,
  environment: Pick<LoopEnvironment, 'buildPackage' | 'wallClockMs'>,
  promptBytes: number,
): Promise<Iteration> {
  const { run_id: runId, next_iter: number, last_guard: lastGuard } = runState;
  const failureLog = lastGuard === 'fail' ? readFailure(place, runId, number - 1) : null;
  const context = contextPayload({
    ...{ node: selected.node, state: runState, failureLog },
    folder: place.context,
  });
  writeContextFiles(place, context);
  const inputs = gatherPromptInputs(place, tree, selected, context);
  const prompt = await buildLoopPrompt(inputs, promptBytes, environment.buildPackage);
  const log = openIteration(place, runId, number);
  log.write('prompt.md', prompt.textWith(null));
  log.write('tree.before.json', renderTree(tree));
  const contextFiles = new Map([...context].map(([name, text]) => [`${place.context}/${name}`, text]));
  return { tree, runState, selected, contextFiles, prompt, log, started: environment.wallClockMs() };
}
