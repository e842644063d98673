// One call of the agent's command line program: which process to start, how it is contained, and where its output goes.
import type { AgentAnswer, AgentWorker, JsonSchemaObject } from '../agents/index.ts';
import { OWNER_ONLY, writeFileAtomic } from '../platform/fs/atomic-file.ts';
import type { TreeSnapshot } from '../platform/git/git-run-tree.ts';
import { runContained } from '../platform/process/contained-process.ts';
import type { ProcessOutcome } from '../platform/process/process-runner.ts';
import { safeLine, safeText } from '../redact/index.ts';
import { type RunContext, timeLeft } from './run-request.ts';

/** How one call of the agent ended. */
export interface AgentCall {
  /** How the process ended: by itself, by a timeout, or because the run was cancelled. */
  readonly outcome: ProcessOutcome;
  readonly answer: AgentAnswer;
  /** The work tree as the agent left it. */
  readonly snapshot: TreeSnapshot;
}

/** The process of a call, and whether it was given the schema of the answer. */
interface PlannedCall extends ReturnType<AgentWorker['start']> {
  readonly isStructured: boolean;
}

/** Enough for a session of hours. Of a flood the beginning and the end are kept; the answer is at the end. */
const KEPT_OUTPUT = { headBytes: 1_000_000, tailBytes: 8_000_000 };
/** Characters of the beginning and of the end of the output that are saved in the run's folder, for people who look for what went wrong. */
const SAVED_AT_EACH_END = 250_000;
/** Secrets are shorter than this. */
const MAX_SECRET_CHARACTERS = 64_000;

/**
 * Decides which process to start. `resume` is the session that the agent continues; null for a new one. Throws when the
 * repository has files that the agent would obey.
 */
export function planCall(context: RunContext, resume: string | null): PlannedCall {
  const { agent, tree, folder, permissions, model, flags } = context;
  const schema = nativeSchema(agent, context.schema.jsonSchema as JsonSchemaObject);
  // Some CLIs read the schema from a file.
  const schemaFile = schema !== null && agent.hasNativeSchema === 'file' ? `${folder}/schema.json` : null;
  if (schemaFile !== null) writeFileAtomic(schemaFile, JSON.stringify(schema));
  const start = { cwd: tree.path, permissions, model, flags, schema, schemaFile, resume };
  return { ...agent.start(start), isStructured: schema !== null };
}

/** Starts the agent in the run's work tree, gives it the prompt on standard input and reads its answer. */
export async function callAgent(
  context: RunContext,
  call: PlannedCall,
  attempt: number,
  prompt: string,
): Promise<AgentCall> {
  const { run, agent, tree, folder, environment, emit } = context;

  // Run it. Nothing that it starts outlives it.
  writeFileAtomic(`${folder}/attempt-${attempt}.prompt.md`, prompt, OWNER_ONLY);
  const started = environment.monotonicMs();
  const result = await runContained(call.command, call.args, {
    run,
    folder: tree.path,
    cwd: tree.path,
    env: { ...context.agentEnv, ...call.env },
    input: prompt,
    timeoutMs: timeLeft(context),
    signal: context.signal,
    keepOutput: KEPT_OUTPUT,
    onStart: (pid) => emit({ type: 'agent-start', pid }),
    onOutput: lastLineReporter(environment.monotonicMs, (line) => emit({ type: 'agent-output', line })),
  });
  const durationMs = Math.round(environment.monotonicMs() - started);

  // Save its output, and read the answer from it.
  const [stdout, stderr] = [result.stdout.toString('utf8'), result.stderr.toString('utf8')];
  writeFileAtomic(`${folder}/attempt-${attempt}.output.txt`, shownOutput(stdout, stderr), OWNER_ONLY);
  const read = agent.read({ stdout, stderr, exitCode: result.exitCode, signal: result.signal });
  // An answer that happens to be JSON is not a structured one unless a schema was given.
  const answer = call.isStructured ? read : { ...read, structured: undefined };
  emit({
    type: 'agent-end',
    exitCode: result.exitCode,
    durationMs,
    omittedBytes: result.omittedBytes,
    usage: answer.usage,
    costUsd: answer.costUsd,
    error: answer.error,
  });
  return { outcome: result.outcome, answer, snapshot: await tree.snapshot() };
}

/** The schema as the agent's service takes it; null when only the prompt can ask for the form of the answer. */
function nativeSchema(agent: AgentWorker, schema: JsonSchemaObject): JsonSchemaObject | null {
  if (agent.hasNativeSchema === null) return null;
  return agent.nativeSchema ? agent.nativeSchema(schema) : schema;
}

/** Between two lines of output that are reported. */
const REPORT_EVERY_MS = 200;
/** Characters of a reported line. */
const MAX_LINE = 300;

/** Reports the last line of the output, a few times a second: a flood is not worth an event for each line. */
function lastLineReporter(now: () => number, report: (line: string) => void) {
  let last = Number.NEGATIVE_INFINITY;
  return (_stream: 'stdout' | 'stderr', chunk: Buffer): void => {
    const time = now();
    if (time - last < REPORT_EVERY_MS) return;
    const end = chunk.subarray(-4 * MAX_LINE).toString('utf8');
    const line = end.split('\n').findLast((one) => one.trim() !== '');
    if (line === undefined) return;
    last = time;
    report(safeLine(line.trim()).slice(0, MAX_LINE));
  };
}

/** The output for the file in the run folder, without secrets. */
function shownOutput(stdout: string, stderr: string): string {
  return stderr === '' ? saved(stdout) : `${saved(stdout)}\n--- standard error ---\n${saved(stderr)}`;
}

/** The beginning and the end, because an error is in one of them. */
function saved(text: string): string {
  if (text.length <= 2 * SAVED_AT_EACH_END) return safeText(text);
  // Nothing looks for secrets in the middle. The cut may divide one, so what is beside the cut is not shown.
  const searched = SAVED_AT_EACH_END + MAX_SECRET_CHARACTERS;
  const begin = safeText(text.slice(0, searched)).slice(0, -MAX_SECRET_CHARACTERS);
  const end = safeText(text.slice(-searched)).slice(MAX_SECRET_CHARACTERS);
  return `${begin.slice(0, SAVED_AT_EACH_END)}\n[...]\n${end.slice(-SAVED_AT_EACH_END)}`;
}
