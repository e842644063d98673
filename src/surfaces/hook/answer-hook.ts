import type { HookAnswer, HookEvent } from '../../agents/index.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { beforeAgent, beforeModel } from './before-model.ts';
import { type HookCall, NOTHING, readEvent, readHookCall } from './hook-call.ts';
import { type HookContext, type HookOptions, openHookContext } from './hook-context.ts';
import { sessionStart } from './session-start.ts';
import { subagentStart } from './subagent-start.ts';
import { postToolUse, preToolUse } from './tool-use.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const ANSWERS: Readonly<Record<HookEvent, (callContext: HookContext) => Promise<HookAnswer>>> = {
  'session-start': sessionStart,
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'post-tool-use': postToolUse,
  'subagent-start': subagentStart,
  'before-agent': beforeAgent,
  'before-model': beforeModel,
};

/**
 * Answers one event of a client. Throws when that is not possible; the caller answers `{}` then, because a hook must
 * never block an agent.
 */
export async function answerHook(event: string, input: unknown, context: HookOptions): Promise<HookAnswer> {
  const known = readEvent(event);
  // Our own workers have the package in their prompt.
  if (known === null || context.environment.LOADOUT_WORKER === '1') return NOTHING;
  const callContext = await openHookContext(readHookCall(context.client, known, input), context);
  if (callContext === null || !callContext.settings.enabled) return NOTHING;
  if (!claimEvent(callContext)) return NOTHING;
  return ANSWERS[known](callContext);
}

/** Longer than the time between two hooks of one event, shorter than the time between two compactions. */
const TOGETHER_MS = 10_000;

/** The values that identify an event among others of its kind; null when there are none. */
const KNOWN_BY: Readonly<Partial<Record<HookEvent, (callContext: HookContext) => unknown>>> = {
  'session-start': ({ call }) => call.source ?? '',
  'user-prompt-submit': ({ call, memory }) => [call.agentId, call.prompt, memory.timesForgotten],
  'pre-tool-use': ({ call }) => call.tool?.id || null,
  'subagent-start': ({ call }) => call.agentId,
};

/**
 * Whether this process answers the event. If a client is set up twice, for the user and in the repository, both hooks
 * run at the same time, and the agent would receive everything twice.
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
