import type { McpContext } from '../mcp/mcp-context.ts';
import { type AnswerHook, createHookRoute } from './hook-route.ts';
import { type Route, sendJson, startLoopbackServer } from './loopback-server.ts';
import { createMcpRoute } from './mcp-route.ts';
import { readServerState, removeServerState, type ServerState, writeServerState } from './server-state.ts';
import type { SessionCache } from './session-cache.ts';

export interface WarmServerOptions {
  /** 0 for any that is free. */
  readonly port: number;
  readonly token: string;
  readonly cacheDirectory: string;
  /** What hook processes and runs have to know of it. */
  readonly identity: Pick<ServerState, 'version' | 'fingerprint' | 'program' | 'isBackground'>;
  /** Ends by itself when nobody has asked for so long; 0 for never. */
  readonly idleMs: number;
  /** What the MCP endpoint works with. */
  readonly context: McpContext;
  readonly sessions: SessionCache;
  readonly answerHook: AnswerHook;
  readonly signal: AbortSignal;
}

export interface WarmServer {
  readonly port: number;
  /** From now on hook processes find it. */
  announce(): void;
  /** Settles when the server has ended, and why. */
  readonly ended: Promise<ServerEnd>;
}

/** `replaced`: another server stands where hooks look, or the cache directory is gone. */
type ServerEnd = 'stopped' | 'idle' | 'replaced';

const MAX_CHECK_MS = 30_000;

/** The server that keeps indexes open: hooks, MCP and a look at its health. */
export async function startWarmServer(options: WarmServerOptions): Promise<WarmServer> {
  const { port, token, cacheDirectory, identity, idleMs, context, sessions, answerHook, signal } = options;
  let lastUse = performance.now();
  const answered = { hooks: 0 };
  const mcp = await createMcpRoute(context);
  const health: Route = {
    method: 'GET',
    path: '/health',
    handle: async ({ response }) =>
      sendJson(response, 200, {
        name: 'loadout',
        version: context.version,
        warm: sessions.paths(),
        answered,
      }),
  };
  const server = await startLoopbackServer({
    port,
    token,
    routes: [
      health,
      mcp,
      createHookRoute((question) => {
        answered.hooks += 1;
        return answerHook(question);
      }, context.log),
    ],
    log: context.log,
    onUse: () => {
      lastUse = performance.now();
    },
  });
  let isAnnounced = false;
  const ended = new Promise<ServerEnd>((resolve) => {
    const end = (why: ServerEnd) => {
      clearInterval(timer);
      resolve(why);
    };
    const timer = setInterval(
      () => {
        if (idleMs > 0 && performance.now() - lastUse >= idleMs) end('idle');
        else if (isAnnounced && readServerState(cacheDirectory)?.token !== token) end('replaced');
      },
      Math.min(MAX_CHECK_MS, Math.max(50, idleMs > 0 ? idleMs / 4 : MAX_CHECK_MS)),
    );
    if (signal.aborted) end('stopped');
    signal.addEventListener('abort', () => end('stopped'), { once: true });
  }).finally(async () => {
    removeServerState(cacheDirectory, token);
    await server.close();
    await Promise.all([mcp.close(), sessions.close()]);
  });
  const announce = () => {
    writeServerState(cacheDirectory, { port: server.port, token, ...identity });
    isAnnounced = true;
  };
  return { port: server.port, announce, ended };
}
