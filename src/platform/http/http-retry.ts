import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpFailure, type JsonOutcome, type JsonRequest, postJson } from './http-json.ts';

export interface RetryOptions {
  /** All attempts, the first included. */
  readonly attempts: number;
  /** Before the second attempt; doubles from there on. */
  readonly firstDelayMs: number;
  /** A server that wants a longer rest than this is not waited for. */
  readonly longestDelayMs: number;
}

/** Posts again what may succeed later: time-outs, broken connections, 408, 429 and server errors. */
export async function postJsonPatiently(
  request: JsonRequest,
  { attempts, firstDelayMs, longestDelayMs }: RetryOptions,
): Promise<JsonOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await postJson(request);
    if (outcome.kind === 'answer' || attempt >= attempts || !mayPass(outcome)) return outcome;
    // those who were turned away together should not come back together
    const backoff = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const delay = Math.max(outcome.retryAfterMs, backoff);
    if (delay > longestDelayMs) return outcome;
    try {
      await sleep(delay, undefined, request.signal ? { signal: request.signal } : {});
    } catch {
      return { ...outcome, reason: 'cancelled', detail: 'cancelled' };
    }
  }
}

function mayPass({ reason, status }: HttpFailure): boolean {
  if (reason === 'status') return status === 408 || status === 429 || status >= 500;
  return reason === 'timeout' || reason === 'network';
}
