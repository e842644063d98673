import { briefSubagent } from './brief-subagent.ts';
import { claimEvent } from './claim-event.ts';
import { beginTurn, tellModel } from './gemini-turn.ts';
import { type HookAnswer, NOTHING } from './hook-answer.ts';
import { type HookEvent, readEvent, readHookCall } from './hook-call.ts';
import { type HookContext, type HookDesk, openHookDesk } from './hook-desk.ts';
import { openSession } from './open-session.ts';
import { tellTask } from './tell-task.ts';
import { welcomeSubagent } from './welcome-subagent.ts';

const ANSWERS: Readonly<Record<HookEvent, (desk: HookDesk) => Promise<HookAnswer>>> = {
  'session-start': openSession,
  'user-prompt-submit': tellTask,
  'pre-tool-use': briefSubagent,
  'subagent-start': welcomeSubagent,
  'before-agent': beginTurn,
  'before-model': tellModel,
};

/**
 * Answers one event of an agent's client. What cannot be answered is an error; whoever calls says `{}` then, because
 * an agent never waits for us in vain.
 */
export async function answerHook(event: string, input: unknown, context: HookContext): Promise<HookAnswer> {
  const known = readEvent(event);
  // our own workers have their package in their prompt
  if (known === null || context.environment.LOADOUT_WORKER === '1') return NOTHING;
  const desk = await openHookDesk(readHookCall(context.client, known, input), context);
  if (desk === null || !desk.settings.enabled) return NOTHING;
  if (!claimEvent(desk)) return NOTHING;
  return ANSWERS[known](desk);
}
