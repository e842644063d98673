import type { Readable, Writable } from 'node:stream';
import { createMcpServer } from './create-mcp-server.ts';
import type { Connection, McpContext } from './mcp-context.ts';

export interface StdioOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

/** Serves one client over standard input and output, in whichever revision it opens with, until it goes. */
export async function serveMcpStdio(
  context: McpContext,
  { stdin, stdout, signal }: StdioOptions,
): Promise<void> {
  const [sdk, { serveStdio, StdioServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const transport = new StdioServerTransport(stdin, stdout);
  const ended = new Promise<void>((resolve) => {
    // the transport gives up by itself on a message that is too large
    const close = transport.close.bind(transport);
    transport.close = () => close().finally(resolve);
    stdin.once('end', resolve);
    stdin.once('close', resolve);
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const connection: Connection = { audience: {} };
  const handle = serveStdio(() => createMcpServer(sdk, context, connection), {
    transport,
    onerror: (error) => context.log(error.message),
  });
  await ended;
  await handle.close();
}
