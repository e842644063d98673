// Reads the output of Claude Code, and of clients that print the same objects.

import type { AgentAnswer, AgentFailure, AgentOutput, AgentUsage } from './agent-worker.ts';
import {
  count,
  isRecord,
  type JsonRecord,
  numberOrNull,
  readJsonEvents,
  record,
  text,
  textOrNull,
} from './json-events.ts';
import { agentFailure, failureOfExit, failureOfKind, finishAnswer } from './worker-answer.ts';

/** How a client differs from Claude Code in its output. */
export interface ClaudeLikeTraits {
  /** Claude Code does not count cached tokens in `input_tokens`; others do. */
  readonly inputTokensIncludeCached: boolean;
}

/**
 * Reads the messages of Claude Code, whose form other clients use as well. The last `result` is the answer. There can be
 * several: a background subagent starts another turn when it ends.
 */
export function readClaudeLike(output: AgentOutput, traits: ClaudeLikeTraits): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const result = events.findLast((event) => event.type === 'result');
  if (!result) return withoutResult(output, events);
  const structured = result.structured_output ?? result.structured_result;
  const answer = text(result.result);
  return finishAnswer(
    {
      text: answer === '' && structured !== undefined ? JSON.stringify(structured) : answer,
      structured,
      sessionId: textOrNull(result.session_id),
      usage: readUsage(result, traits),
      costUsd: numberOrNull(result.total_cost_usd),
      error: failureOf(result),
      warnings: readWarnings(result, events),
    },
    output,
  );
}

/** In text mode the error of the service is on standard output, in place of the answer. */
function withoutResult(output: AgentOutput, events: readonly JsonRecord[]): AgentAnswer {
  const sessionId = textOrNull(events.find((event) => event.session_id !== undefined)?.session_id);
  const words = events.some((event) => typeof event.type === 'string') ? '' : output.stdout.trim();
  const said = words === '' ? undefined : agentFailure(words);
  const error =
    said?.kind === 'unknown'
      ? failureOfKind('unknown', `printed text where JSON was asked for: ${words}`)
      : said;
  return finishAnswer(
    {
      text: '',
      sessionId,
      usage: null,
      error:
        error ??
        (output.exitCode === 0 && output.signal === null
          ? failureOfKind('empty', 'ended without an answer')
          : failureOfExit(output)),
    },
    output,
  );
}

/** Null when the result is an answer. */
function failureOf(result: JsonRecord): AgentFailure | null {
  const subtype = text(result.subtype);
  // `subtype` says "success" for an error of the service, so `is_error` comes first.
  if (result.is_error === true || subtype.startsWith('error')) {
    const words = errorWords(result) || subtype;
    if (subtype === 'error_max_turns') return failureOfKind('turn-limit', words);
    if (subtype === 'error_max_budget_usd') return failureOfKind('budget', words);
    return agentFailure(words, numberOrNull(result.api_error_status));
  }
  // When a hook refuses the prompt, the exit code is 0 and the answer is the reason.
  const noModelRan = isRecord(result.modelUsage) && Object.keys(result.modelUsage).length === 0;
  if (result.num_turns === 0 || noModelRan) {
    return failureOfKind('blocked', text(result.result) || 'no model was asked');
  }
  return null;
}

function errorWords(result: JsonRecord): string {
  if (text(result.result) !== '') return text(result.result);
  const errors = Array.isArray(result.errors) ? result.errors.map(text).filter(Boolean).join('\n') : '';
  return errors || text(record(result.error).message);
}

function readUsage(result: JsonRecord, traits: ClaudeLikeTraits): AgentUsage | null {
  // `usage` leaves out subagents. `modelUsage` holds everything, summed over all turns.
  const models = Object.values(record(result.modelUsage)).map(record);
  if (models.length > 0) {
    const sum = (name: string): number => models.reduce((total, model) => total + count(model[name]), 0);
    const cached = sum('cacheReadInputTokens');
    return {
      inputTokens: sum('inputTokens') + cached + sum('cacheCreationInputTokens'),
      cachedInputTokens: cached,
      outputTokens: sum('outputTokens'),
    };
  }
  if (!isRecord(result.usage)) return null;
  const cached = count(result.usage.cache_read_input_tokens);
  const beside = traits.inputTokensIncludeCached
    ? 0
    : cached + count(result.usage.cache_creation_input_tokens);
  return {
    inputTokens: count(result.usage.input_tokens) + beside,
    cachedInputTokens: cached,
    outputTokens: count(result.usage.output_tokens),
  };
}

function readWarnings(result: JsonRecord, events: readonly JsonRecord[]): readonly string[] {
  const denials = Array.isArray(result.permission_denials) ? result.permission_denials.map(record) : [];
  const denied = denials.map((denial) => `the tool ${text(denial.tool_name)} was denied`);
  const retries = events
    .filter((event) => event.subtype === 'api_retry')
    .map((event) => `the service was asked again after ${event.error_status ?? 'no answer'}`);
  return [...new Set([...retries, ...denied])];
}
