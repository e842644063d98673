// Judges the work of an iteration: the answer, the task tree that the worker left, and the gates: those of the role and
// the user's own command (`--guard`).
import { cutToCharacters } from '../../context/fit/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import { safeText } from '../../redact/index.ts';
import { type GateCommand, type GateReport, gateName, namesOf, type RunTree, runGate } from '../index.ts';
import type { WorkerOutcome } from './loop-environment.ts';
import { type GatesVerdict, type LoopPlace, type LoopStatus, textOf } from './loop-files.ts';
import type { LoopGit } from './loop-git.ts';
import { checkTreeChange, readTree } from './read-task-tree.ts';
import { finishNode, type TreeNode } from './task-tree.ts';

/** The result of an iteration. */
export interface Judgement {
  /** `repair`: the worker left a tree that cannot be used. The next iteration gets a list of its mistakes. */
  readonly outcome: 'passed' | 'failed' | 'decomposed' | 'repair';
  readonly status: LoopStatus;
  /** The worker's own words, cut to 4,000 characters. The next worker reads them after a retry. */
  readonly summary: string;
  /** Named as in `meta.json`. */
  readonly guard: GatesVerdict;
  readonly tree: TreeNode;
  /** The tree that the worker left; null when it cannot be read. */
  readonly leftTree: string | null;
  /** The whole output of the gates; null when they did not run. */
  readonly gatesLog: string | null;
  /** For the next worker, when there is more to say than the gates printed. */
  readonly failureLog: string | null;
  /** Whether the files of the worker go into the commit. */
  readonly takesWork: boolean;
}

/** The work of an iteration that is judged. */
interface Work {
  readonly place: LoopPlace;
  readonly git: LoopGit;
  /** The task tree before the worker changed it. */
  readonly before: TreeNode;
  /** The id of the node that the worker worked on. */
  readonly selected: string;
  readonly left: TreeSnapshot;
  readonly runGates: (() => Promise<GatesOutcome>) | null;
}

/** A larger `tree.json` is not accepted. */
const MAX_TREE_BYTES = 256 * 1024;
const MAX_SUMMARY = 4_000;

/**
 * Judges the work of an iteration. The order decides: a missing answer, a task tree that is not accepted, the status that
 * the worker chose, and at last the gates.
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
    gatesLog: null,
    failureLog: null,
  } as const;
  // No answer: the attempt counts, and its files are dropped, because nothing says what they are.
  if (outcome.kind === 'no-answer')
    return { ...failed, summary: shorten(outcome.message), leftTree: null, takesWork: false };
  const { status } = outcome.answer;
  const summary = shorten(outcome.answer.summary);
  // A tree that cannot be used: the other files are kept, and the next worker is told how to repair the tree.
  const leftTree = await leftText(work);
  const read = leftTree === null ? null : readTree(leftTree, place.tree);
  const problems =
    read === null
      ? [`${place.tree} is missing, not a text file, or too large`]
      : read.kind === 'invalid'
        ? read.problems
        : checkTreeChange(before, read.tree, selected, status);
  if (read?.kind !== 'tree' || problems.length > 0) {
    const failureLog = repairText(place.tree, problems, leftTree);
    return { ...failed, outcome: 'repair', summary, guard: 'fail', failureLog, leftTree, takesWork: true };
  }
  // A node that was split or that needs another try is not done, so the gates have nothing to check.
  const taken = { summary, leftTree, takesWork: true } as const;
  const settled = (result: Parameters<typeof finishNode>[2]) => finishNode(read.tree, selected, result);
  if (status === 'decomposed')
    return { ...failed, ...taken, outcome: 'decomposed', status, tree: settled('open') };
  if (status === 'retry') return { ...failed, ...taken, tree: settled('failed') };
  // The worker says that it is done: the gates decide.
  const gates = (await work.runGates?.()) ?? null;
  if (gates?.passed === false) {
    const tree = settled('failed');
    return { ...failed, ...taken, status, guard: 'fail', gatesLog: gates.log, tree };
  }
  return {
    ...failed,
    ...taken,
    outcome: 'passed',
    status,
    guard: gates === null ? 'skipped' : 'pass',
    gatesLog: gates?.log ?? null,
    tree: settled('passed'),
  };
}

/** The text of `tree.json` as the worker left it; null when it is not text. */
async function leftText({ git, left, place }: Work): Promise<string | null> {
  const bytes = await git.readFile(left.tree, place.tree, MAX_TREE_BYTES);
  if (bytes === null) return null;
  try {
    return textOf(bytes, place.tree);
  } catch {
    return null;
  }
}

