import { LoadoutError } from '../../../model/loadout-error.ts';
import { durationKind } from '../../../schema/number-kinds.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { openContext, readPort } from './mcp.ts';

const USUAL_IDLE = '30m';

export const serve: CliCommand = {
  name: 'serve',
  summary: 'Keep indexes warm and answer hooks and MCP over HTTP, for this user on this machine.',
  arguments: [],
  settings: ['include', 'exclude', 'minRelevance', 'tokenBudget', 'maxFileBytes', 'historyLimit', 'cacheDir'],
  flags: [
    { syntax: '--port <PORT>', help: 'Listen on this port; 0 takes a free one. (default: 0)' },
    {
      syntax: '--idle <TIME>',
      help: `End after so long without a request; 0 never. (default: ${USUAL_IDLE})`,
    },
    { syntax: '--stop', help: 'End the server that runs.' },
    {
      syntax: '--background',
      help: 'As hooks and runs start it: in the place of one that another version started so.',
    },
  ],
  examples: [
    { line: 'loadout serve', does: 'hooks find it by themselves and answer many times faster' },
    { line: 'loadout serve --port 7411 --idle 0', does: 'at a fixed port, for good' },
    { line: 'loadout serve --stop', does: 'end the one that runs, whoever started it' },
  ],
  run: async (call) => {
    const port = call.flags.port === undefined ? 0 : readPort('--port', call.flags.port);
    const idleMs = readIdle(call.flags.idle ?? USUAL_IDLE);
    const { settings } = await call.settings();
    if (call.flags.stop) return stop(call, settings.cacheDir);
    const [
      { accessToken },
      { createSessionCache },
      { createWarmHooks },
      { startWarmServer },
      { readServerState },
      { programIdentity, serverFingerprint },
      { stopServer },
      { buildPackage },
    ] = await Promise.all([
      import('../../server/access-token.ts'),
      import('../../server/session-cache.ts'),
      import('../../server/warm-hooks.ts'),
      import('../../server/start-warm-server.ts'),
      import('../../server/server-state.ts'),
      import('../../server/server-fingerprint.ts'),
      import('../../server/stop-server.ts'),
      import('../../../context/pack.ts'),
    ]);
    const running = readServerState(settings.cacheDir);
    const program = programIdentity();
    const isBackground = call.flags.background === true;
    if (running?.isBackground && running.program !== program) await stopServer(settings.cacheDir);
    else if (running) {
      const message = `a server runs already (process ${running.process.pid}, port ${running.port})`;
      throw new LoadoutError('already-running', message, {
        hint: 'use it, or stop it first with "loadout serve --stop"',
      });
    }
    const sessions = createSessionCache();
    const context = await openContext(call, async (request) =>
      buildPackage(request, await sessions.get(request.repo, request.settings)),
    );
    const { env } = call.io;
    const { token, isNew } = accessToken(env);
    const server = await startWarmServer({
      port,
      token,
      idleMs,
      cacheDirectory: settings.cacheDir,
      identity: { version: context.version, fingerprint: serverFingerprint(env), program, isBackground },
      context,
      sessions,
      answerHook: createWarmHooks({
        sessions,
        environment: env,
        cwd: context.repo,
        cacheDirectory: settings.cacheDir,
      }),
      signal: call.signal,
    });
    const address = `http://127.0.0.1:${server.port}`;
    if (call.global.json) call.output.json({ address, mcp: `${address}/mcp`, pid: process.pid });
    else call.output.line(`serving ${address} (hooks at /hook/EVENT, MCP at /mcp)`);
    if (isNew && !call.global.quiet) call.io.stderr.write(`loadout: token ${token}\n`);
    // Code that has run once runs faster, so build a small package before the first call.
    const first = { ...settings, tokenBudget: 2_000 };
    const warming = context.buildPackage({
      repo: context.repo,
      settings: first,
      task: 'where the program starts',
    });
    const say = (error: Error) => context.log(error.message);
    // Announce the server when it is warm: until then hooks are faster without it.
    void warming
      .catch(say)
      .then(() => server.announce())
      .catch(say);
    const why = await server.ended;
    if (why === 'idle') context.log('nobody asked for a while: ended');
    if (why === 'replaced') context.log('hooks are led elsewhere: ended');
    return 0;
  },
};

async function stop(call: CommandCall, cacheDirectory: string): Promise<number> {
  const { stopServer } = await import('../../server/stop-server.ts');
  const stopped = await stopServer(cacheDirectory);
  if (call.global.json) call.output.json({ stopped: stopped ? stopped.process.pid : null });
  else if (stopped) call.output.line(`stopped process ${stopped.process.pid}`);
  else call.output.line('no server runs');
  return 0;
}

function readIdle(given: unknown): number {
  const { fromText, allowed } = durationKind({ min: 0 });
  const idleMs = fromText(String(given));
  if (idleMs !== undefined) return idleMs;
  const message = `--idle: ${JSON.stringify(given)} is not a time; allowed is ${allowed}`;
  throw new LoadoutError('bad-flag', message, { subject: '--idle' });
}
