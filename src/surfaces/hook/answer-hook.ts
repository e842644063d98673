import type { HookAnswer, HookEvent } from '../../agents/hook-dialect.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { beforeAgent, beforeModel } from './before-model.ts';
import { type HookCall, NOTHING, readEvent, readHookCall } from './hook-call.ts';
import { type HookContext, type HookOptions, openHookContext } from './hook-context.ts';
import { preToolUse } from './pre-tool-use.ts';
import { sessionStart } from './session-start.ts';
import { subagentStart } from './subagent-start.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const ANSWERS: Readonly<Record<HookEvent, (callContext: HookContext) => Promise<HookAnswer>>> = {
  'session-start': sessionStart,
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'subagent-start': subagentStart,
  'before-agent': beforeAgent,
  'before-model': beforeModel,
};

/**
 * Answers one event of an agent's client. What cannot be answered is an error; whoever calls says `{}` then, because
 * an agent never waits for us in vain.
 */
export async function answerHook(event: string, input: unknown, context: HookOptions): Promise<HookAnswer> {
  const known = readEvent(event);
  // our own workers have their package in their prompt
  if (known === null || context.environment.LOADOUT_WORKER === '1') return NOTHING;
  const callContext = await openHookContext(readHookCall(context.client, known, input), context);
  if (callContext === null || !callContext.settings.enabled) return NOTHING;
  if (!claimEvent(callContext)) return NOTHING;
  return ANSWERS[known](callContext);
}

/** Longer than two hooks of one event are apart, shorter than a session needs to compact twice. */
const TOGETHER_MS = 10_000;

/** What tells an event from others of its kind; null when nothing does. */
const KNOWN_BY: Readonly<Partial<Record<HookEvent, (callContext: HookContext) => unknown>>> = {
  'session-start': ({ call }) => call.source ?? '',
  'user-prompt-submit': ({ call, memory }) => [call.agentId, call.prompt, memory.timesForgotten],
  'pre-tool-use': ({ call }) => call.tool?.id || null,
  'subagent-start': ({ call }) => call.agentId,
};

/**
 * Whether this process is the one to answer. Where a client is set up twice, for its user and in the repository, both
 * hooks are asked at the same moment, and an agent would be told everything twice.
 */
function claimEvent(callContext: HookContext): boolean {
  const { client, event, sessionId }: HookCall = callContext.call;
  const known = KNOWN_BY[event]?.(callContext) ?? null;
  if (sessionId === '' || known === null) return true;
  return callContext.files.claim(
    JSON.stringify([client, event, sessionId, known]),
    TOGETHER_MS,
    wallClockMs(),
  );
}
