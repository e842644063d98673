import { cutToCharacters } from '../../context/fit/index.ts';
import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import { safeText } from '../../redact/index.ts';
import type { GuardOutcome } from './loop-gates.ts';
import type { LoopGit } from './loop-git.ts';
import { type LoopPlace, textOf } from './loop-place.ts';
import type { GuardVerdict, LoopStatus } from './loop-state.ts';
import type { WorkerOutcome } from './loop-worker.ts';
import { checkTreeChange, readTree } from './read-task-tree.ts';
import { finishNode, type TreeNode } from './task-tree.ts';

/** The result of an iteration. */
export interface Judgement {
  /** `repair`: the worker left a tree that cannot be used. The next iteration is told what is wrong with it. */
  readonly outcome: 'passed' | 'failed' | 'decomposed' | 'repair';
  readonly status: LoopStatus;
  readonly summary: string;
  readonly guard: GuardVerdict;
  readonly tree: TreeNode;
  /** The tree that the worker left; null when it cannot be read. */
  readonly leftTree: string | null;
  readonly guardLog: string | null;
  readonly failureLog: string | null;
  /** Whether the files of the worker go into the commit. */
  readonly takesWork: boolean;
}

/** The work of an iteration that is judged. */
export interface Work {
  readonly place: LoopPlace;
  readonly git: LoopGit;
  readonly before: TreeNode;
  readonly selected: string;
  readonly left: TreeSnapshot;
  readonly runGuard: (() => Promise<GuardOutcome>) | null;
}

/** A larger `tree.json` is not accepted. */
const MAX_TREE_BYTES = 256 * 1024;
const MAX_SUMMARY = 4_000;

/**
 * Judges the work of an iteration. The order decides: a missing answer, a task tree that is not accepted, the status that
 * the worker chose, and at last the guard.
 */
export async function judgeWork(
  outcome: Exclude<WorkerOutcome, { kind: 'failed' }>,
  work: Work,
): Promise<Judgement> {
  const { before, selected, place } = work;
  const failed = {
    outcome: 'failed',
    status: 'retry',
    guard: 'skipped',
    tree: finishNode(before, selected, 'failed'),
    guardLog: null,
    failureLog: null,
  } as const;
  if (outcome.kind === 'no-answer')
    return { ...failed, summary: shorten(outcome.message), leftTree: null, takesWork: false };
  const { status } = outcome.answer;
  const summary = shorten(outcome.answer.summary);
  const leftTree = await leftText(work);
  const read = leftTree === null ? null : readTree(leftTree, place.tree);
  const problems =
    read === null
      ? [`${place.tree} is gone, is no text or is too large`]
      : read.kind === 'invalid'
        ? read.problems
        : checkTreeChange(before, read.tree, selected, status);
  if (read?.kind !== 'tree' || problems.length > 0) {
    const failureLog = repairText(place.tree, problems, leftTree);
    return { ...failed, outcome: 'repair', summary, guard: 'fail', failureLog, leftTree, takesWork: true };
  }
  const taken = { summary, leftTree, takesWork: true } as const;
  const settled = (result: Parameters<typeof finishNode>[2]) => finishNode(read.tree, selected, result);
  if (status === 'decomposed')
    return { ...failed, ...taken, outcome: 'decomposed', status, tree: settled('open') };
  if (status === 'retry') return { ...failed, ...taken, tree: settled('failed') };
  const guard = (await work.runGuard?.()) ?? null;
  if (guard?.passed === false) {
    const tree = settled('failed');
    return { ...failed, ...taken, status, guard: 'fail', guardLog: guard.log, tree };
  }
  return {
    ...failed,
    ...taken,
    outcome: 'passed',
    status,
    guard: guard === null ? 'skipped' : 'pass',
    guardLog: guard?.log ?? null,
    tree: settled('passed'),
  };
}

/** The text of `tree.json` as the worker left it; null when it is no text. */
async function leftText({ git, left, place }: Work): Promise<string | null> {
  const bytes = await git.readFile(left.tree, place.tree, MAX_TREE_BYTES);
  if (bytes === null) return null;
  try {
    return textOf(bytes, place.tree);
  } catch {
    return null;
  }
}

/** What the next worker reads about a tree that was not accepted. */
function repairText(file: string, problems: readonly string[], left: string | null): string {
  const intro = `The task tree that the previous attempt left was not accepted, and ${file} is as it was before it:`;
  const lines = [intro, ...problems.map((problem) => `- ${problem}`)];
  lines.push(
    'The other files of that attempt were kept. Go on from them, and repair what the tree should say.',
  );
  if (left !== null)
    lines.push('', 'The tree that was not accepted:', cutToCharacters(left, 6_000, '\n[truncated]'));
  return `${lines.join('\n')}\n`;
}

function shorten(summary: string): string {
  return cutToCharacters(safeText(summary.trim()), MAX_SUMMARY, ' [truncated]');
}
