import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  mcpContextFor,
  type SampleRepository,
  sampleRepository,
} from '../../src/surfaces/mcp/mcp-context.test-kit.ts';
import { type LoopbackServer, startLoopbackServer } from '../../src/surfaces/server/loopback-server.ts';
import { createHookRoute, createMcpRoute } from '../../src/surfaces/server/routes.ts';

const TOKEN = 'a-token-that-only-tests-know';

let repository: SampleRepository;
let server: LoopbackServer;
/** Requests that reached the code behind the checks. */
const reached: string[] = [];

beforeAll(async () => {
  repository = sampleRepository();
  const context = mcpContextFor(repository);
  const hook = createHookRoute(async ({ event }) => {
    reached.push(event);
    if (event === 'broken') throw new Error(`a path that must not leak: ${repository.path}`);
    return { hookSpecificOutput: { additionalContext: 'context' } };
  }, context.log);
  server = await startLoopbackServer({
    port: 0,
    token: TOKEN,
    routes: [await createMcpRoute(context), hook],
    log: context.log,
  });
});
afterAll(async () => {
  await server.close();
  repository.remove();
});

/** Bytes as they are, because a client library would not send most of this. */
function send(raw: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(raw));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error),
    );
    socket.on('close', () => resolve(answer));
    setTimeout(() => socket.destroy(), 20_000).unref();
  });
}

interface Shape {
  readonly line?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly extra?: string;
  readonly body?: string;
}

function message({
  line = 'POST /hook/user-prompt-submit HTTP/1.1',
  headers = {},
  extra = '',
  body = '{}',
}: Shape) {
  const usual: Record<string, string | null> = {
    Host: `127.0.0.1:${server.port}`,
    Authorization: `Bearer ${TOKEN}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(usual).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return `${line}\r\n${lines.join('\r\n')}\r\n${extra}\r\n${body}`;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

it('accepts a valid request', async () => {
  const answer = await send(message({}));
  expect(statusOf(answer)).toBe(200);
  expect(answer).toContain('additionalContext');
});

describe('hostile requests', () => {
  it.each<[string, number, Shape | (() => Shape)]>([
    ['a page whose own name leads here (DNS rebinding)', 403, { headers: { Host: 'evil.example:80' } }],
    ['a rebinding page on the right port', 403, () => ({ headers: { Host: `evil.example:${server.port}` } })],
    [
      'a name that only begins like ours',
      403,
      () => ({ headers: { Host: `127.0.0.1.evil.example:${server.port}` } }),
    ],
    ['a page of another site', 403, { headers: { Origin: 'https://evil.example' } }],
    ['a page from a file or a sandbox', 403, { headers: { Origin: 'null' } }],
    ['a page on another local port', 403, { headers: { Origin: 'http://localhost:1' } }],
    ['a request that a browser marks as foreign', 403, { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['no token', 401, { headers: { Authorization: null } }],
    ['a wrong token', 401, { headers: { Authorization: `Bearer ${TOKEN}x` } }],
    ['the token in another scheme', 401, { headers: { Authorization: `Basic ${TOKEN}` } }],
    ['two Host headers', 400, { extra: 'Host: evil.example\r\n' }],
    ['two Authorization headers', 400, { extra: `Authorization: Bearer ${TOKEN}\r\n` }],
    ['no Host at all', 400, { headers: { Host: null } }],
    ['two lengths (request smuggling)', 400, { extra: 'Transfer-Encoding: chunked\r\n' }],
    ['two different lengths', 400, { extra: 'Content-Length: 3\r\n' }],
    ['a form instead of JSON', 415, { headers: { 'Content-Type': 'text/plain' } }],
    ['a compressed body', 415, { headers: { 'Content-Encoding': 'gzip' } }],
    ['a body that says it is huge', 413, { headers: { 'Content-Length': '99999999999' } }],
    ['a body that is no JSON', 400, { body: '{"a":' }],
    ['a preflight', 405, { line: 'OPTIONS /hook/user-prompt-submit HTTP/1.1' }],
    ['another method', 405, { line: 'GET /mcp HTTP/1.1' }],
    ['a path that climbs', 404, { line: 'POST /hook/../mcp HTTP/1.1' }],
    ['an encoded path', 404, { line: 'POST /hook/%2e%2e HTTP/1.1' }],
    ['a whole address as its target', 404, { line: 'POST http://evil.example/mcp HTTP/1.1' }],
    ['headers beyond all measure', 431, { headers: { 'X-Long': 'x'.repeat(40_000) } }],
    ['no HTTP', 400, { line: 'hello' }],
  ])('%s: %i', async (_name, status, shape) => {
    reached.length = 0;
    const answer = await send(message(typeof shape === 'function' ? shape() : shape));
    expect(statusOf(answer)).toBe(status);
    expect(reached).toEqual([]);
    expect(answer).not.toContain(TOKEN);
    expect(answer).not.toContain(repository.path);
    expect(answer.toLowerCase()).not.toContain('access-control-');
  });

  it('a body that is larger than it says, or never ends', async () => {
    reached.length = 0;
    const chunk = `${(1 << 20).toString(16)}\r\n${' '.repeat(1 << 20)}\r\n`;
    const head = message({ headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }, body: '' });
    const answer = await send(head + chunk.repeat(12));
    expect([413, 0]).toContain(statusOf(answer));
    expect(reached).toEqual([]);
  });

  it('a body that is not UTF-8', async () => {
    const head = message({ headers: { 'Content-Length': '4' }, body: '' });
    expect(
      statusOf(await send(Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xff, 0xfe, 0x22])]))),
    ).toBe(400);
  });

  it('an upgrade or a tunnel ends without an answer', async () => {
    expect(statusOf(await send(message({ line: 'CONNECT evil.example:443 HTTP/1.1' })))).toBe(0);
    const upgrade = { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } };
    expect(await send(message(upgrade))).toBe('');
  });

  it('an internal failure gives an empty answer without details', async () => {
    const answer = await send(message({ line: 'POST /hook/broken HTTP/1.1' }));
    expect(statusOf(answer)).toBe(200);
    expect(answer).toMatch(/\r\n\r\n\{\}$/);
  });

  it('paths outside the repository stay there over MCP', async () => {
    const call = (name: string, given: unknown) => {
      const params = { name, arguments: given };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const headers = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };
      return send(message({ line: 'POST /mcp HTTP/1.1', headers, body }));
    };
    for (const reference of [
      '../outside.txt',
      '/etc/passwd',
      '..\\outside.txt',
      'src/\u0000x',
      'secret/keys.txt',
    ]) {
      const answer = await call('expand', { reference });
      expect(answer).toContain('"isError":true');
      expect(answer).not.toMatch(/not for anybody|root:|ignored and secret/);
    }
    expect(await call('get_context', { task: 'x', targets: ['../outside.txt'] })).toContain('"isError":true');
  });
});

it('listens to this machine alone', async () => {
  const { networkInterfaces } = await import('node:os');
  const others = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
  );
  for (const { address } of others) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(server.port, address, () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    expect(isOpen).toBe(false);
  }
});
