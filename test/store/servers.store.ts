import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryRepository } from '../support/temporary-repository.ts';
import { clusterUrls, freshTeam, hasCluster } from './cluster-kit.ts';
import { configureStore, environmentOf, PROGRAM, runProgram } from './program-kit.ts';

/** Counts the requests to the cluster. */
async function countingFront() {
  const seen = { searches: 0 };
  const server = createServer((incoming, outgoing) => {
    if (incoming.url!.includes('_msearch')) seen.searches++;
    const { host: _, ...headers } = incoming.headers;
    const onward = send(clusterUrls()[0] + incoming.url!, { method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const TASK = { name: 'get_context', arguments: { task: 'refresh the token store' } };
const textOf = (result: { content?: unknown }) => (result.content as { text: string }[])[0]!.text;

describe.skipIf(!hasCluster())('a server of a user whose settings name a store', () => {
  async function filled() {
    const repository = temporaryRepository({
      'src/token-store.ts': 'export class TokenStore {\n  refresh() {}\n}\n',
      'src/clock.ts': 'export function now() {\n  return 0;\n}\n',
    });
    const front = await countingFront();
    configureStore(repository, { team: freshTeam(), url: [front.url], store: 'team' });
    expect((await runProgram(repository, 'scan')).exitCode).toBe(0);
    front.seen.searches = 0;
    return { repository, seen: front.seen };
  }

  it('over standard input and output asks it', { timeout: 60_000 }, async () => {
    const { repository, seen } = await filled();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp'],
        cwd: repository.path,
        env: environmentOf(repository),
        stderr: 'ignore',
      }),
    );
    const text = textOf(await client.callTool(TASK));
    await client.close();
    expect(text).toContain('src/token-store.ts');
    expect(text).not.toContain('store-unavailable');
    expect(seen.searches).toBeGreaterThan(0);
  });

  it('over HTTP, with a warm index, asks it', { timeout: 60_000 }, async () => {
    const { repository, seen } = await filled();
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      cwd: repository.path,
      env: environmentOf(repository),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    const [[address], [, token]] = await Promise.all([
      waitFor(child, child.stdout, /http:\/\/127\.0\.0\.1:\d+/),
      waitFor(child, child.stderr, /token (\S+)\n/),
    ]);
    const client = new Client({ name: 'test', version: '1' });
    const headers = { Authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }),
    );
    expect(textOf(await client.callTool(TASK))).toContain('src/token-store.ts');
    // the server asks on its own while it warms up
    await sleep(1000);
    seen.searches = 0;
    const text = textOf(await client.callTool(TASK));
    await client.close();
    expect(text).toContain('src/token-store.ts');
    expect(text).not.toContain('store-unavailable');
    expect(seen.searches).toBeGreaterThan(0);
  });
});

/** Waits until the output of the process matches. */
function waitFor(child: ChildProcess, stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
    child.once('exit', () => reject(new Error(`it ended without ${pattern}: ${text}`)));
  });
}
