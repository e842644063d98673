import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import { type GateCommand, type GateReport, gateName, namesOf, type RunTree, runGate } from '../index.ts';

/** The work that the guard checks. */
export interface GuardRequest {
  readonly run: string;
  readonly tree: RunTree;
  /** The files as the worker left them. */
  readonly before: TreeSnapshot;
  /** The folder of the loop's own files beside git. They are not the worker's. */
  readonly context: string;
  readonly signal: AbortSignal;
}

/** How the guard judged the work of an iteration: the gates of the role, then the user's. */
export interface GuardOutcome {
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

/** Exit codes of a shell that cannot start a program. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);
const LOOKUP_MS = 10_000;
/** The program at the start of a command, after variables that are set for it. */
const FIRST_WORD = /^\s*(?:(?!PATH=)[A-Za-z_]\w*=[\w./:-]*\s+)*([\w][\w.+-]*)(?=\s|;|&|\||$)/;

/** Checks what the commit will hold: all other files are moved aside meanwhile. */
export async function runLoopGates(request: GuardRequest, setting: GateSetting): Promise<GuardOutcome> {
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
  { run, tree, before, signal }: GuardRequest,
  { gates, env, timeoutMs }: GateSetting,
): Promise<GuardOutcome> {
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

/** A guard that cannot run is not a fault of the worker. */
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
