import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSdkMcpServer, type Options, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recallBlockHooks } from '../../src/session/adapters/claude-agent-sdk.ts';
import { RECALL_HEADER } from '../../src/session/index.ts';
import {
  BODY,
  createSession,
  expectExactResults,
  filesOf,
  fileText,
  MISSION,
  REPOSITORY,
  STEPS,
} from './support/session-under-test.ts';

const TOOL = 'mcp__files__read_file';
const STAND_IN = fileURLToPath(new URL('support/stand-in-claude.mjs', import.meta.url));
/** The program itself has 300 MB: it is used where the tests of clients have installed it. */
const REAL = fileURLToPath(
  new URL('../clients/node_modules/@anthropic-ai/claude-code/bin/claude.exe', import.meta.url),
);
const PROGRAMS = [['a stand-in', STAND_IN], ...(existsSync(REAL) ? [['its own program', REAL]] : [])] as [
  string,
  string,
][];

interface ApiRequest {
  readonly model: string;
  readonly system: unknown;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

type Calls = readonly { readonly id: string; readonly name: string; readonly input: object }[];

/** The tool calls of the model in a step; none when it is done. By default the files of each step. */
const readFiles = (step: number): Calls =>
  step > STEPS ? [] : filesOf(step).map((name) => ({ id: `toolu_${name}`, name: TOOL, input: { name } }));
let callsOf: (step: number) => Calls = readFiles;

function answerTo(request: ApiRequest, step: number): object[] {
  const calls = callsOf(step);
  const blocks =
    calls.length === 0
      ? [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: 'done' } }]
      : calls.map(({ id, name, input }) => ({
          start: { type: 'tool_use', id, name, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        }));
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: `msg_${step}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const stop_reason = calls.length === 0 ? 'end_turn' : 'tool_use';
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

let server: Server;
let home: string;
let seen: ApiRequest[];

beforeEach(async () => {
  seen = [];
  callsOf = readFiles;
  home = mkdtempSync(join(tmpdir(), 'loadout-claude-'));
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = body === '' ? null : (JSON.parse(body) as ApiRequest);
    if (!asked?.tools?.some(({ name }) => name === TOOL) || /count_tokens/.test(request.url ?? '')) {
      response.writeHead(404).end('{}');
      return;
    }
    seen.push(asked);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answerTo(asked, seen.length) as { type: string }[]) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

async function run(program: string, prompt: Parameters<typeof query>[0]['prompt'], options: Options) {
  const files = createSdkMcpServer({
    name: 'files',
    tools: [
      tool('read_file', 'Reads a file.', { name: z.string() }, async ({ name }) => ({
        content: [{ type: 'text', text: fileText(name) }],
      })),
    ],
  });
  const texts: string[] = [];
  for await (const message of query({
    prompt,
    options: {
      cwd: home,
      pathToClaudeCodeExecutable: program,
      model: 'claude-stand-in',
      maxTurns: STEPS + 5,
      settingSources: [],
      tools: [],
      mcpServers: { files },
      allowedTools: [TOOL],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        ANTHROPIC_API_KEY: 'stand-in',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
      ...options,
    },
  })) {
    if (message.type === 'result' && message.subtype === 'success') texts.push(message.result);
  }
  return texts;
}

async function* oneMessage() {
  const message = { role: 'user' as const, content: MISSION };
  yield { type: 'user' as const, message, parent_tool_use_id: null, session_id: '' };
}

const blocksOf = ({ messages }: ApiRequest): string[] =>
  messages.flatMap(({ role, content }) =>
    (Array.isArray(content) ? content : [content]).map((block) => {
      // the mark of the cache moves along with the last block, as it should
      const { cache_control: _, ...rest } = typeof block === 'string' ? { type: 'text', text: block } : block;
      return JSON.stringify({ role, ...rest });
    }),
  );
const times = (text: string, part: string) => text.split(part).length - 1;

describe.each(PROGRAMS)('Claude Agent SDK with %s', (_, program) => {
  it.each(['a prompt', 'a stream of prompts'])('adds one pack before each call (%s)', async (mode) => {
    const { store, pack } = createSession();
    const prompt = mode === 'a prompt' ? MISSION : oneMessage();
    const hooks: Options['hooks'] = recallBlockHooks({ pack, store, repository: REPOSITORY });
    const texts = await run(program, prompt, { hooks, includePartialMessages: mode !== 'a prompt' });
    expect(texts).toEqual(['done']);
    expect(seen).toHaveLength(STEPS + 1);
    let before: string[] = [];
    seen.forEach((call, at) => {
      const blocks = blocksOf(call);
      // hooks can only add: the earlier text stays, byte for byte, and one block follows it
      expect(blocks.slice(0, before.length), `the beginning of call ${at + 1}`).toEqual(before);
      expect(JSON.stringify(call.system)).toBe(JSON.stringify(seen[0]!.system));
      const added = blocks.slice(before.length).join('');
      expect(times(added, RECALL_HEADER), `packs new in call ${at + 1}`).toBe(1);
      const afterPack = added.slice(added.indexOf(RECALL_HEADER));
      for (const file of at === 0 ? [] : filesOf(at)) expect(afterPack).toContain(`[${file}]`);
      expect(times(blocks.join(''), REPOSITORY)).toBe(1);
      expect(added).not.toContain(JSON.stringify(BODY).slice(1, -1));
      before = blocks;
    });
    const results = seen.at(-1)!.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    await expectExactResults(
      store,
      results.filter(({ type }) => type === 'tool_result'),
    );
  });
});

it.skipIf(!existsSync(REAL))('its own program shows the handles of results of Bash and Read', async () => {
  const { store, pack } = createSession();
  const text = fileText('big');
  const path = join(home, 'big.txt');
  writeFileSync(path, text);
  const calls: Calls[] = [
    [{ id: 'toolu_bash', name: 'Bash', input: { command: `cat ${path}`, description: 'Show it' } }],
    [{ id: 'toolu_read', name: 'Read', input: { file_path: path, limit: 300 } }],
  ];
  callsOf = (step) => calls[step - 1] ?? [];
  const hooks: Options['hooks'] = recallBlockHooks({ pack, store });
  const builtIn = { tools: ['Bash', 'Read'], allowedTools: [TOOL, 'Bash', 'Read'] };
  expect(await run(REAL, MISSION, { hooks, ...builtIn })).toEqual(['done']);
  const last = seen.at(-1)!.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const results = last.filter(({ type }) => type === 'tool_result');
  expect(results).toHaveLength(2);
  for (const result of results) {
    expect(JSON.stringify(result)).toContain('[tool result tr_');
    expect(JSON.stringify(result)).not.toContain(JSON.stringify(BODY).slice(1, -1));
  }
  const stored = await store.list();
  expect(stored.map(({ tool }) => tool).sort()).toEqual(['Bash', 'Read']);
  const bash = await store.get(stored.find(({ tool }) => tool === 'Bash')!.id);
  expect(Buffer.from(bash!.bytes).toString('utf8')).toContain(BODY);
});
