// The text that one iteration starts with: the files of `context/` and the parts of the prompt. Exported for runners
// other than `runTaskTree`, too.
import { keepEnds } from '../../context/fit/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { makeFolderInside, replaceFolder } from '../../platform/fs/make-folder.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { safeText } from '../../redact/index.ts';
import { badArgument } from '../../schema/value-issues.ts';
import {
  type LoopPlace,
  type LoopState,
  loadState,
  openLoopPlace,
  type RunState,
  readFailure,
} from './loop-files.ts';
import { type SelectedLeaf, selectLeaf, summarizeTree, type TreeNode } from './task-tree.ts';

/** Names a loop. */
export interface LoopFolder {
  /** The root of the repository. */
  readonly repo: string;
  /** The folder of the loop; without it `.loadout/loop`, else `.runner` if it exists. */
  readonly folder?: string;
}

/**
 * Clears `context/` of a loop and writes it anew for the next open leaf: `goal.md`, `history.md` after a retry,
 * `failure.md` after a failed gate. Returns the files by name. For a runner of your own; `runTaskTree` does it itself.
 */
export function writeContext(loop: LoopFolder): ContextPayload {
  const { place, payload } = nextIteration(loop);
  writeContextFiles(place, payload);
  return payload;
}

/** Reads the parts of the prompt for the next open leaf from the files of the loop. */
export function readPromptInputs(loop: LoopFolder): PromptInputs {
  const { place, state, selected, payload } = nextIteration(loop);
  return gatherPromptInputs(place, state.tree, selected, payload);
}

/** Reads the state of a loop and selects the leaf that is next. */
function nextIteration(loop: LoopFolder): {
  place: LoopPlace;
  state: LoopState;
  selected: SelectedLeaf;
  payload: ContextPayload;
} {
  // A JavaScript program may give anything.
  const { repo, folder } = loop ?? {};
  if (typeof repo !== 'string' || repo === '') throw badArgument('repo', repo, 'the path of a repository');
  if (folder !== undefined && typeof folder !== 'string')
    throw badArgument('folder', folder, 'the path of a folder in the repository');
  const place = openLoopPlace(openSafeRoot(repo), folder);
  const state = loadState(place);
  const selected = selectLeaf(state.tree);
  if (selected === null) {
    throw new LoadoutError('loop-passed', `every node of ${place.tree} passes: nothing is left to do`, {
      subject: place.tree,
      hint: 'start another loop: loadout loop start --goal "Describe the goal"',
    });
  }
  const { run_id: runId, next_iter: number, last_guard: lastVerdict } = state.runState;
  const failureLog = lastVerdict === 'fail' ? readFailure(place, runId, number - 1) : null;
  const sources = { node: selected.node, state: state.runState, failureLog, folder: place.context };
  return { place, state, selected, payload: contextPayload(sources) };
}

/** The files of `context/` by name, for one iteration. */
export type ContextPayload = ReadonlyMap<ContextFile, string>;
/** `failure.log` exists when `failure.md` holds only a part of it. */
export type ContextFile = 'goal.md' | 'history.md' | 'failure.md' | 'failure.log';

/** The first line of `history.md`. The prompt replaces it by the heading of a fenced block. */
export const HISTORY_HEADING = '# History (previous attempt)';
export const FAILURE_HEADING = '# Failure (previous attempt)';

/** Of a log, the beginning and the end are shown: they are the most useful parts. */
const FAILURE_HEAD_BYTES = 4_000;
const FAILURE_TAIL_CHARACTERS = 8_000;

/** The values that the files of `context/` are made from. */
interface ContextSources {
  readonly node: Pick<TreeNode, 'title' | 'goal' | 'acceptance'>;
  readonly state: Pick<RunState, 'last_status' | 'last_summary' | 'last_guard'>;
  /** `failure.log` of the iteration before, else its `guard.log`; null when neither exists. */
  readonly failureLog: string | null;
  /** The path of the folder, as a worker sees it. */
  readonly folder?: string;
}

