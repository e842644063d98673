import type { AgentWorker, JsonSchemaObject } from '../agents/agent-worker.ts';
import { writeFileAtomic } from '../platform/fs/atomic-file.ts';
import { runContained } from '../platform/process/contained-process.ts';
import type { ProcessResult } from '../platform/process/process-runner.ts';
import { safeLine } from '../redact/outgoing-text.ts';
import { type RunContext, timeLeft } from './run-context.ts';

/** An agent's process, which waits for its prompt. */
export interface StartedAgent {
  /** Null when there is no such program: the result says more. */
  readonly pid: number | null;
  /** It was asked for an answer in the form of the schema. */
  readonly isStructured: boolean;
  readonly result: Promise<ProcessResult>;
  hand(prompt: string): void;
  /** Ends it, with everything that it started. */
  dismiss(): Promise<void>;
}

/** A session of hours fits; a flood leaves its beginning and its end, where the answer stands. */
const KEPT_OUTPUT = { headBytes: 1_000_000, tailBytes: 8_000_000 };

/** Starts the agent in the run's work tree. `resume` is the session that it goes on with. */
export function startAgent(context: RunContext, resume: string | null): StartedAgent {
  const { run, agent, tree, folder, environment, emit } = context;
  const schema = nativeSchema(agent, context.schema.jsonSchema as JsonSchemaObject);
  const schemaFile = schema !== null && agent.hasNativeSchema === 'file' ? `${folder}/schema.json` : null;
  if (schemaFile !== null) writeFileAtomic(schemaFile, JSON.stringify(schema));
  const { permissions, model, flags } = context;
  const invocation = agent.start({
    ...{ cwd: tree.path, permissions, model, flags, schema, schemaFile, resume },
  });
  const dismissal = new AbortController();
  let hand: (prompt: string) => void = () => {};
  const input = new Promise<string>((resolve) => {
    hand = resolve;
  });
  let pid: number | null = null;
  let isAtWork = false;
  const tellLastLine = lastLineReporter(environment.monotonicMs, (line) =>
    emit({ type: 'agent-output', line }),
  );
  const result = runContained(invocation.command, invocation.args, {
    run,
    folder: tree.path,
    // until then git may be looking for what its prompt will say
    ownsFolder: () => isAtWork,
    cwd: tree.path,
    env: { ...context.agentEnv, ...invocation.env },
    input,
    timeoutMs: timeLeft(context),
    signal: AbortSignal.any([context.signal, dismissal.signal]),
    keepOutput: KEPT_OUTPUT,
    onStart: (started) => {
      pid = started;
    },
    onOutput: (stream, chunk) => {
      if (isAtWork) tellLastLine(stream, chunk);
    },
  });
  // Whoever waits for it hears of it.
  result.catch(() => {});
  return {
    pid,
    isStructured: schema !== null,
    result,
    hand: (prompt) => {
      isAtWork = true;
      hand(prompt);
    },
    dismiss: async () => {
      dismissal.abort();
      await result;
    },
  };
}

/** Null when the prompt alone has to ask for the form. */
function nativeSchema(agent: AgentWorker, schema: JsonSchemaObject): JsonSchemaObject | null {
  if (agent.hasNativeSchema === null) return null;
  return agent.nativeSchema ? agent.nativeSchema(schema) : schema;
}

const REPORT_EVERY_MS = 200;
const MAX_LINE = 300;

/** Tells the last line of a stream now and then: a flood is not worth an event for every line. */
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
