import { request } from 'node:http';
import { CLIENT_HEADER, HOOK_PATH } from './hook-route.ts';
import { readServerState, type ServerState } from './server-state.ts';

export interface HookQuestion {
  readonly cacheDirectory: string;
  /** A server of another one might answer otherwise. */
  readonly world: string;
  readonly event: string;
  readonly client: string;
  /** The hook's input as it came in. */
  readonly body: string;
  readonly timeoutMs: number;
}

const MOST_ANSWER_BYTES = 20 * 1024 * 1024;

/** Asks the running server, if there is one; null when there is none or it does not answer well and in time. */
export async function askServer({
  cacheDirectory,
  world,
  event,
  client,
  body,
  timeoutMs,
}: HookQuestion): Promise<string | null> {
  const state = readServerState(cacheDirectory);
  if (state?.world !== world) return null;
  const headers = { [CLIENT_HEADER]: client, 'content-type': 'application/json' };
  return exchange(state, { method: 'POST', path: `${HOOK_PATH}${event}`, headers, timeoutMs, body });
}

/** The repositories that a server has open; null when it does not answer. */
export async function askHealth(state: ServerState): Promise<readonly string[] | null> {
  const text = await exchange(state, {
    method: 'GET',
    path: '/health',
    headers: {},
    timeoutMs: 5_000,
    body: '',
  });
  try {
    const { warm } = JSON.parse(text ?? '') as { readonly warm?: unknown };
    return Array.isArray(warm) ? warm.map(String) : null;
  } catch {
    return null;
  }
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly body: string;
}

function exchange(
  { port, token }: ServerState,
  { body, timeoutMs, headers, ...line }: Exchange,
): Promise<string | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        ...line,
        host: '127.0.0.1',
        port,
        headers: {
          ...headers,
          authorization: `Bearer ${token}`,
          'content-length': Buffer.byteLength(body),
        },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_ANSWER_BYTES) call.destroy();
          else chunks.push(chunk);
        });
        response.on('error', () => resolve(null));
        response.on('end', () =>
          resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : null),
        );
      },
    );
    call.on('error', () => resolve(null));
    call.end(body);
  });
}