/** The text for the next worker about a tree that was not accepted. */
function repairText(file: string, problems: readonly string[], left: string | null): string {
  const intro = `The task tree that the previous attempt left was not accepted, and ${file} is as it was before it:`;
  const lines = [intro, ...problems.map((problem) => `- ${problem}`)];
  lines.push('The other files of that attempt were kept. Continue from them, and correct the tree.');
  if (left !== null)
    lines.push('', 'The tree that was not accepted:', cutToCharacters(left, 6_000, '\n[truncated]'));
  return `${lines.join('\n')}\n`;
}

function shorten(summary: string): string {
  return cutToCharacters(safeText(summary.trim()), MAX_SUMMARY, ' [truncated]');
}

/** The work that the gates check. */
export interface GatesRequest {
  /** Marks the processes of the gates, so that all of them end with the gates. */
  readonly run: string;
  readonly tree: RunTree;
  /** The files as the worker left them. */
  readonly before: TreeSnapshot;
  /** The folder of the loop's own files beside git. They are not the worker's. */
  readonly context: string;
  readonly signal: AbortSignal;
}

/** How the gates judged the work of an iteration: those of the role, then the user's. */
export interface GatesOutcome {
  readonly passed: boolean;
  /** The whole output. */
  readonly log: string;
}

/** The checks, and how they run. */
interface GateSetting {
  readonly gates: readonly GateCommand[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Exit codes of a shell that cannot start a program: not executable, not found. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);
/** For one `command -v`, in milliseconds. */
const LOOKUP_MS = 10_000;
/** The program at the start of a command, after variables that are set for it. */
const FIRST_WORD = /^\s*(?:(?!PATH=)[A-Za-z_]\w*=[\w./:-]*\s+)*([\w][\w.+-]*)(?=\s|;|&|\||$)/;

/** Runs the gates on the files that the commit will hold. All other files are moved aside meanwhile. */
export async function runLoopGates(request: GatesRequest, setting: GateSetting): Promise<GatesOutcome> {
  const { tree, context } = request;
  const aside = (await tree.setAside()).filter((name) => name !== context && !name.startsWith(`${context}/`));
  try {
    const outcome = await runChecks(request, setting);
    if (outcome.passed || aside.length === 0) return outcome;
    const note = `The check ran without files that are not part of the commit: ${namesOf(aside)}`;
    return { ...outcome, log: `${outcome.log}${note}\n` };
  } finally {
    tree.bringBack();
  }
}

/** Runs the checks one after the other, by the rules of gates. The next worker reads the output of the first that fails. */
async function runChecks(
  { run, tree, before, signal }: GatesRequest,
  { gates, env, timeoutMs }: GateSetting,
): Promise<GatesOutcome> {
  const log: string[] = [];
  for (const gate of gates) {
    const setting = { run, tree, env, timeoutMs, signal, monotonicMs };
    const { report, output } = await runGate(gate, before.tree, setting);
    signal.throwIfAborted();
    if (report.why === 'not-found') throw notStarted(gate, 'it was not found');
    if (report.why === 'exit-code' && NOT_STARTED.has(report.exitCode)) {
      const last = report.output.trimEnd().split('\n').at(-1) ?? '';
      throw notStarted(gate, `exit code ${report.exitCode}${last === '' ? '' : `: ${last}`}`);
    }
    log.push(describe(report, output));
    if (!report.passed) return { passed: false, log: `${log.at(-1)}\n` };
  }
  return { passed: true, log: `${log.join('\n\n')}\n` };
}

/** Refuses checks whose program does not exist, before a worker is paid. Shell built-ins and the like are left to the shell. */
export async function checkGates({ gates, env }: GateSetting, folder: string): Promise<void> {
  for (const gate of gates) {
    // The shell would run nothing and pass.
    if (gateName(gate).trim() === '') throw notStarted(gate, 'it is empty');
    const word = typeof gate === 'string' ? FIRST_WORD.exec(gate)?.[1] : gate[0];
    // A worker may write a program of the repository later.
    if (word === undefined || word.includes('/')) continue;
    const { outcome, exitCode } = await runProcess('/bin/sh', ['-c', 'command -v "$1"', 'sh', word], {
      cwd: folder,
      env,
      timeoutMs: LOOKUP_MS,
    });
    if (outcome === 'exited' && exitCode !== 0) throw notStarted(gate, `there is no program ${word}`);
  }
}

/** A gate that cannot run is not a fault of the worker. */
function notStarted(gate: GateCommand, why: string): LoadoutError {
  return new LoadoutError('guard-not-found', `the guard "${gateName(gate)}" cannot run: ${why}`, {
    subject: gateName(gate),
    hint: 'correct the command, or install the program; no attempt is counted',
  });
}

/** A check as the log shows it: the command, its output and how it ended. */
function describe({ gate, passed, why, exitCode }: GateReport, output: string): string {
  const end = passed
    ? 'passed'
    : why === 'exit-code'
      ? `failed with exit code ${exitCode}`
      : `failed: ${why}`;
  return `$ ${gate}\n${output === '' ? '' : `${output}\n`}(${end})`;
}
