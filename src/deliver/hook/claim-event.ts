import { wallClockMs } from '../../platform/clock.ts';
import type { HookCall } from './hook-call.ts';
import type { HookFiles } from './hook-files.ts';

/** Longer than two hooks of one event are apart, shorter than a session needs to compact twice. */
const TOGETHER_MS = 10_000;

/**
 * Whether this process is the one to answer. Where a client is set up twice, for its user and in the repository, both
 * hooks are asked at the same moment, and an agent would be told everything twice.
 */
export function claimEvent(
  { client, event, sessionId, agentId, source, prompt, tool }: HookCall,
  files: HookFiles,
) {
  const isKnown = KNOWN_BY[event]?.({ agentId, tool }) ?? false;
  if (sessionId === '' || !isKnown) return true;
  const name = JSON.stringify([client, event, sessionId, agentId, source, prompt, tool?.id]);
  return files.claim(name, TOGETHER_MS, wallClockMs());
}

/** Events that can be told from others of their kind; Gemini asks hooks with one command line once by itself. */
const KNOWN_BY: Readonly<
  Partial<Record<HookCall['event'], (call: Pick<HookCall, 'agentId' | 'tool'>) => boolean>>
> = {
  'session-start': () => true,
  'user-prompt-submit': () => true,
  'pre-tool-use': ({ tool }) => tool !== null && tool.id !== '',
  'subagent-start': ({ agentId }) => agentId !== null,
};
