import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { answerHook } from '../hook/answer-hook.ts';
import { readClient } from '../hook/hook-call.ts';
import { logHook } from '../hook/hook-log.ts';
import type { AnswerHook } from './hook-route.ts';
import type { SessionCache } from './session-cache.ts';

export interface WarmHookOptions {
  readonly sessions: SessionCache;
  readonly environment: Environment;
  /** For clients that do not say where they are. */
  readonly cwd: string;
  readonly cacheDirectory: string;
}

/** Hooks answered from open indexes. Why one had no answer is kept where `loadout doctor` looks. */
export function createWarmHooks({ sessions, environment, cwd, cacheDirectory }: WarmHookOptions): AnswerHook {
  return async ({ event, client, input, signal, timeoutMs }) => {
    const started = monotonicMs();
    try {
      return await answerHook(event, input, {
        client: readClient(client),
        environment,
        cwd,
        signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        withScan: async ({ repo, settings }, use) => (await sessions.get(repo, settings)).use(use),
      });
    } catch (error) {
      logHook(cacheDirectory, {
        at: new Date(wallClockMs()).toISOString(),
        event,
        client,
        milliseconds: Math.round(monotonicMs() - started),
        problem: error instanceof Error ? error.message : String(error),
      });
      return null;
    }
  };
}
