// One iteration on disk: everything that is known before the worker starts, and the log and commit after it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { OWNER_ONLY, writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside, moveAway, OWNER_FOLDER } from '../../platform/fs/make-folder.ts';
import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import { withoutSecrets } from '../../redact/index.ts';
import type { Judgement } from './judge-work.ts';
import type { BranchState } from './loop-branch.ts';
import { contextPayload, gatherPromptInputs, writeContextFiles } from './loop-context.ts';
import type { LoopEnvironment, WorkerOutcome } from './loop-environment.ts';
import { type LoopPlace, type LoopState, type RunState, readFailure, renderRunState } from './loop-files.ts';
import { buildLoopPrompt, type LoopPrompt, type PromptPack } from './loop-prompt.ts';
import type { OpenLoop } from './open-loop.ts';
import { nodeById, renderTree, type SelectedLeaf, showNodePath } from './task-tree.ts';

/** Everything that is known about an iteration before its worker starts. */
export interface Iteration extends LoopState {
  readonly selected: SelectedLeaf;
  /** Files for the worker that are not in git, by path. */
  readonly contextFiles: ReadonlyMap<string, string>;
  /** Fits into the budget of bytes, whatever feedback is added later. */
  readonly prompt: LoopPrompt;
  readonly log: IterationLog;
  /** Milliseconds since the epoch. The id of the run begins with this time. */
  readonly started: number;
}

/**
 * Writes the context files, builds the prompt and opens the log. Nothing of the repository changes: the context and the
 * log are outside git.
 */
export async function prepareIteration(
  place: LoopPlace,
  { tree, runState }: LoopState,
  selected: SelectedLeaf,
  environment: Pick<LoopEnvironment, 'packageFor' | 'wallClockMs'>,
  options: { readonly role: string; readonly promptBytes: number },
): Promise<Iteration> {
  const { run_id: runId, next_iter: number, last_guard: lastVerdict } = runState;
  // The failure of the last iteration matters only when its gates failed.
  const failureLog = lastVerdict === 'fail' ? readFailure(place, runId, number - 1) : null;
  const context = contextPayload({
    ...{ node: selected.node, state: runState, failureLog },
    folder: place.context,
  });
  writeContextFiles(place, context);
  const inputs = gatherPromptInputs(place, tree, selected, context);
  const role = selected.node.role ?? options.role;
  const prompt = await buildLoopPrompt(inputs, options.promptBytes, environment.packageFor?.(role) ?? null);
  const log = openIteration(place, runId, number);
  log.write('prompt.md', prompt.textWith(null));
  log.write('tree.before.json', renderTree(tree));
  const contextFiles = new Map([...context].map(([name, text]) => [`${place.context}/${name}`, text]));
  return { tree, runState, selected, contextFiles, prompt, log, started: environment.wallClockMs() };
}

/** Warns of sections that did not fit into the prompt. */
export function lostSections({ dropped, truncated, bytes }: PromptPack): readonly Diagnostic[] {
  const warn = (code: string, message: string): Diagnostic => ({ code, severity: 'warning', message });
  const size = `the prompt (${bytes} bytes)`;
  return [
    ...(truncated.includes('goal')
      ? [warn('loop-goal-cut', `the goal is cut in ${size}: the selected node contains all of it`)]
      : []),
    ...(dropped.length > 0
      ? [warn('loop-sections-dropped', `${size} has no room for: ${dropped.join(', ')}`)]
      : []),
  ];
}

/** The worker's answer, its files that may be committed, and how they were judged. */
export interface FinishedWork {
  readonly work: Exclude<WorkerOutcome, { kind: 'failed' }>;
  /** The tree of the files that may be committed. */
  readonly left: TreeSnapshot;
  readonly judgement: Judgement;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes the log of an iteration, then its commit, so that every commit has a log. Returns the commit. */
export async function recordIteration(
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
  if (judgement.gatesLog !== null) log.write('guard.log', judgement.gatesLog);
  if (judgement.failureLog !== null) log.write('failure.log', judgement.failureLog);
  log.write('tree.after.json', judgement.leftTree ?? renderTree(iteration.tree));
  const { nestedRepositories: nested_repositories } = left;
  writeMeta(iteration, branch.head, ended, { outcome, status, summary, guard, nested_repositories });

  // The state and the tree go into the same commit as the work, so that they can never disagree.
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

/**
 * Notes that the worker removed or replaced by something else than a file. They are written again, because later
 * iterations read them.
 */
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

/** Writes `meta.json`: the node, the prompt and the result of an iteration. `end` differs for a worker that failed. */
export function writeMeta(
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

/** The folder with the log files of one iteration. It is outside git, and secrets are replaced in every file. */
interface IterationLog {
  /** An absolute path. Workers may write files of their own there. */
  readonly folder: string;
  write(name: string, content: string): void;
}

/** Opens a folder for one iteration. Files of an interrupted iteration with the same number stay, under another name. */
function openIteration(place: LoopPlace, runId: string, iteration: number): IterationLog {
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
