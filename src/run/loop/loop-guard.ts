import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { gateName, runGate } from '../gates/run-gate.ts';
import type { GateReport } from '../run-event.ts';
import type { GateCommand } from '../run-request.ts';
import type { GuardOutcome, GuardRequest } from './loop-world.ts';

export interface GuardSetting {
  readonly gates: readonly GateCommand[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs the checks one after the other, by the rules of gates; the first that fails is what the next worker hears of. */
export async function runLoopGuard(request: GuardRequest, setting: GuardSetting): Promise<GuardOutcome> {
  const { run, tree, before, signal } = request;
  const { gates, env, timeoutMs } = setting;
  const log: string[] = [];
  for (const gate of gates) {
    const report = await runGate(gate, before.tree, { run, tree, env, timeoutMs, signal, monotonicMs });
    signal.throwIfAborted();
    if (report.why === 'not-found') {
      throw new LoadoutError('guard-not-found', `the guard ${gateName(gate)} could not be started`, {
        subject: gateName(gate),
        hint: 'name a program that is installed; the attempt does not count',
      });
    }
    log.push(describe(report));
    if (!report.passed) return { passed: false, log: `${log.at(-1)}\n` };
  }
  return { passed: true, log: `${log.join('\n\n')}\n` };
}

function describe({ gate, passed, why, exitCode, output }: GateReport): string {
  const end = passed
    ? 'passed'
    : why === 'exit-code'
      ? `failed with exit code ${exitCode}`
      : `failed: ${why}`;
  return `$ ${gate}\n${output === '' ? '' : `${output}\n`}(${end})`;
}
