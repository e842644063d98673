// Stands in for the program that the Claude Agent SDK starts: speaks its protocol on standard input and output, asks
// the model at ANTHROPIC_BASE_URL, and calls hooks and tools of the SDK as the program does. Keeps what hooks add.
import { createInterface } from 'node:readline';

let lastRequest = 0;
let hooks = {};
let servers = [];
const pending = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const session_id = '00000000-0000-4000-8000-000000000000';
const common = { session_id, transcript_path: '/none', cwd: process.cwd() };

function request(body) {
  const request_id = `stand-in-${++lastRequest}`;
  send({ type: 'control_request', request_id, request: body });
  return new Promise((resolve, reject) => pending.set(request_id, { resolve, reject }));
}

/** Hooks of one event run side by side; their texts come back in their order. */
async function callHooks(event, input, tool_use_id) {
  const ids = (hooks?.[event] ?? []).flatMap(({ hookCallbackIds }) => hookCallbackIds);
  const answers = await Promise.all(
    ids.map((callback_id) =>
      request({
        subtype: 'hook_callback',
        callback_id,
        input: { ...common, hook_event_name: event, ...input },
        tool_use_id,
      }),
    ),
  );
  const outputs = answers.map((answer) => answer?.hookSpecificOutput ?? {});
  return {
    context: outputs.flatMap(({ additionalContext = [] }) => additionalContext),
    replaced: outputs.find((output) => 'updatedToolOutput' in output)?.updatedToolOutput,
  };
}

const notify = (server_name, message) =>
  request({ subtype: 'mcp_message', server_name, message: { jsonrpc: '2.0', ...message } });
const mcp = async (server_name, message) =>
  (await notify(server_name, { id: lastRequest + 1, ...message })).mcp_response;

async function listTools() {
  const found = [];
  for (const server of servers) {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    await mcp(server, { method: 'initialize', params });
    await notify(server, { method: 'notifications/initialized' });
    const { result } = await mcp(server, { method: 'tools/list', params: {} });
    for (const tool of result.tools) found.push({ ...tool, name: `mcp__${server}__${tool.name}` });
  }
  return found;
}

async function askModel(messages, tools) {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'stand-in', system: 'You are an agent.', messages, tools, stream: true }),
  });
  const blocks = [];
  for (const line of (await response.text()).split('\n').filter((line) => line.startsWith('data: '))) {
    const { type, index, content_block, delta } = JSON.parse(line.slice(6));
    if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' };
    if (type !== 'content_block_delta') continue;
    blocks[index].json += delta.partial_json ?? '';
    if (delta.text !== undefined) blocks[index].text += delta.text;
  }
  return blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(json || '{}') } : block,
  );
}

async function useTool({ id, name, input }) {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name);
  const { result } = await mcp(server, { method: 'tools/call', params: { name: tool, arguments: input } });
  const call = { tool_name: name, tool_input: input, tool_use_id: id };
  const { context, replaced } = await callHooks(
    'PostToolUse',
    { ...call, tool_response: result.content },
    id,
  );
  const content = replaced ?? result.content;
  return {
    context,
    call: { ...call, tool_response: content },
    block: { type: 'tool_result', tool_use_id: id, content },
  };
}

const asText = (text) => ({ type: 'text', text });

async function run(prompt) {
  const started = await callHooks('SessionStart', { source: 'startup' });
  const tools = await listTools();
  const submitted = await callHooks('UserPromptSubmit', { prompt });
  const messages = [
    { role: 'user', content: [asText(prompt), ...[...started.context, ...submitted.context].map(asText)] },
  ];
  for (;;) {
    const content = await askModel(messages, tools);
    messages.push({ role: 'assistant', content });
    send({
      type: 'assistant',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'stand-in', content, usage: {} },
      parent_tool_use_id: null,
      session_id,
    });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return content.map(({ text = '' }) => text).join('');
    const used = await Promise.all(calls.map(useTool));
    const batch = await callHooks('PostToolBatch', { tool_calls: used.map(({ call }) => call) });
    const context = [...used.flatMap(({ context }) => context), ...batch.context];
    messages.push({ role: 'user', content: [...used.map(({ block }) => block), ...context.map(asText)] });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const message = JSON.parse(line);
  if (message.type === 'control_response') {
    const { request_id, subtype, response, error } = message.response;
    const waiting = pending.get(request_id);
    pending.delete(request_id);
    if (subtype === 'error') waiting?.reject(new Error(error));
    else waiting?.resolve(response);
  } else if (message.type === 'control_request') {
    if (message.request.subtype === 'initialize') {
      hooks = message.request.hooks ?? {};
      servers = message.request.sdkMcpServers ?? [];
    }
    const response = { commands: [], models: [], account: {}, output_style: 'default' };
    send({
      type: 'control_response',
      response: { subtype: 'success', request_id: message.request_id, response },
    });
  } else if (message.type === 'user') {
    const { content } = message.message;
    run(typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')).then(
      (result) =>
        send({
          type: 'result',
          subtype: 'success',
          is_error: false,
          result,
          num_turns: 1,
          session_id,
          usage: {},
        }),
      (error) => {
        process.stderr.write(`${error.stack}\n`);
        process.exit(1);
      },
    );
  }
}
