import { runContained } from '../../platform/process/contained-process.ts';
import type { OutputLimits } from '../../platform/process/kept-output.ts';
import type { ProcessResult } from '../../platform/process/process-runner.ts';
import { safeText } from '../../redact/outgoing-text.ts';
import type { GateReport } from '../run-event.ts';
import type { GateCommand } from '../run-request.ts';
import type { RunTree } from '../worktrees/run-tree.ts';

export interface GateSetting {
  readonly run: string;
  readonly tree: Pick<RunTree, 'path' | 'snapshot' | 'restore'>;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly monotonicMs: () => number;
  /** How much of each stream is kept for `onOutput`. */
  readonly keepOutput?: OutputLimits;
  /** Gets all that was kept; a report holds what a model can use. */
  readonly onOutput?: (output: string, omittedBytes: number) => void;
}

const KEPT_OUTPUT = { headBytes: 4_000, tailBytes: 64_000 };
/** Of the output: what a model can use to see what went wrong. */
const SHOWN_BYTES = 8_000;

export function gateName(gate: GateCommand): string {
  return typeof gate === 'string' ? gate : gate.join(' ');
}

/** Runs one gate in the work tree. It passes when it ends with 0 and leaves the files as `before` says. */
export async function runGate(gate: GateCommand, before: string, setting: GateSetting): Promise<GateReport> {
  const { run, tree, env, timeoutMs, signal, monotonicMs } = setting;
  const [command = '', ...args] = typeof gate === 'string' ? ['/bin/sh', '-c', gate] : gate;
  const started = monotonicMs();
  const result = await runContained(command, args, {
    run,
    folder: tree.path,
    cwd: tree.path,
    env,
    timeoutMs,
    signal,
    keepOutput: setting.keepOutput ?? KEPT_OUTPUT,
  });
  setting.onOutput?.(allOutput(result), result.omittedBytes);
  const durationMs = Math.round(monotonicMs() - started);
  const report = (why: GateReport['why'], output = outputOf(result)): GateReport => ({
    gate: gateName(gate),
    passed: why === null,
    why,
    exitCode: result.exitCode,
    durationMs,
    output,
  });
  if (result.outcome === 'aborted') return report('cancelled');
  if (result.outcome === 'timed-out') return report('timed-out');
  if (result.outcome === 'not-found') return report('not-found');
  if (result.exitCode !== 0) return report('exit-code');
  const { tree: after } = await tree.snapshot();
  if (after === before) return report(null);
  // What a gate writes is not the agent's work.
  await tree.restore(before);
  return report(
    'changed-the-tree',
    `${outputOf(result)}\nThe command changed files of the work tree.`.trim(),
  );
}

function allOutput({ stdout, stderr }: ProcessResult): string {
  const said = [stdout.toString('utf8').trimEnd(), stderr.toString('utf8').trimEnd()]
    .filter(Boolean)
    .join('\n');
  return safeText(said);
}

function outputOf(result: ProcessResult): string {
  const whole = allOutput(result);
  return whole.length <= SHOWN_BYTES ? whole : `[...]\n${whole.slice(-SHOWN_BYTES)}`;
}
