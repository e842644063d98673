/**
 * Connects the tools to the Model Context Protocol: lists, calls, resources and prompts. The same server
 * answers over stdio and HTTP.
 */

import type { Readable, Writable } from 'node:stream';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { safeMessage } from '../../redact/index.ts';
import type { ScanStep } from '../../scan/index.ts';
import { callTool, contextFor, type ToolCall } from './call-tool.ts';
import type { Connection, McpContext } from './mcp-context.ts';
import { resultLimit } from './result-limit.ts';
import { INSTRUCTIONS, readToolArguments, TOOLS } from './tool-list.ts';

/** Loaded when a server starts, because no other command needs it. */
type Sdk = typeof import('@modelcontextprotocol/server');

/** Packages that were returned can be read again as resources of this scheme. */
const PACK_SCHEME = 'loadout://pack/';
/** The one prompt that clients offer their users. */
const PROMPT = {
  name: 'context',
  title: 'Context for a task',
  description: 'The context package for a task, followed by the task',
  arguments: [
    { name: 'task', description: 'What is to be done', required: true },
    { name: 'role', description: 'Role of the agent', required: false },
  ],
} as const;
/** Lists that never change while the program runs may be cached for an hour. */
const FIXED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** A server for one connection or one request. */
export function createMcpServer(
  sdk: Sdk,
  callContext: McpContext,
  connection: Connection = { audience: {} },
): Server {
  const toolCall = ({ mcpReq }: ServerContext): ToolCall => ({
    connection,
    signal: mcpReq.signal,
    onProgress: progressReporter(mcpReq._meta?.progressToken, (message) => mcpReq.notify(message)),
  });
  const server = new sdk.Server(
    { name: 'loadout', title: 'Loadout', version: callContext.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'server/discover': FIXED,
        'tools/list': FIXED,
        'prompts/list': FIXED,
        'resources/templates/list': FIXED,
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.map((tool) => structuredClone(tool)) as never,
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const limit = resultLimit(clientName(server, context));
    try {
      return textResult(
        await callTool(callContext, params.name, params.arguments, { ...toolCall(context), limit }),
      );
    } catch (error) {
      // The protocol has an error of its own for a tool that does not exist.
      if (error instanceof LoadoutError && error.code === 'unknown-tool')
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, error.message);
      return { ...textResult(explain(callContext, error, context.mcpReq.signal)), isError: true };
    }
  });
  server.setRequestHandler('resources/list', () => ({
    resources: callContext.packages.list().map(({ id, task }) => ({
      uri: `${PACK_SCHEME}${id}`,
      name: id.slice(0, 12),
      title: firstLine(task),
      mimeType: 'text/markdown',
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${PACK_SCHEME}{id}`,
        name: 'pack',
        description: 'A package that get_context returned, by its id',
        mimeType: 'text/markdown',
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const pack = uri.startsWith(PACK_SCHEME)
      ? callContext.packages.get(uri.slice(PACK_SCHEME.length))
      : undefined;
    if (!pack) throw new sdk.ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/markdown', text: pack.text }] };
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: [structuredClone(PROMPT) as never] }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const invalid = (message: string) => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
    if (params.name !== PROMPT.name) throw invalid(`there is no prompt ${JSON.stringify(params.name)}`);
    try {
      const given = readToolArguments(TOOLS[0]!, params.arguments);
      callContext.checkRepository();
      const { text } = await contextFor(callContext, given, toolCall(context));
      const message = { type: 'text', text: `${text}\n## Task\n\n${String(given.task)}\n` } as const;
      return { description: PROMPT.description, messages: [{ role: 'user', content: message }] };
    } catch (error) {
      throw invalid(explain(callContext, error, context.mcpReq.signal));
    }
  });
  return server;
}

/** The name of the client, which each protocol revision puts elsewhere; empty when it gives none. */
function clientName(server: Server, { mcpReq }: ServerContext): string {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const info = envelope['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion();
  const { name } = (info ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}

/** Text alone: a client that sees structured content drops the text beside it. */
function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

/** The title of a package: the start of its task. */
function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.slice(0, 100);
}

/** The text of a failure for the client. Details of a bug go to the log only. */
function explain({ log }: McpContext, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'cancelled';
  if (error instanceof LoadoutError)
    return error.hint
      ? `${safeMessage(error.message)}\nhint: ${safeMessage(error.hint)}`
      : safeMessage(error.message);
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 'Loadout failed on this call; its log says why';
}

/** Chosen by the client; without it no progress is sent. */
type ProgressToken = string | number;

/** A progress notification of the protocol. */
interface ProgressMessage {
  readonly method: 'notifications/progress';
  readonly params: {
    readonly progressToken: ProgressToken;
    readonly progress: number;
    readonly total?: number;
    readonly message: string;
  };
}

/** Minimum time between two notifications. */
const MIN_GAP_MS = 200;

/** Reports the steps of a scan as the protocol requires: with a growing number, and not too often. */
function progressReporter(
  token: ProgressToken | undefined,
  send: (message: ProgressMessage) => Promise<void>,
): (step: ScanStep) => void {
  if (token === undefined) return () => {};
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  return ({ label, done, total }) => {
    const now = monotonicMs();
    if (now - last < MIN_GAP_MS) return;
    last = now;
    count += 1;
    const message = total > 0 ? `${label}: ${done} of ${total}` : label;
    const params = { progressToken: token, progress: count, message };
    // The client has gone and needs no progress.
    send({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** The streams of the client that started this process. */
export interface StdioOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

/** Serves one client over standard input and output, in the protocol revision that it opens with, until it leaves. */
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
    // The transport closes by itself on a message that is too large.
    const close = transport.close.bind(transport);
    transport.close = () => close().finally(resolve);
    stdin.once('end', resolve);
    stdin.once('close', resolve);
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // One client for the life of the process, so its state is kept between calls.
  const connection: Connection = { audience: {} };
  const handle = serveStdio(() => createMcpServer(sdk, context, connection), {
    transport,
    onerror: (error) => context.log(error.message),
  });
  await ended;
  await handle.close();
}
