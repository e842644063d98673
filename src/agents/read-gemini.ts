import type {
  AgentAnswer,
  AgentFailure,
  AgentFailureKind,
  AgentOutput,
  AgentUsage,
} from './agent-adapter.ts';
import { agentFailure, failureOfExit, failureOfKind } from './agent-failure.ts';
import { finishAnswer } from './finish-answer.ts';
import {
  count,
  isRecord,
  type JsonRecord,
  numberOrNull,
  readJsonEvents,
  readLastJsonObject,
  record,
  text,
  textOrNull,
} from './json-events.ts';

const EXIT_KINDS: Readonly<Record<number, AgentFailureKind>> = {
  41: 'auth',
  42: 'bad-request',
  44: 'crash',
  52: 'bad-request',
  53: 'turn-limit',
  54: 'crash',
  55: 'untrusted-folder',
  130: 'crash',
};

/** One object on the standard output, or on a failure none there and one at the end of the standard error. */
export function readGemini(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  if (events.some((event) => event.type === 'init' || event.type === 'result')) {
    return readStream(events, output);
  }
  const answer = events.find((event) => 'response' in event) ?? readLastJsonObject(output.stdout);
  const report = answer && ('response' in answer || 'error' in answer) ? answer : null;
  const last = report ?? readLastJsonObject(output.stderr);
  return finishAnswer(
    {
      text: text(report?.response),
      sessionId: textOrNull(last?.session_id),
      usage: readUsage(record(report?.stats)),
      error: failureOf(last, output),
    },
    output,
  );
}

function readStream(events: readonly JsonRecord[], output: AgentOutput): AgentAnswer {
  const lastTool = events.findLastIndex((event) => event.type === 'tool_use');
  const pieces = events
    .slice(lastTool + 1)
    .filter((event) => event.type === 'message' && event.role === 'assistant')
    .map((event) => text(event.content));
  const result = events.findLast((event) => event.type === 'result');
  const failed = result?.status === 'error';
  return finishAnswer(
    {
      text: failed ? '' : pieces.join(''),
      sessionId: textOrNull(events.find((event) => event.type === 'init')?.session_id),
      usage: result ? readStreamUsage(record(result.stats)) : null,
      error: result
        ? failed
          ? (failureOf(result, output) ?? failureOfExit(output))
          : null
        : failureOfKind('empty', 'ended before the turn was complete'),
    },
    output,
  );
}

function failureOf(report: JsonRecord | null, output: AgentOutput): AgentFailure | null {
  const ofExit = output.exitCode === null ? undefined : EXIT_KINDS[output.exitCode];
  if (report && isRecord(report.error)) {
    const words = text(report.error.message);
    const status = numberOrNull(report.error.code);
    // Below 400 the code is the exit code.
    if (ofExit) return failureOfKind(ofExit, words || output.stderr);
    return agentFailure(words, status !== null && status >= 400 ? status : null);
  }
  return ofExit ? failureOfKind(ofExit, failureOfExit(output).message) : null;
}

function readUsage(stats: JsonRecord): AgentUsage | null {
  if (!isRecord(stats.models)) return null;
  const tokens = Object.values(stats.models).map((model) => record(record(model).tokens));
  const sum = (name: string): number => tokens.reduce((total, each) => total + count(each[name]), 0);
  return {
    inputTokens: sum('prompt'),
    cachedInputTokens: sum('cached'),
    outputTokens: sum('candidates') + sum('thoughts'),
  };
}

function readStreamUsage(stats: JsonRecord): AgentUsage {
  return {
    inputTokens: count(stats.input_tokens),
    cachedInputTokens: count(stats.cached),
    outputTokens: count(stats.output_tokens),
  };
}
