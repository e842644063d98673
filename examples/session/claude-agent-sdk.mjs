// Claude Agent SDK: hooks, against a stand-in for the API on this machine.
// Run: npm install @anthropic-ai/claude-agent-sdk zod && node examples/session/claude-agent-sdk.mjs
// CLAUDE_CODE_EXECUTABLE names another program than the one that comes with the SDK.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { RECALL_HEADER } from 'loadout/session';
import { recallBlockHooks } from 'loadout/session/claude-agent-sdk';
import { z } from 'zod';
import { createSession, LONG_LINE, readFile, STEPS } from './check.mjs';

const TOOL = 'mcp__files__read_file';
const program = process.env.CLAUDE_CODE_EXECUTABLE;
const seen = [];

function answer(body) {
  const isMain = (body.tools ?? []).some(({ name }) => name === TOOL);
  if (isMain) seen.push(JSON.stringify(body));
  const at = seen.length;
  const block =
    isMain && at <= STEPS
      ? { type: 'tool_use', id: `toolu_${at}`, name: TOOL, input: {} }
      : { type: 'text', text: '' };
  const delta =
    block.type === 'tool_use'
      ? { type: 'input_json_delta', partial_json: JSON.stringify({ at }) }
      : { type: 'text_delta', text: 'done' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const stop_reason = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
  const message = { id: `msg_${at}`, type: 'message', role: 'assistant', model: body.model, content: [], usage };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(request.url)) {
    response.writeHead(404).end('{}');
    return;
  }
  const events = answer(JSON.parse(Buffer.concat(chunks).toString()));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const home = mkdtempSync(join(tmpdir(), 'loadout-claude-'));
const { store, pack } = createSession();
const files = createSdkMcpServer({
  name: 'files',
  tools: [
    tool('read_file', 'Reads a file.', { at: z.number() }, async ({ at }) => ({
      content: [{ type: 'text', text: readFile(at) }],
    })),
  ],
});
try {
  for await (const _ of query({
    prompt: 'Read ten files',
    options: {
      cwd: home,
      ...(program ? { pathToClaudeCodeExecutable: program } : {}),
      model: 'claude-stand-in',
      maxTurns: STEPS + 5,
      settingSources: [],
      tools: [],
      mcpServers: { files },
      allowedTools: [TOOL],
      hooks: recallBlockHooks({ pack, store }),
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
        ANTHROPIC_API_KEY: 'stand-in',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    },
  }));
} finally {
  server.close();
  rmSync(home, { recursive: true, force: true });
}

// what hooks add stays in the conversation here, so each call has one pack more, and the newest is the last
assert.equal(seen.length, STEPS + 1, 'model calls');
seen.forEach((call, at) => {
  assert.equal(call.split(RECALL_HEADER).length - 1, at + 1, `packs up to call ${at + 1}`);
  assert.ok(call.split(LONG_LINE).length < 100 * (at + 1), `call ${at + 1} has no result whole`);
  if (at > 0) assert.ok(call.lastIndexOf(`file ${at}`) > call.lastIndexOf(RECALL_HEADER), `call ${at + 1} is current`);
});
assert.equal((await store.list()).length, STEPS, 'stored results');
console.log(`Claude Agent SDK: ${seen.length} calls, a new pack before each, ${STEPS} results kept outside`);
