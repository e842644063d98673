import type { AgentAdapter, AgentAnswer, AgentFailure, AgentOutput, AgentStart } from './agent-adapter.ts';
import { option } from './agent-arguments.ts';
import { agentFailure, failureOfExit, failureOfKind } from './agent-failure.ts';
import { finishAnswer } from './finish-answer.ts';
import { type JsonRecord, numberOrNull, readJsonEvents, record, text, textOrNull } from './json-events.ts';
import { WORKER_ENVIRONMENT } from './worker-environment.ts';

const PERMISSIONS: Readonly<Record<AgentStart['permissions'], readonly string[]>> = {
  'read-only': ['--deny-tool=write', '--deny-tool=shell'],
  edit: ['--allow-tool=write', '--deny-tool=shell'],
  full: ['--allow-all-tools'],
};

export const copilot: AgentAdapter = {
  name: 'copilot',
  program: 'copilot',
  installLine: 'npm install -g @github/copilot',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  promptPatienceMs: 2_000,
  start: (options) => ({
    command: 'copilot',
    args: [
      '--output-format',
      'json',
      // Without --trust-folder it leaves the hooks of the repository alone.
      ...PERMISSIONS[options.permissions],
      '--no-ask-user',
      '--no-auto-update',
      '-C',
      options.cwd,
      ...option('--model', 'model', options.model),
      ...option('--resume', 'session', options.resume),
      ...options.flags,
    ],
    env: WORKER_ENVIRONMENT,
  }),
  read: readCopilot,
};

function readCopilot(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const messages = events
    .filter((event) => event.type === 'assistant.message')
    .map((event) => text(record(event.data).content));
  const result = events.findLast((event) => event.type === 'result');
  return finishAnswer(
    {
      // The last message can be a bare tool request.
      text: messages.findLast((message) => message.trim() !== '') ?? '',
      sessionId: textOrNull(result?.sessionId),
      // It counts requests, not tokens.
      usage: null,
      error: failureOf(events, result, output),
    },
    output,
  );
}

function failureOf(
  events: readonly JsonRecord[],
  result: JsonRecord | undefined,
  output: AgentOutput,
): AgentFailure | null {
  if (result && result.exitCode === 0) return null;
  const error = events.findLast((event) => event.type === 'session.error');
  if (error) {
    const data = record(error.data);
    return agentFailure(text(data.message) || text(data.errorType), numberOrNull(data.statusCode));
  }
  if (output.signal !== null || output.exitCode !== 0) return failureOfExit(output);
  return failureOfKind('empty', 'ended before the answer was complete');
}
