import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import { gateName, runGate } from '../gates/run-gate.ts';
import type { GateReport } from '../run-event.ts';
import type { GateCommand } from '../run-request.ts';
import type { GuardOutcome, GuardRequest } from './loop-world.ts';

export interface GuardSetting {
  readonly gates: readonly GateCommand[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Of each of the two streams of a guard: 9 MB in all. */
const KEPT_OUTPUT = { headBytes: 1_000_000, tailBytes: 3_500_000 };
/** What a shell says when it cannot start a program. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);
const LOOKUP_MS = 10_000;
/** The program that a command begins with, behind variables that are set for it. */
const FIRST_WORD = /^\s*(?:(?!PATH=)[A-Za-z_]\w*=[\w./:-]*\s+)*([\w][\w.+-]*)(?=\s|;|&|\||$)/;

/** Runs the checks one after the other, by the rules of gates; the first that fails is what the next worker hears of. */
export async function runLoopGuard(request: GuardRequest, setting: GuardSetting): Promise<GuardOutcome> {
  const { run, tree, before, signal } = request;
  const { gates, env, timeoutMs } = setting;
  const log: string[] = [];
  for (const gate of gates) {
    let output = '';
    const report = await runGate(gate, before.tree, {
      ...{ run, tree, env, timeoutMs, signal, monotonicMs },
      keepOutput: KEPT_OUTPUT,
      onOutput: (text, omittedBytes) => {
        output = omittedBytes > 0 ? `${text}\n[${omittedBytes} bytes in the middle are not kept]` : text;
      },
    });
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

/** Refuses checks whose program does not exist, before a worker is paid. What only a shell can tell is left to it. */
export async function checkGuards({ gates, env }: GuardSetting, folder: string): Promise<void> {
  for (const gate of gates) {
    const word = typeof gate === 'string' ? FIRST_WORD.exec(gate)?.[1] : gate[0];
    // A program of the repository may be written by a worker.
    if (word === undefined || word.includes('/')) continue;
    const { outcome, exitCode } = await runProcess('/bin/sh', ['-c', 'command -v "$1"', 'sh', word], {
      cwd: folder,
      env,
      timeoutMs: LOOKUP_MS,
    });
    if (outcome === 'exited' && exitCode !== 0) throw notStarted(gate, `there is no program ${word}`);
  }
}

function notStarted(gate: GateCommand, why: string): LoadoutError {
  return new LoadoutError('guard-not-found', `the guard "${gateName(gate)}" cannot run: ${why}`, {
    subject: gateName(gate),
    hint: 'correct the command, or install the program; no attempt is counted',
  });
}

function describe({ gate, passed, why, exitCode, output }: GateReport, whole: string): string {
  const end = passed
    ? 'passed'
    : why === 'exit-code'
      ? `failed with exit code ${exitCode}`
      : `failed: ${why}`;
  // A gate that changed files says so behind its output.
  const all = why === 'changed-the-tree' && !output.startsWith('[...]') ? output : whole;
  return `$ ${gate}\n${all === '' ? '' : `${all}\n`}(${end})`;
}
