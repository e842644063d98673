import type { AgentAnswer } from '../agents/agent-adapter.ts';
import { OWNER_ONLY, writeFileAtomic } from '../platform/fs/atomic-file.ts';
import type { TreeSnapshot } from '../platform/git/git-run-tree.ts';
import type { ProcessOutcome } from '../platform/process/process-runner.ts';
import { safeText } from '../redact/outgoing-text.ts';
import type { RunContext } from './run-context.ts';
import type { StartedAgent } from './start-agent.ts';

export interface AgentCall {
  readonly outcome: ProcessOutcome;
  readonly answer: AgentAnswer;
  /** The work tree as the agent left it. */
  readonly snapshot: TreeSnapshot;
}

/** Of the output, for people who want to know what went wrong. */
const SAVED_BYTES = 500_000;

/** Has an agent that waits for it work on a prompt, and reads what it answered. */
export async function callAgent(
  context: RunContext,
  worker: StartedAgent,
  attempt: number,
  prompt: string,
): Promise<AgentCall> {
  const { agent, tree, folder, world, emit } = context;
  const started = world.monotonicMs();
  worker.hand(prompt);
  if (worker.pid !== null) emit({ type: 'agent-start', pid: worker.pid });
  writeFileAtomic(`${folder}/attempt-${attempt}.prompt.md`, prompt, OWNER_ONLY);
  const result = await worker.result;
  // git looks at the tree while the output is read and saved.
  const looking = tree.snapshot();
  looking.catch(() => {});
  const durationMs = Math.round(world.monotonicMs() - started);
  const [stdout, stderr] = [result.stdout.toString('utf8'), result.stderr.toString('utf8')];
  writeFileAtomic(`${folder}/attempt-${attempt}.output.txt`, shown(stdout, stderr), OWNER_ONLY);
  const read = agent.read({ stdout, stderr, exitCode: result.exitCode, signal: result.signal });
  // An answer that happens to be JSON is no structured one: nobody asked for any.
  const answer = worker.isStructured ? read : { ...read, structured: undefined };
  emit({
    type: 'agent-end',
    exitCode: result.exitCode,
    durationMs,
    omittedBytes: result.omittedBytes,
    usage: answer.usage,
    costUsd: answer.costUsd,
    error: answer.error,
  });
  return { outcome: result.outcome, answer, snapshot: await looking };
}

function shown(stdout: string, stderr: string): string {
  const cut = (whole: string) => shorten(safeText(whole));
  return stderr === '' ? cut(stdout) : `${cut(stdout)}\n--- standard error ---\n${cut(stderr)}`;
}

function shorten(text: string): string {
  return text.length <= SAVED_BYTES
    ? text
    : `${text.slice(0, SAVED_BYTES / 2)}\n[...]\n${text.slice(-SAVED_BYTES / 2)}`;
}
