/**
 * The routes of the server: hook events at `/hook/EVENT` and the Model Context Protocol at `/mcp`. Both are
 * reached only by requests that passed the checks of the loopback server.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_HOOK_CLIENT } from '../../agents/index.ts';
import { readJson } from '../../model/read-json.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { answerHook, logHook, readClient } from '../hook/index.ts';
import { createMcpServer, type McpContext } from '../mcp/index.ts';
import { CLIENT_HEADER, HOOK_PATH, TIMEOUT_HEADER } from '../shared/server-client.ts';
import { readBody } from './http-guard.ts';
import { type Exchange, type Route, sendJson, sendRefusal, startLoopbackServer } from './loopback-server.ts';
import type { SessionCache } from './start-warm-server.ts';

/** A prompt with a log pasted into it stays far below. */
const MAX_HOOK_BYTES = 10 * 1024 * 1024;
/** The answer for "nothing to add", which every client accepts. */
const NO_CONTEXT = {};

/** Answers one event with the JSON that the client expects on its hook's standard output. */
export type AnswerHook = (question: HookRequest) => Promise<unknown>;

/** An event as it came over HTTP. */
interface HookRequest {
  readonly event: string;
  readonly client: string;
  /** The JSON that the client gave its hook. */
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** The client's time limit, if it sends one. */
  readonly timeoutMs?: number;
}

/**
 * Hooks over HTTP. The server refuses requests without the token. With the token the answer is always one that an agent
 * can continue with, as for hooks that are programs.
 */
export function createHookRoute(answerHook: AnswerHook, log: (line: string) => void): Route {
  return {
    method: 'POST',
    path: HOOK_PATH,
    async handle({ request, response, rest, signal }) {
      const body = await readBody(request, MAX_HOOK_BYTES);
      if ('refusal' in body) return sendRefusal(response, body.refusal);
      const client = String(request.headers[CLIENT_HEADER] || DEFAULT_HOOK_CLIENT);
      const input = parse(body.text);
      if (input === undefined) return sendRefusal(response, { status: 400, message: 'the body is not JSON' });
      const given = Number(request.headers[TIMEOUT_HEADER]);
      const question = { event: rest, client, input, signal, ...(given > 0 ? { timeoutMs: given } : {}) };
      try {
        sendJson(response, 200, (await answerHook(question)) ?? NO_CONTEXT);
      } catch (error) {
        log(`hook ${rest}: ${error instanceof Error ? error.message : String(error)}`);
        sendJson(response, 200, NO_CONTEXT);
      }
    },
  };
}

/** Undefined for text that is not JSON. */
function parse(text: string): unknown {
  const read = readJson(text);
  return read.kind === 'json' ? read.value : undefined;
}

/** The environment for hooks that the server answers. */
export interface WarmHookOptions {
  /** Open indexes, shared with MCP. */
  readonly sessions: SessionCache;
  readonly environment: Environment;
  /** The directory for clients that do not send one. */
  readonly cwd: string;
  readonly cacheDirectory: string;
}

/** Answers hooks from open indexes. Problems are logged for `loadout doctor`. */
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

/** The path that clients are configured with. */
const MCP_PATH = '/mcp';
/** The longest allowed task needs a tenth of it. */
const MAX_MCP_BYTES = 4 * 1024 * 1024;

/** The MCP endpoint. Requests are independent of each other, in either revision of the protocol. */
export async function createMcpRoute(context: McpContext): Promise<Route & { close(): Promise<void> }> {
  const sdk = await import('@modelcontextprotocol/server');
  const handler = sdk.createMcpHandler(() => createMcpServer(sdk, context), {
    onerror: (error) => context.log(error.message),
    maxRequestBodySize: MAX_MCP_BYTES,
  });
  return {
    method: 'POST',
    path: MCP_PATH,
    close: () => handler.close(),
    async handle({ request, response, signal }: Exchange) {
      const body = await readBody(request, MAX_MCP_BYTES);
      if ('refusal' in body) return sendRefusal(response, body.refusal);
      await passOn(await handler.fetch(webRequest(request, body.text, signal)), response, signal);
    },
  };
}

/** The request as the SDK expects it, without the token. */
function webRequest(request: IncomingMessage, body: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  return new Request(`http://${request.headers.host}${MCP_PATH}`, { method: 'POST', headers, body, signal });
}

/** Writes the answer of the SDK to the connection, and waits when the client is slow. */
async function passOn(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers = new Headers(answer.headers);
  // The HTTP server decides about its connections.
  headers.delete('connection');
  headers.set('cache-control', 'no-store');
  response.writeHead(answer.status, Object.fromEntries(headers));
  // Pass a streamed answer on piece by piece: progress must not wait for the end.
  const reader = answer.body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader!.read())
      if (!response.write(part.value))
        await new Promise((go) => response.once('drain', go).once('close', go));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  response.end();
}

/** The options of `loadout mcp --http`. */
export interface McpHttpOptions {
  readonly port: number;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Called with the address when the server listens. */
  readonly onReady: (address: string) => void;
}

/** Serves MCP over HTTP until the signal aborts. */
export async function runMcpHttp(
  context: McpContext,
  { port, token, signal, onReady }: McpHttpOptions,
): Promise<void> {
  const route = await createMcpRoute(context);
  const server = await startLoopbackServer({ port, token, routes: [route], log: context.log });
  onReady(`http://127.0.0.1:${server.port}${MCP_PATH}`);
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
  await route.close();
}
