import { wallClockMs } from '../../platform/clock.ts';
import type { HookCall, HookEvent } from './hook-call.ts';
import type { HookDesk } from './hook-desk.ts';

/** Longer than two hooks of one event are apart, shorter than a session needs to compact twice. */
const TOGETHER_MS = 10_000;

/** What tells an event from others of its kind; null when nothing does. */
const KNOWN_BY: Readonly<Partial<Record<HookEvent, (desk: HookDesk) => unknown>>> = {
  'session-start': ({ call }) => call.source ?? '',
  'user-prompt-submit': ({ call, memory }) => [call.agentId, call.prompt, memory.timesForgotten],
  'pre-tool-use': ({ call }) => call.tool?.id || null,
  'subagent-start': ({ call }) => call.agentId,
};

/**
 * Whether this process is the one to answer. Where a client is set up twice, for its user and in the repository, both
 * hooks are asked at the same moment, and an agent would be told everything twice.
 */
export function claimEvent(desk: HookDesk): boolean {
  const { client, event, sessionId }: HookCall = desk.call;
  const known = KNOWN_BY[event]?.(desk) ?? null;
  if (sessionId === '' || known === null) return true;
  return desk.files.claim(JSON.stringify([client, event, sessionId, known]), TOGETHER_MS, wallClockMs());
}
