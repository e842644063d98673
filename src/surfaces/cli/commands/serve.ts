/**
 * `loadout serve` keeps indexes open for hooks and MCP over HTTP; `loadout mcp` serves MCP to one client. Both
 * work for this user on this machine only.
 */

import { homedir } from 'node:os';
import { durationKind } from '../../../config/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { endWithParent } from '../../../platform/process/worker-process.ts';
import { readVersion } from '../../shared/program-identity.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { printable } from '../views/output.ts';

/** A server that is not used gives its memory back. */
const USUAL_IDLE = '30m';

export const serve: CliCommand = {
  name: 'serve',
  summary: 'Keep indexes open and answer hooks and MCP over HTTP, for this user on this machine.',
  arguments: [],
  groups: [
    { title: 'Server', flags: ['--port', '--idle', '--stop', '--background'] },
    { title: 'Packages', flags: ['--budget', '--include', '--exclude', '--min-relevance'] },
  ],
  settings: ['include', 'exclude', 'minRelevance', 'tokenBudget', 'maxFileBytes', 'historyLimit', 'cacheDir'],
  flags: [
    { syntax: '--port <PORT>', help: 'Port to listen on; 0 takes a free one. (default: 0)' },
    {
      syntax: '--idle <TIME>',
      help: `Stop after this time without a request; 0 means never. (default: ${USUAL_IDLE})`,
    },
    { syntax: '--stop', help: 'Stop the running server.' },
    {
      syntax: '--background',
      help: 'Used by hooks: replace a background server of another version.',
    },
  ],
  examples: [
    { line: 'loadout serve', does: 'start the server; hooks find it and answer many times faster' },
    { line: 'loadout serve --port 7411 --idle 0', does: 'on a fixed port, until you stop it' },
    { line: 'loadout serve --stop', does: 'stop the running server' },
  ],
  run: async (call) => {
    const port = call.flags.port === undefined ? 0 : readPort('--port', call.flags.port);
    const idleMs = readIdle(call.flags.idle ?? USUAL_IDLE);
    if (call.flags.stop) return stop(call, (await call.settings()).settings.cacheDir);
    const { runServer } = await import('../../server/start-warm-server.ts');
    const ended = await runServer({
      ...(await mcpOptions(call)),
      port,
      idleMs,
      isBackground: call.flags.background === true,
      signal: call.signal,
      onReady: (address, newToken) => {
        if (call.global.json) call.output.json({ address, mcp: `${address}/mcp`, pid: process.pid });
        else call.output.line(`serving ${address} (hooks at /hook/EVENT, MCP at /mcp)`);
        // A new token is printed once, and never on stdout, which may go to a log.
        if (newToken !== null && !call.global.quiet) call.io.stderr.write(`loadout: token ${newToken}\n`);
      },
    });
    if (ended === 'idle') sayOnStderr(call, 'ended, because there was no request for a while');
    if (ended === 'replaced') sayOnStderr(call, 'ended, because hooks now find another server');
    return 0;
  },
};

/** Stops the server of this cache directory. If there is none, this is not an error. */
async function stop(call: CommandCall, cacheDirectory: string): Promise<number> {
  const { stopServer } = await import('../../shared/server-client.ts');
  const stopped = await stopServer(cacheDirectory);
  if (call.global.json) call.output.json({ stopped: stopped ? stopped.process.pid : null });
  else if (stopped) call.output.line(`stopped process ${stopped.process.pid}`);
  else call.output.line('no server is running');
  return 0;
}

/** The time of `--idle` in milliseconds. */
function readIdle(given: unknown): number {
  const { fromText, allowed } = durationKind({ min: 0 });
  const idleMs = fromText(String(given));
  if (idleMs !== undefined) return idleMs;
  const message = `--idle: ${JSON.stringify(given)} is not a time; allowed is ${allowed}`;
  throw new LoadoutError('bad-flag', message, { subject: '--idle' });
}

/** The command `mcp`. Clients start it; without `--http` it talks over stdin and stdout. */
export const mcp: CliCommand = {
  name: 'mcp',
  summary: 'Serve packages, search and excerpts to agents over the Model Context Protocol.',
  arguments: [],
  groups: [
    { title: 'Server', flags: ['--http'] },
    { title: 'Packages', flags: ['--budget', '--include', '--exclude', '--min-relevance'] },
  ],
  settings: ['include', 'exclude', 'minRelevance', 'tokenBudget', 'maxFileBytes', 'historyLimit', 'cacheDir'],
  flags: [
    {
      syntax: '--http <PORT>',
      help: 'Serve over HTTP on this local port instead of standard input and output; 0 takes a free one.',
    },
  ],
  examples: [
    { line: 'loadout mcp', does: 'started by clients; see loadout init' },
    { line: 'loadout mcp --http 7411', does: 'over HTTP; the token is printed once' },
  ],
  run: async (call) => {
    const port = call.flags.http === undefined ? null : readPort('--http', call.flags.http);
    const { openMcpContext } = await import('../../mcp/mcp-context.ts');
    const context = openMcpContext(await mcpOptions(call));
    // End with the client, even when this process hangs or serves over HTTP.
    endWithParent(process.ppid);
    if (port === null) {
      const { serveMcpStdio } = await import('../../mcp/create-mcp-server.ts');
      await serveMcpStdio(context, { ...call.io, signal: call.signal });
      return 0;
    }
    const { accessToken } = await import('../../server/http-guard.ts');
    const { token, isNew } = accessToken(call.io.env);
    const { runMcpHttp } = await import('../../server/routes.ts');
    await runMcpHttp(context, {
      port,
      token,
      signal: call.signal,
      onReady: (address) => {
        call.io.stderr.write(`loadout: serving ${address}\n`);
        if (isNew) call.io.stderr.write(`loadout: token ${token}\n`);
      },
    });
    return 0;
  },
};

/** A port from 0 to 65535. 0 takes a free one. */
function readPort(flag: string, given: unknown): number {
  const port = Number(given);
  if (typeof given === 'string' && /^\d{1,5}$/.test(given) && port < 65_536) return port;
  const message = `${flag}: ${JSON.stringify(given)} is not a port; allowed is a whole number from 0 to 65535`;
  throw new LoadoutError('bad-flag', message, { subject: flag });
}

/** The parts of an MCP context that a call decides. */
async function mcpOptions(call: CommandCall) {
  return {
    root: call.repository(),
    loaded: await call.settings(),
    environment: call.io.env,
    home: call.io.env.HOME || call.io.env.USERPROFILE || homedir(),
    version: readVersion(),
    log: (line: string) => sayOnStderr(call, line),
  };
}

/** Standard output belongs to the protocol, so all other lines go to standard error. */
function sayOnStderr({ io }: CommandCall, line: string): void {
  io.stderr.write(`loadout: ${printable(line)}\n`);
}
