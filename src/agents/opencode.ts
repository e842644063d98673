import type { AgentAdapter, AgentAnswer, AgentFailure, AgentOutput, AgentStart } from './agent-adapter.ts';
import { option } from './agent-arguments.ts';
import { agentFailure, failureOfExit, failureOfKind } from './agent-failure.ts';
import { finishAnswer } from './finish-answer.ts';
import {
  count,
  type JsonRecord,
  numberOrNull,
  readJsonEvents,
  record,
  text,
  textOrNull,
} from './json-events.ts';
import { WORKER_ENVIRONMENT } from './worker-environment.ts';

const PERMISSIONS: Readonly<Record<AgentStart['permissions'], Readonly<Record<string, string>>>> = {
  'read-only': { edit: 'deny', bash: 'deny' },
  edit: { edit: 'allow', bash: 'deny' },
  full: { edit: 'allow', bash: 'allow' },
};

export const opencode: AgentAdapter = {
  name: 'opencode',
  program: 'opencode',
  installLine: 'npm install -g opencode-ai',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  promptPatienceMs: 2_000,
  start: (options) => ({
    command: 'opencode',
    args: [
      'run',
      '--format',
      'json',
      // Its hooks are plugins.
      '--pure',
      '--dir',
      options.cwd,
      ...option('--model', 'model', options.model),
      ...option('--session', 'session', options.resume),
      ...options.flags,
    ],
    env: {
      ...WORKER_ENVIRONMENT,
      OPENCODE_PERMISSION: JSON.stringify(PERMISSIONS[options.permissions]),
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  }),
  read: readOpencode,
};

function readOpencode(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const texts = events.filter((event) => event.type === 'text').map((event) => record(event.part));
  const lastMessage = texts.at(-1)?.messageID;
  const steps = events.filter((event) => event.type === 'step_finish').map((event) => record(event.part));
  return finishAnswer(
    {
      text: texts
        .filter((part) => part.messageID === lastMessage)
        .map((part) => text(part.text))
        .join(''),
      sessionId: textOrNull(events.find((event) => event.sessionID !== undefined)?.sessionID),
      usage: steps.length === 0 ? null : sumUsage(steps.map((step) => record(step.tokens))),
      costUsd: steps.length === 0 ? null : steps.reduce((sum, step) => sum + count(step.cost), 0),
      error: failureOf(events, steps.at(-1), output),
      warnings: steps.at(-1)?.reason === 'length' ? ['the answer was cut at the limit of the model'] : [],
    },
    output,
  );
}

function failureOf(
  events: readonly JsonRecord[],
  lastStep: JsonRecord | undefined,
  output: AgentOutput,
): AgentFailure | null {
  const error = events.findLast((event) => event.type === 'error');
  if (error) {
    const details = record(error.error);
    const data = record(details.data);
    return agentFailure(text(data.message) || text(details.name), numberOrNull(data.statusCode));
  }
  if (output.signal !== null || output.exitCode !== 0) return failureOfExit(output);
  if (lastStep?.reason === 'stop' || lastStep?.reason === 'length') return null;
  return failureOfKind('empty', 'ended before the answer was complete');
}

function sumUsage(tokens: readonly JsonRecord[]) {
  const sum = (of: (step: JsonRecord) => number): number =>
    tokens.reduce((total, step) => total + of(step), 0);
  const cached = sum((step) => count(record(step.cache).read));
  return {
    inputTokens: sum((step) => count(step.input) + count(record(step.cache).write)) + cached,
    cachedInputTokens: cached,
    outputTokens: sum((step) => count(step.output) + count(step.reasoning)),
  };
}
