import { buildPackage } from '../../context/pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type McpContextOptions, openMcpContext } from '../mcp/index.ts';
import { programIdentity, serverFingerprint } from '../shared/program-identity.ts';
import { readServerState, stopServer } from '../shared/server-state.ts';
import { createWarmHooks } from './hook-route.ts';
import { accessToken } from './http-guard.ts';
import { createSessionCache, type ServerEnd, startWarmServer } from './start-warm-server.ts';

/** The options of `loadout serve`. */
export interface RunServerOptions extends Omit<McpContextOptions, 'buildPackage'> {
  /** 0 takes a free port. */
  readonly port: number;
  /** The server ends after so long without a request; 0 for never. */
  readonly idleMs: number;
  /** A hook or a run started it, so a newer version may take its place. */
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

async function makeRoom(cacheDirectory: string, program: string): Promise<void> {
  const running = readServerState(cacheDirectory);
  if (!running) return;
  if (running.isBackground && running.program !== program) {
    await stopServer(cacheDirectory);
    return;
  }
  const message = `a server runs already (process ${running.process.pid}, port ${running.port})`;
  throw new LoadoutError('already-running', message, {
    hint: 'use it, or stop it first with "loadout serve --stop"',
  });
}
