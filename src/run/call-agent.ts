import { writeFileAtomic } from '../platform/atomic-file.ts';
import { runContained } from '../platform/contained-process.ts';
import type { TreeSnapshot } from '../platform/git-run-tree.ts';
import type { ProcessOutcome } from '../platform/process-runner.ts';
import type { AgentAdapter, AgentAnswer, JsonSchemaObject } from './agents/agent-adapter.ts';
import { lastLineReporter } from './last-line.ts';
import { type RunContext, timeLeft } from './run-context.ts';

export interface AgentCall {
  readonly outcome: ProcessOutcome;
  readonly answer: AgentAnswer;
  /** The work tree as the agent left it. */
  readonly snapshot: TreeSnapshot;
}

/** A session of hours fits; a flood leaves its beginning and its end, where the answer stands. */
const KEPT_OUTPUT = { headBytes: 1_000_000, tailBytes: 8_000_000 };
/** Of the output, for people who want to know what went wrong. */
const SAVED_BYTES = 500_000;

/** Starts the agent on a prompt in the run's work tree and reads what it answered. */
export async function callAgent(
  context: RunContext,
  attempt: number,
  prompt: string,
  resume: string | null,
): Promise<AgentCall> {
  const { run, agent, tree, folder, schema, world, emit } = context;
  const native = nativeSchema(agent, schema.jsonSchema as JsonSchemaObject);
  const schemaFile = native !== null && agent.hasNativeSchema === 'file' ? `${folder}/schema.json` : null;
  if (schemaFile !== null) writeFileAtomic(schemaFile, JSON.stringify(native));
  writeFileAtomic(`${folder}/attempt-${attempt}.prompt.md`, prompt);
  const invocation = agent.start(prompt, {
    cwd: tree.path,
    permissions: context.permissions,
    model: context.model,
    flags: context.flags,
    schema: native,
    schemaFile,
    resume,
  });
  const started = world.monotonicMs();
  const result = await runContained(invocation.command, invocation.args, {
    run,
    folder: tree.path,
    cwd: tree.path,
    env: { ...context.agentEnv, ...invocation.env },
    input: invocation.stdin,
    timeoutMs: timeLeft(context),
    signal: context.signal,
    keepOutput: KEPT_OUTPUT,
    onStart: (pid) => emit({ type: 'agent-start', pid }),
    onOutput: lastLineReporter(world.monotonicMs, (line) => emit({ type: 'agent-output', line })),
  });
  // git looks at the tree while the output is read and saved.
  const looking = tree.snapshot();
  looking.catch(() => {});
  const durationMs = Math.round(world.monotonicMs() - started);
  const [stdout, stderr] = [result.stdout.toString('utf8'), result.stderr.toString('utf8')];
  writeFileAtomic(`${folder}/attempt-${attempt}.output.txt`, shown(stdout, stderr));
  const read = agent.read({ stdout, stderr, exitCode: result.exitCode, signal: result.signal });
  // An answer that happens to be JSON is no structured one: nobody asked for any.
  const answer = native === null ? { ...read, structured: undefined } : read;
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

/** Null when the prompt alone has to ask for the form. */
function nativeSchema(agent: AgentAdapter, schema: JsonSchemaObject): JsonSchemaObject | null {
  if (agent.hasNativeSchema === null) return null;
  return agent.nativeSchema ? agent.nativeSchema(schema) : schema;
}

function shown(stdout: string, stderr: string): string {
  const cut = (text: string) =>
    text.length <= SAVED_BYTES
      ? text
      : `${text.slice(0, SAVED_BYTES / 2)}\n[...]\n${text.slice(-SAVED_BYTES / 2)}`;
  return stderr === '' ? cut(stdout) : `${cut(stdout)}\n--- standard error ---\n${cut(stderr)}`;
}
