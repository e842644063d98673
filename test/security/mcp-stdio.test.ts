import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SampleRepository, sampleRepository } from '../../src/surfaces/mcp/mcp-context.test-kit.ts';
import { CLI } from '../support/run-cli.ts';

const PROGRAM = process.env.LOADOUT_TEST_CLI ?? CLI;

let repository: SampleRepository;
beforeAll(() => {
  repository = sampleRepository();
});
afterAll(() => repository.remove());

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: repository.home,
  LOADOUT_CACHE_DIR: repository.cache,
});
const line = (...more: string[]) => [PROGRAM, 'mcp', '--repo', repository.path, ...more];

function start(...more: string[]): ChildProcess {
  return spawn(process.execPath, line(...more), { env: environment(), stdio: 'pipe' });
}

describe.each([
  ['the 2026-07-28 revision', { pin: '2026-07-28' }],
  ['initialize clients', 'legacy'],
  ['clients that try both', 'auto'],
] as const)('over standard input and output, with %s', (_name, mode) => {
  it('serves the official client', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: line(),
        env: environment(),
        stderr: 'ignore',
      }),
    );
    expect((await client.listTools()).tools).toHaveLength(4);
    const { content } = await client.callTool({
      name: 'get_context',
      arguments: { task: 'Fix the race in TokenRefresher.refresh' },
    });
    expect((content as { text: string }[])[0]!.text).toContain('TokenRefresher.refresh');
    await client.close();
  });
});

describe('the channel', () => {
  const INITIALIZE = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };

  it('carries nothing but the protocol, whatever comes in, and ends with its input', async () => {
    const child = start();
    let out = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const call = (id: number, name: string, given: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
    const lines = [
      JSON.stringify(INITIALIZE),
      'not JSON at all',
      '{"jsonrpc":"2.0"',
      '[]',
      '{"jsonrpc":"2.0","id":2,"method":"no/such/method"}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      call(3, 'expand', { reference: '../outside.txt' }),
      call(4, 'expand', { reference: 'src/http.ts' }),
      call(5, 'get_context', { task: 7 }),
      `{"jsonrpc":"2.0","id":6,"method":"tools/list","params":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
    ];
    child.stdin!.write(`${lines.join('\n')}\n`);
    await expect.poll(() => out, { timeout: 15_000 }).toContain('"id":4');
    await expect.poll(() => out, { timeout: 5_000 }).toContain('"id":5');
    child.stdin!.end();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { jsonrpc: string; id?: number; error?: unknown });
    for (const { jsonrpc } of messages) expect(jsonrpc).toBe('2.0');
    expect(messages.find(({ id }) => id === 2)).toHaveProperty('error');
    expect(out).not.toContain('not for anybody');
  });

  it('ends when a message is too large to be one', async () => {
    const child = start();
    child.stdin!.on('error', () => {});
    child.stdin!.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(11_000_000)}`);
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});

describe('over HTTP', () => {
  it('prints its address and a token once, on standard error, and serves with it', async () => {
    const child = start('--http', '0');
    let said = '';
    let out = '';
    child.stdout!.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 10_000 }).toMatch(/token \S+\n/);
    const address = /serving (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(said)![1]!;
    const token = /token (\S+)/.exec(said)![1]!;
    const post = (authorization: string) =>
      fetch(address, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect((await post('Bearer wrong')).status).toBe(401);
    expect(await (await post(`Bearer ${token}`)).text()).toContain('get_context');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(143);
    expect(out).toBe('');
  });

  it('does not outlive the process that started it', async () => {
    const script = `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ${JSON.stringify(line('--http', '0'))}, { stdio: ['ignore', 'ignore', 'pipe'] });
child.stderr.once('data', () => process.stdout.write(String(child.pid)));`;
    const parent = spawn(process.execPath, ['-e', script], { env: environment() });
    const [text] = await once(parent.stdout!, 'data');
    const pid = Number(String(text));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
