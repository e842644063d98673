import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RIGHT_ANSWER, SUBAGENT_REPORT } from './stub/scenarios.ts';
import { Bench } from './support/run-agent.ts';

let bench: Bench;
afterEach(() => bench.close());

/** A server of one tool over standard input and output, in the protocol that every client knows. */
const MCP_SERVER = `
let buffered = '';
process.stdin.on('data', (chunk) => {
  buffered += chunk;
  const lines = buffered.split('\\n');
  buffered = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});
function answer({ id, method, params }) {
  if (id === undefined) return;
  const send = (body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
  if (method === 'initialize') {
    const serverInfo = { name: 'probe', version: '1.0.0' };
    send({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    const tool = { name: 'probe', description: 'a probe', inputSchema: { type: 'object', properties: {} } };
    send({ result: { tools: [{ ...tool, _meta: { 'anthropic/alwaysLoad': true } }] } });
  } else if (method === 'tools/call') send({ result: { content: [{ type: 'text', text: 'MCP-RESULT' }] } });
  else send({ error: { code: -32601, message: 'no such method' } });
}
`;

describe('the basis of the later suites', () => {
  it.each([
    ['subagent', 1],
    ['parallel-subagents', 2],
  ] as const)('%s: the report of each reaches the parent', async (scenario, count) => {
    bench = await Bench.open(scenario);
    const { answer } = await bench.run('claude', 'TASK-MARKER', { permissions: 'edit' });
    expect(answer).toMatchObject({ ok: true, text: RIGHT_ANSWER });
    const subtasks = bench.stub.work().filter(({ messages }) => /SUBTASK-[AB]: look/.test(messages[0]!.text));
    expect(new Set(subtasks.map(({ messages }) => messages[0]!.text.match(/SUBTASK-./)![0])).size).toBe(
      count,
    );
    const heard = bench.stub.work().map((request) => JSON.stringify(request.body));
    expect(heard.some((body) => body.split(SUBAGENT_REPORT).length - 1 >= count)).toBe(true);
  });

  it.each(['claude', 'codex', 'gemini'] as const)('mcp: %s calls the tool of a server', async (name) => {
    bench = await Bench.open('mcp');
    const server = join(bench.home, 'server.mjs');
    writeFileSync(server, MCP_SERVER);
    const config = { mcpServers: { probe: { command: process.execPath, args: [server], trust: true } } };
    const flags: string[] = [];
    if (name === 'claude')
      flags.push('--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__probe__probe');
    if (name === 'codex') {
      flags.push(
        '-c',
        `mcp_servers.probe={command="${process.execPath}",args=["${server}"],default_tools_approval_mode="approve"}`,
      );
    }
    if (name === 'gemini') {
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } }, ...config };
      writeFileSync(join(bench.home, '.gemini/settings.json'), JSON.stringify(settings));
    }
    const { answer } = await bench.run(name, 'TASK-MARKER', { flags, model: name === 'gemini' ? 'm' : null });
    expect(answer).toMatchObject({ ok: true, text: RIGHT_ANSWER });
    expect(JSON.stringify(bench.stub.work().at(-1)!.body)).toContain('MCP-RESULT');
  });

  it.each(['claude', 'codex'] as const)('broken: %s says that the connection was dropped', async (name) => {
    bench = await Bench.open('broken');
    const { answer } = await bench.run(name, 'TASK-MARKER');
    expect(answer).toMatchObject({ ok: false, error: { kind: 'network', isTransient: true } });
  });

  it.each([
    ['429', 'rate-limit'],
    ['529', 'overloaded'],
  ] as const)('%s: claude says %s and that it may pass', async (scenario, kind) => {
    bench = await Bench.open(scenario);
    const { answer } = await bench.run('claude', 'TASK-MARKER');
    expect(answer).toMatchObject({ ok: false, error: { kind, isTransient: true, status: Number(scenario) } });
  });
});
