import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import type { BranchState } from './git/check-branch.ts';
import { writeMeta } from './iteration-meta.ts';
import type { Judgement } from './judge-work.ts';
import type { WorkerOutcome } from './loop-world.ts';
import type { OpenLoop } from './open-loop.ts';
import type { Iteration } from './prepare-iteration.ts';
import { type RunState, renderRunState } from './run-state.ts';
import { stepMessage } from './step-message.ts';
import { renderTree } from './tree/render-tree.ts';

export interface FinishedWork {
  readonly work: Exclude<WorkerOutcome, { kind: 'failed' }>;
  readonly left: TreeSnapshot;
  readonly judgement: Judgement;
}

/** Writes the log of an iteration, then its commit: what is in a commit has a log. Returns the commit. */
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

/** Notes outlive the worker that removed them. */
async function lostNotes({ place, git }: OpenLoop, tree: string): Promise<[string, string][]> {
  const notes: [string, string][] = [];
  for (const path of [place.assumptions, place.questions]) {
    const mode = (await git.entry(tree, path))?.mode ?? '';
    if (!mode.startsWith('100')) notes.push([path, place.readText(path) ?? '']);
  }
  return notes;
}
