import { exchange } from './exchange.ts';
import { CLIENT_HEADER, HOOK_PATH, TIMEOUT_HEADER } from './hook-route.ts';
import { readServerState, type ServerState } from './server-state.ts';

export interface HookQuestion {
  readonly cacheDirectory: string;
  /** A server of another one might answer otherwise. */
  readonly fingerprint: string;
  readonly event: string;
  readonly client: string;
  /** The hook's input as it came in. */
  readonly body: string;
  readonly timeoutMs: number;
}

const HEALTH_MS = 5_000;

/** Asks the running server, if there is one; null when there is none or it does not answer well and in time. */
export async function askServer({
  cacheDirectory,
  fingerprint,
  event,
  client,
  body,
  timeoutMs,
}: HookQuestion): Promise<string | null> {
  const state = readServerState(cacheDirectory);
  if (state?.fingerprint !== fingerprint) return null;
  const headers = {
    [CLIENT_HEADER]: client,
    [TIMEOUT_HEADER]: String(timeoutMs),
    'content-type': 'application/json',
  };
  const signal = AbortSignal.timeout(timeoutMs);
  return exchange(state, { method: 'POST', path: `${HOOK_PATH}${event}`, headers, signal, body });
}

/** The repositories that a server has open; null when it does not answer. */
export async function askHealth(state: ServerState): Promise<readonly string[] | null> {
  const text = await exchange(state, {
    method: 'GET',
    path: '/health',
    headers: {},
    signal: AbortSignal.timeout(HEALTH_MS),
    body: '',
  });
  try {
    const { warm } = JSON.parse(text ?? '') as { readonly warm?: unknown };
    return Array.isArray(warm) ? warm.map(String) : null;
  } catch {
    return null;
  }
}