/** The content of `context/` for one iteration: the goal, and what went wrong in the attempt before. */
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

/** Clears `context/` and writes it anew. A crash never leaves files of two iterations in it. */
export function writeContextFiles(place: LoopPlace, payload: ContextPayload): void {
  const parent = makeFolderInside(place.root.path, place.folder);
  replaceFolder(`${parent}/context`, payload);
}

/** The parts of a prompt; null for those that are empty. */
export interface PromptInputs {
  readonly paths: Pick<LoopPlace, 'tree' | 'assumptions' | 'questions' | 'context'>;
  readonly goal: string;
  /** The last worker's own summary, after a retry. */
  readonly history: string | null;
  /** The output of the gates, after one failed. */
  readonly failure: string | null;
  readonly selected: SelectedLeaf;
  /** The tree in at most 80 lines, around the selected node. */
  readonly treeSummary: string;
  readonly assumptions: string | null;
  readonly questions: string | null;
  /** The context package for the node; null when it is switched off or empty. */
  readonly contextPackage: string | null;
  /** Why the last answer was refused. It comes after the output contract. */
  readonly feedback?: string;
}

/** Collects the parts of a prompt. The package is added later, because it gets the room that is left. */
export function gatherPromptInputs(
  place: LoopPlace,
  tree: TreeNode,
  selected: SelectedLeaf,
  context: ContextPayload,
): PromptInputs {
  return {
    paths: place,
    goal: context.get('goal.md') ?? '',
    history: context.get('history.md') ?? null,
    failure: context.get('failure.md') ?? null,
    selected,
    treeSummary: summarizeTree(tree, selected.node.id),
    assumptions: notEmpty(place.readText(place.assumptions)),
    questions: notEmpty(place.readText(place.questions)),
    contextPackage: null,
  };
}

function notEmpty(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

/** The words of a goal. */
type GoalText = Pick<TreeNode, 'title' | 'goal' | 'acceptance'>;

/** Characters. A title becomes part of commit messages and branch names. */
const MAX_TITLE = 200;

/** Title, goal and acceptance, as `goal.md` and the prompt show them. */
export function goalLines({ title, goal, acceptance }: GoalText): readonly string[] {
  return [`title: ${title}`, `goal: ${goal}`, 'acceptance:', ...acceptance.map((line) => `- ${line}`)];
}

/**
 * Reads the user's text about a goal: the lines of a `goal.md`, or any text with a title in its first line. A list under
 * "acceptance" says when the goal is reached.
 */
export function parseGoal(text: string): GoalText {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const acceptanceAt = lines.findIndex((line) => /^#*\s*acceptance\b[\w ]*:?\s*$/i.test(line.trim()));
  const head = (acceptanceAt === -1 ? lines : lines.slice(0, acceptanceAt)).join('\n').trim();
  const listed = acceptanceAt === -1 ? [] : lines.slice(acceptanceAt + 1);
  const acceptance = listed.flatMap((line) => {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/i.exec(line)?.[1] ?? '';
    return item.trim() === '' ? [] : [oneLine(item)];
  });
  const named = /^(?:#\s*Goal\s*\n+)?title:[ \t]*(.+)\n+goal:[ \t]*([\s\S]*)$/i.exec(head);
  if (named) return { title: oneLine(named[1]!), goal: named[2]!.trim(), acceptance };
  const [first = '', ...rest] = head.split('\n');
  const title = oneLine(first.replace(/^#+\s*/, ''));
  if (title === '') {
    throw new LoadoutError('empty-goal', 'the goal is empty', {
      hint: 'describe the goal in a sentence',
    });
  }
  return { title, goal: rest.join('\n').trim() || first.replace(/^#+\s*/, '').trim(), acceptance };
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  const line = text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029\s]+/g, ' ').trim();
  return [...line].slice(0, MAX_TITLE).join('');
}
