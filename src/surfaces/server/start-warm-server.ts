/**
 * The server that keeps indexes open, so that hooks and MCP calls answer from memory. `runServer` puts it
 * together; it ends when it is idle, stopped or replaced.
 */

import type { Settings } from '../../config/index.ts';
import { buildPackage } from '../../context/pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type IndexSession, indexKey, openIndexSession } from '../../scan/index.ts';
import { type McpContext, type McpContextOptions, openMcpContext } from '../mcp/index.ts';
import { programIdentity, serverFingerprint } from '../shared/program-identity.ts';
import {
  readServerState,
  removeServerState,
  type ServerState,
  stopServer,
  writeServerState,
} from '../shared/server-client.ts';
import { accessToken } from './http-guard.ts';
import { type Route, sendJson, startLoopbackServer } from './loopback-server.ts';
import { type AnswerHook, createHookRoute, createMcpRoute, createWarmHooks } from './routes.ts';

/** The options of `loadout serve`. */
export interface RunServerOptions extends Omit<McpContextOptions, 'buildPackage' | 'withIndex'> {
  /** 0 takes a free port. */
  readonly port: number;
  /** The server ends after so long without a request; 0 for never. */
  readonly idleMs: number;
  /** A hook started it, so a newer version may replace it. */
  readonly isBackground: boolean;
  readonly signal: AbortSignal;
  /** Called when the server listens. The token is null when the user has chosen it. */
  readonly onReady: (address: string, newToken: string | null) => void;
}

/** Runs the server that keeps indexes open, and resolves with the reason when it has ended. */
export async function runServer(options: RunServerOptions): Promise<ServerEnd> {
  const { environment, loaded, signal, log } = options;
  const { cacheDir } = loaded.settings;
  const program = programIdentity();
  // One server for each cache directory: an old one in the background makes room, any other is an error.
  await makeRoom(cacheDir, program);
  // Hooks and MCP calls share the open indexes.
  const sessions = createSessionCache();
  const context = openMcpContext({
    ...options,
    buildPackage: async (request) =>
      buildPackage(request, await sessions.get(request.repo, request.settings)),
    withIndex: async (request, use) => (await sessions.get(request.repo, request.settings)).use(use),
  });
  const { token, isNew } = accessToken(environment);
  const server = await startWarmServer({
    port: options.port,
    token,
    idleMs: options.idleMs,
    cacheDirectory: cacheDir,
    identity: {
      version: context.version,
      fingerprint: serverFingerprint(environment),
      program,
      isBackground: options.isBackground,
    },
    context,
    sessions,
    answerHook: createWarmHooks({ sessions, environment, cwd: context.repo, cacheDirectory: cacheDir }),
    signal,
  });
  options.onReady(`http://127.0.0.1:${server.port}`, isNew ? token : null);
  // Code that has run once runs faster, so build a small package before the first call.
  const warming = context.buildPackage({
    repo: context.repo,
    settings: { ...loaded.settings, tokenBudget: 2_000 },
    task: 'where the program starts',
  });
  // Announce the server when it is warm: until then hooks are faster without it.
  const say = (error: Error) => log(error.message);
  void warming
    .catch(say)
    .then(() => server.announce())
    .catch(say);
  return server.ended;
}

/** Stops a background server of another version. Any other running server is an error. */
async function makeRoom(cacheDirectory: string, program: string): Promise<void> {
  const running = readServerState(cacheDirectory);
  if (!running) return;
  if (running.isBackground && running.program !== program) {
    await stopServer(cacheDirectory);
    return;
  }
  const message = `a server is already running (process ${running.process.pid}, port ${running.port})`;
  throw new LoadoutError('already-running', message, {
    hint: 'use it, or stop it first with "loadout serve --stop"',
  });
}

/** The parts of the server; `runServer` puts them together. */
export interface WarmServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** Requests without it are refused. */
  readonly token: string;
  /** The folder for the state file, by which hooks find the server. */
  readonly cacheDirectory: string;
  /** The facts by which hook processes recognise it. */
  readonly identity: Pick<ServerState, 'version' | 'fingerprint' | 'program' | 'isBackground'>;
  /** The server ends after this time without a request; 0 for never. */
  readonly idleMs: number;
  /** The context of the MCP endpoint. */
  readonly context: McpContext;
  readonly sessions: SessionCache;
  readonly answerHook: AnswerHook;
  readonly signal: AbortSignal;
}

/** A server that is listening. */
export interface WarmServer {
  readonly port: number;
  /** Writes the state file, by which hook processes find the server. */
  announce(): void;
  /** Resolves with the reason when the server has ended. */
  readonly ended: Promise<ServerEnd>;
}

/** Why a server ended. `replaced`: hooks now find another server, or the cache directory is gone. */
export type ServerEnd = 'stopped' | 'idle' | 'replaced';

/** Longest time between two checks for idleness and replacement. */
const MAX_CHECK_MS = 30_000;

/** Starts the server that keeps indexes open. It answers hooks, MCP and `/health`. */
export async function startWarmServer(options: WarmServerOptions): Promise<WarmServer> {
  const { port, token, cacheDirectory, identity, idleMs, context, sessions, answerHook, signal } = options;
  let lastUse = performance.now();
  // Shown by /health.
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
    // Remove the state first: no hook may find a server that is closing.
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

/** The index sessions that a server keeps open, one a repository. */
export interface SessionCache {
  /** The session for the repository at this real path. It is opened on first use, and again for other settings. */
  get(path: string, settings: Settings): Promise<IndexSession>;
  /** The repositories that are open. */
  readonly paths: () => readonly string[];
  /** Ends the watches of all repositories. */
  close(): Promise<void>;
}

/** Each session holds a watch and some memory, so only the repositories that were used last stay open. */
const MAX_SESSIONS = 8;

/** Opens each repository once, also when several calls ask at the same time. */
export function createSessionCache(open = openWatched): SessionCache {
  const sessions = new Map<string, { readonly key: string; readonly session: Promise<IndexSession> }>();
  const drop = async (path: string): Promise<void> => {
    const one = sessions.get(path);
    sessions.delete(path);
    await one?.session.then((session) => session.close()).catch(() => {});
  };
  return {
    get(path, settings) {
      const key = indexKey(settings);
      const known = sessions.get(path);
      if (known && known.key !== key) void drop(path);
      const one = known?.key === key ? known : { key, session: open(path, settings) };
      // The map is in order of use: the entry that was used last is at the end.
      sessions.delete(path);
      sessions.set(path, one);
      one.session.catch(() => {
        if (sessions.get(path) === one) sessions.delete(path);
      });
      if (sessions.size > MAX_SESSIONS) void drop(sessions.keys().next().value!);
      return one.session;
    },
    paths: () => [...sessions.keys()],
    close: async () => {
      await Promise.all([...sessions.keys()].map(drop));
    },
  };
}

/** A watched session knows of changes without looking at every file. */
function openWatched(repo: string, settings: Settings): Promise<IndexSession> {
  return openIndexSession({ repo, settings, mode: settings.scanMode }, 'watched');
}
