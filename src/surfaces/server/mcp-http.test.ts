import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  mcpContextFor,
  type SampleRepository,
  sampleRepository,
  type TestContext,
} from '../mcp/mcp-context.test-kit.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { createMcpRoute } from './routes.ts';

const TOKEN = 'a-token-that-only-tests-know';

let repository: SampleRepository;
let context: TestContext;
let server: LoopbackServer;
beforeAll(async () => {
  repository = sampleRepository();
  context = mcpContextFor(repository);
  const routes = [await createMcpRoute(context)];
  server = await startLoopbackServer({ port: 0, token: TOKEN, routes, log: context.log });
});
afterAll(async () => {
  await server.close();
  repository.remove();
});

async function connect(mode: 'legacy' | { pin: string } | 'auto', name = 'test'): Promise<Client> {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  const address = new URL(`http://127.0.0.1:${server.port}/mcp`);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}

const textOf = (result: { content?: unknown }) => (result.content as { text: string }[])[0]!.text;

it.each([
  ['codex-mcp-client', 46_000],
  ['gemini-cli-mcp-client', 39_000],
  ['qwen-cli-mcp-client-loadout', 24_500],
])('%s gets no more than it accepts in one piece', async (name, most) => {
  const rows = Array.from({ length: 1_500 }, (_, at) => `export const value${at} = 'value of row ${at}';`);
  writeFileSync(join(repository.path, 'src/rows.ts'), `${rows.join('\n')}\n`);
  const bytesFor = async (client: Client) => {
    const call = { name: 'expand', arguments: { reference: 'src/rows.ts', budget: 100_000 } };
    const text = textOf(await client.callTool(call));
    await client.close();
    return Buffer.byteLength(text);
  };
  expect(await bytesFor(await connect({ pin: '2026-07-28' }))).toBeGreaterThan(60_000);
  const bytes = await bytesFor(await connect({ pin: '2026-07-28' }, name));
  expect(bytes).toBeLessThanOrEqual(most);
  expect(bytes).toBeGreaterThan(most / 2);
});

describe.each([
  ['the 2026-07-28 revision', { pin: '2026-07-28' }],
  ['initialize clients', 'legacy'],
] as const)('with %s', (_name, mode) => {
  it('lists tools, prompts and templates, and says when to use them', async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
    expect(client.getInstructions()).toContain('get_context');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['get_context', 'search_code', 'expand', 'report_gap']);
    expect(tools[0]!._meta).toMatchObject({ 'anthropic/alwaysLoad': true });
    expect(tools[0]!.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['context']);
    expect((await client.listResourceTemplates()).resourceTemplates[0]!.uriTemplate).toBe(
      'loadout://pack/{id}',
    );
    await client.close();
  });

  it('calls a tool, reads its package as a resource and gets the prompt', async () => {
    const client = await connect(mode);
    const task = 'Fix the race in TokenRefresher.refresh';
    const result = await client.callTool({ name: 'get_context', arguments: { task } });
    expect(result).not.toHaveProperty('structuredContent');
    expect(textOf(result)).toMatch(/^5 {3}async refresh\(token: string\)/m);
    const id = /Package ([0-9a-f]{16})\./.exec(textOf(result))![1]!;
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ uri: `loadout://pack/${id}`, title: task });
    const { contents } = await client.readResource({ uri: `loadout://pack/${id}` });
    expect(textOf(result)).toContain((contents[0] as { text: string }).text);
    const prompt = await client.getPrompt({ name: 'context', arguments: { task } });
    expect((prompt.messages[0]!.content as { text: string }).text).toMatch(/## Task\n\nFix the race.*\n$/);
    await client.close();
  });

  it('answers an impossible request with an error that says why', async () => {
    const client = await connect(mode);
    const result = await client.callTool({ name: 'expand', arguments: { reference: '../outside.txt' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('outside');
    await expect(client.callTool({ name: 'run_command', arguments: {} })).rejects.toThrow('no tool');
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
    await expect(client.getPrompt({ name: 'context', arguments: {} })).rejects.toThrow('task: is missing');
    await client.close();
  });

  it('reports progress and can be cancelled', async () => {
    const client = await connect(mode);
    const steps: number[] = [];
    await client.callTool(
      { name: 'search_code', arguments: { query: 'token' } },
      { onprogress: ({ progress }) => void steps.push(progress) },
    );
    expect(steps.length).toBeGreaterThan(0);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'search_code', arguments: { query: 'token' } },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(call).rejects.toThrow();
    expect(textOf(await client.callTool({ name: 'search_code', arguments: { query: 'token' } }))).toContain(
      'src/auth/token.ts',
    );
    await client.close();
  });
});

it('a client that can do both gets the newer revision', async () => {
  const client = await connect('auto');
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  await client.close();
});

describe('revisions on the wire', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('initialize with %s', async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(`"protocolVersion":"${version}"`);
  });

  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  };
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };

  it('answers the newer revision whole, with how long it may be kept', async () => {
    const answer = await post(list, modern);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBeLessThan(4_096);
    expect(JSON.parse(text).result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000 });
    expect(await (await post(list, modern)).text()).toBe(text);
  });

  it.each([
    ['another method in its header', { ...modern, 'mcp-method': 'prompts/list' }],
    ['another version in its header', { ...modern, 'mcp-protocol-version': '2025-11-25' }],
    ['no version in its header', { 'mcp-method': 'tools/list' }],
    ['an unknown version', { ...modern, 'mcp-protocol-version': '1999-01-01' }],
  ])('refuses a body with %s', async (_name, headers) => {
    expect((await post(list, headers)).status).toBe(400);
  });
});
