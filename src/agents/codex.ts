import type { AgentAdapter, AgentAnswer, AgentFailure, AgentOutput, AgentStart } from './agent-adapter.ts';
import { option, plainArgument } from './agent-arguments.ts';
import { agentFailure, failureOfExit, failureOfKind } from './agent-failure.ts';
import { finishAnswer } from './finish-answer.ts';
import {
  count,
  isRecord,
  type JsonRecord,
  parseJson,
  readJsonEvents,
  record,
  text,
  textOrNull,
} from './json-events.ts';
import { isStrictSchema, strictSchema } from './strict-schema.ts';
import { WORKER_ENVIRONMENT } from './worker-environment.ts';

const SANDBOX: Readonly<Record<AgentStart['permissions'], string>> = {
  'read-only': 'read-only',
  edit: 'workspace-write',
  full: 'danger-full-access',
};

export const codex: AgentAdapter = {
  name: 'codex',
  program: 'codex',
  installLine: 'npm install -g @openai/codex',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: 'file',
  promptPatienceMs: 2_000,
  nativeSchema: strictSchema,
  start: (options) => ({
    command: 'codex',
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--sandbox',
      SANDBOX[options.permissions],
      '--cd',
      options.cwd,
      '--disable',
      'hooks',
      // In this mode it starts the servers that a repository's own configuration names, unless told not to.
      '--config',
      `projects={${JSON.stringify(options.cwd)}={trust_level="untrusted"}}`,
      ...option('--model', 'model', options.model),
      ...schemaArguments(options),
      ...options.flags,
      ...(options.resume === null ? [] : ['resume', plainArgument('session', options.resume)]),
      '-',
    ],
    env: WORKER_ENVIRONMENT,
  }),
  read: readCodex,
};

/** Its service answers any other form with a 400; then the prompt alone asks for the answer's form. */
function schemaArguments({ schema, schemaFile }: AgentStart): readonly string[] {
  const isUsable = schemaFile !== null && schema !== null && isStrictSchema(schema);
  return isUsable ? ['--output-schema', schemaFile] : [];
}

function readCodex(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const items = events.filter((event) => event.type === 'item.completed').map((event) => record(event.item));
  // Earlier messages are remarks between tool calls.
  const answer = text(items.findLast((item) => item.type === 'agent_message')?.text);
  const structured = parseJson(answer);
  const completed = events.findLast((event) => event.type === 'turn.completed');
  const usage = record(completed?.usage);
  return finishAnswer(
    {
      text: answer,
      // A schema makes the whole message JSON; a message that only holds some is text.
      structured: isRecord(structured) ? structured : undefined,
      sessionId: textOrNull(events.find((event) => event.type === 'thread.started')?.thread_id),
      usage: completed
        ? {
            inputTokens: count(usage.input_tokens),
            cachedInputTokens: count(usage.cached_input_tokens),
            outputTokens: count(usage.output_tokens),
          }
        : null,
      error: failureOf(events, output),
      // An item of the type "error" is a remark about the set-up; the turn goes on.
      warnings: [...new Set(items.filter((item) => item.type === 'error').map((item) => text(item.message)))],
    },
    output,
  );
}

function failureOf(events: readonly JsonRecord[], output: AgentOutput): AgentFailure | null {
  // A top-level "error" is also how a retry is reported, so only the end of the turn decides.
  const end = events.findLast((event) => event.type === 'turn.failed' || event.type === 'turn.completed');
  if (end?.type === 'turn.failed') return agentFailure(text(record(end.error).message));
  if (end) return null;
  if (/not inside a trusted directory/i.test(output.stderr)) {
    return failureOfKind('untrusted-folder', output.stderr);
  }
  if (output.signal !== null || output.exitCode !== 0) {
    const last = events.findLast((event) => event.type === 'error');
    return last && output.signal === null ? agentFailure(text(last.message)) : failureOfExit(output);
  }
  return failureOfKind('empty', 'ended before the turn was complete');
}
