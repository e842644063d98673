import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpServer, type McpContext } from '../mcp/index.ts';
import { readBody } from './http-guard.ts';
import { type Exchange, type Route, sendRefusal, startLoopbackServer } from './loopback-server.ts';

const MCP_PATH = '/mcp';
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The MCP endpoint. Requests are independent of each other, in either revision of the protocol. */
export async function createMcpRoute(context: McpContext): Promise<Route & { close(): Promise<void> }> {
  const sdk = await import('@modelcontextprotocol/server');
  const handler = sdk.createMcpHandler(() => createMcpServer(sdk, context), {
    onerror: (error) => context.log(error.message),
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  return {
    method: 'POST',
    path: MCP_PATH,
    close: () => handler.close(),
    async handle({ request, response, signal }: Exchange) {
      const body = await readBody(request, MAX_BODY_BYTES);
      if ('refusal' in body) return sendRefusal(response, body.refusal);
      await pass(await handler.fetch(webRequest(request, body.text, signal)), response, signal);
    },
  };
}

function webRequest(request: IncomingMessage, body: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  return new Request(`http://${request.headers.host}${MCP_PATH}`, { method: 'POST', headers, body, signal });
}

async function pass(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
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

export interface McpHttpOptions {
  readonly port: number;
  readonly token: string;
  readonly signal: AbortSignal;
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
