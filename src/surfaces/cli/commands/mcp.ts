import { homedir } from 'node:os';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { endWithParent } from '../../../platform/process/parent-watch.ts';
import type { McpContext } from '../../mcp/mcp-context.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { printable } from '../printable.ts';
import { readVersion } from '../read-version.ts';

export const mcp: CliCommand = {
  name: 'mcp',
  summary: 'Serve packages, search and excerpts to agents over the Model Context Protocol.',
  arguments: [],
  settings: ['include', 'exclude', 'minRelevance', 'tokenBudget', 'maxFileBytes', 'historyLimit', 'cacheDir'],
  flags: [
    {
      syntax: '--http <PORT>',
      help: 'Serve over HTTP on this port of this machine instead of standard input and output; 0 takes a free one.',
    },
  ],
  examples: [
    { line: 'loadout mcp', does: 'what a client starts; see loadout init' },
    { line: 'loadout mcp --http 7411', does: 'over HTTP; the token is printed once' },
  ],
  run: async (call) => {
    const port = call.flags.http === undefined ? null : readPort('--http', call.flags.http);
    const context = await openContext(call);
    endWithParent(process.ppid);
    if (port === null) {
      const { serveMcpStdio } = await import('../../mcp/serve-mcp-stdio.ts');
      await serveMcpStdio(context, { ...call.io, signal: call.signal });
      return 0;
    }
    const { accessToken } = await import('../../server/access-token.ts');
    const { token, isNew } = accessToken(call.io.env);
    const { runMcpHttp } = await import('../../server/run-mcp-http.ts');
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

export function readPort(flag: string, given: unknown): number {
  const port = Number(given);
  if (typeof given === 'string' && /^\d{1,5}$/.test(given) && port < 65_536) return port;
  const message = `${flag}: ${JSON.stringify(given)} is not a port; allowed is a whole number from 0 to 65535`;
  throw new LoadoutError('bad-flag', message, { subject: flag });
}

/** Standard output belongs to the protocol: whatever else there is to say goes to standard error. */
export async function openContext(
  call: CommandCall,
  buildPackage?: McpContext['buildPackage'],
): Promise<McpContext> {
  const { openMcpContext } = await import('../../mcp/open-mcp-context.ts');
  return openMcpContext({
    root: call.repository(),
    loaded: await call.settings(),
    environment: call.io.env,
    home: call.io.env.HOME || call.io.env.USERPROFILE || homedir(),
    version: readVersion(),
    log: (line) => void call.io.stderr.write(`loadout: ${printable(line)}\n`),
    ...(buildPackage ? { buildPackage } : {}),
  });
}
