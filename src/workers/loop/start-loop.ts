// `loadout loop start`: makes the tree from a goal, checks that its prompts fit, and commits the first state. On the
// main branch it makes a branch first.

import { describeSkip } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { wallClockMs as readWallClock } from '../../platform/clock.ts';
import { newRunId } from '../index.ts';
import { type BranchState, isMoving } from './loop-branch.ts';
import { contextPayload, gatherPromptInputs, parseGoal } from './loop-context.ts';
import { type LoopPlace, newRunState, renderRunState } from './loop-files.ts';
import { PromptBuilder } from './loop-prompt.ts';
import { type OpenLoop, withLoop } from './open-loop.ts';
import { needTree } from './read-task-tree.ts';
import {
  DEFAULT_MAX_ATTEMPTS,
  passParents,
  renderTree,
  type TreeNode,
  treeOutcome,
  walkTree,
} from './task-tree.ts';

/** Characters of the title in the name of a branch. */
const MAX_SLUG = 40;
/** For the goal file that goes into the first commit. */
const MAX_GOAL_BYTES = 1_000_000;

/** How to begin a loop. */
export interface StartRequest {
  /** The path of the repository. */
  readonly repository: string;
  readonly folder?: string | undefined;
  /** The goal in words, or a task tree in JSON; null uses the existing tree. */
  readonly goal: string | null;
  /** The file of the goal, relative to the repository. It goes into the first commit. */
  readonly goalFile?: string | undefined;
  readonly maxAttempts?: number | undefined;
  /** The branch to make and to work on. Without it one is made only when the main branch is checked out. */
  readonly branch?: string | undefined;
  /** The size of a prompt. A goal that is too large for it is refused. */
  readonly promptBytes?: number | undefined;
  /** Replace a tree that has not passed. */
  readonly replace?: boolean;
}

/** A loop that has begun. */
export interface StartedLoop {
  readonly folder: string;
  readonly runId: string;
  readonly tree: TreeNode;
  readonly commit: string;
  /** The name of the branch on which the loop works. */
  readonly branch: string;
  readonly isNewBranch: boolean;
}

/** Writes the state of a new loop and commits it. */
export function startLoop(
  request: StartRequest,
  wallClockMs: () => number = readWallClock,
): Promise<StartedLoop> {
  const begin = async (loop: OpenLoop): Promise<StartedLoop> => {
    const { place } = loop;
    // Refuse everything that cannot begin: other changes, a tree that is not finished, goals that are too large.
    const state = await loop.checkBranch({ mayLeave: true, goalFile: request.goalFile });
    const tree = treeFor(request, loop);
    checkRoom(place, tree, request.promptBytes);
    // Make a branch when the main branch is checked out, or when one was asked for.
    const name = await newBranch(loop, state, request.branch, tree.title);
    if (name !== null) await loop.git.leaveFor(name, state.head);
    const branch = name === null ? state : { ...state, branch: `refs/heads/${name}` };
    // Commit the tree, the state and empty notes. After a failure the user is back on the old branch.
    const runId = newRunId(wallClockMs());
    const files = new Map<string, string | Buffer>([
      [place.tree, renderTree(tree)],
      [place.runState, renderRunState(newRunState(runId))],
      [place.assumptions, place.readText(place.assumptions) ?? ''],
      [place.questions, place.readText(place.questions) ?? ''],
    ]);
    const message = `loadout loop: start\n\nRun: ${runId}\nGoal: ${tree.title}\n`;
    if (state.hasNewGoal) files.set(request.goalFile!, goalBytes(place, request.goalFile!));
    const commit = await loop.commit(branch, null, files, message, true).catch(async (error: unknown) => {
      if (name !== null && !isMoving(place))
        await loop.git.comeBack(state.branch === '' ? null : state.branch, name, state.head);
      throw error;
    });
    const short = branch.branch.replace(/^refs\/heads\//, '');
    return { folder: place.folder, runId, tree, commit, branch: short, isNewBranch: name !== null };
  };
  return withLoop(request.repository, request.folder, begin, true);
}

/** The content of the goal file, for the first commit. */
function goalBytes(place: LoopPlace, path: string): Buffer {
  const read = place.root.readHead(path, MAX_GOAL_BYTES);
  if (read.kind === 'content') return read.bytes;
  throw new LoadoutError('unreadable', `${path} cannot be committed: ${describeSkip(read.reason)}`, {
    subject: path,
    hint: 'commit the file first, or give the goal in words',
  });
}

/** Refuses a node whose prompt would be too large, before the loop begins. */
function checkRoom(place: LoopPlace, tree: TreeNode, promptBytes: number | undefined): void {
  const builder = new PromptBuilder(promptBytes);
  for (const { node, above } of walkTree(tree)) {
    if (node.children.length > 0 || node.passes) continue;
    const state = { last_status: null, last_summary: null, last_guard: null };
    const context = contextPayload({ node, state, failureLog: null });
    builder.build(gatherPromptInputs(place, tree, { node, path: [...above, node] }, context));
  }
}

/** The name of the branch to make; null to stay on the current one. */
async function newBranch(
  { git }: OpenLoop,
  { branch, mustLeave }: BranchState,
  asked: string | undefined,
  title: string,
): Promise<string | null> {
  if (asked !== undefined) {
    if (`refs/heads/${asked}` === branch && !mustLeave) return null;
    if (!(await git.isBranchName(asked)))
      throw badBranch(asked, 'is not a name for a branch', 'choose another');
    if ((await git.branchHead(asked)) === null) return asked;
    throw badBranch(asked, 'exists already', `switch to it first: git switch ${asked}`);
  }
  if (!mustLeave) return null;
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
  const name = `loadout/loop-${slug || 'goal'}`;
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    if ((await git.branchHead(numbered)) === null) return numbered;
  }
}

function badBranch(name: string, why: string, hint: string): LoadoutError {
  return new LoadoutError('bad-branch', `--branch: ${JSON.stringify(name)} ${why}`, {
    subject: '--branch',
    hint,
  });
}

/** The first tree: one made from the goal, or the existing one. */
function treeFor({ goal, maxAttempts, replace }: StartRequest, { place }: OpenLoop): TreeNode {
  const existing = place.readText(place.tree);
  if (goal === null) {
    if (existing !== null) return passParents(needTree(existing, place.tree));
    throw new LoadoutError('no-goal', 'there is neither a goal nor a task tree', {
      hint: `give --goal TEXT or --goal FILE, or write ${place.tree}`,
    });
  }
  if (existing !== null && !replace && treeOutcome(needTree(existing, place.tree)) !== 'passed') {
    throw new LoadoutError('loop-exists', `${place.tree} holds a tree that has not passed yet`, {
      subject: place.tree,
      hint: 'go on with it (loadout loop run), or give it up: loadout loop start --replace --goal ...',
    });
  }
  if (goal.trimStart().startsWith('{'))
    return passParents(needTree(goal, 'the goal', 'correct the JSON of the goal'));
  return {
    id: 'root',
    order: 0,
    ...parseGoal(goal),
    passes: false,
    attempts: 0,
    max_attempts: maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    children: [],
  };
}
