import type { McpContext } from '../mcp/mcp-context.ts';
import { startLoopbackServer } from './loopback-server.ts';
import { createMcpRoute, MCP_PATH } from './mcp-route.ts';

export interface McpHttpOptions {
  readonly port: number;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly onReady: (address: string) => void;
}

/** Serves MCP over HTTP until it is told to stop. */
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
