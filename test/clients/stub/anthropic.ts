import { asBody, asList, asText, type ServiceProtocol, type StreamEvent, textOf, USAGE } from './protocol.ts';
import { chooseCalls } from './reply.ts';

const STRUCTURE_TOOL = 'StructuredOutput';

export const anthropic: ServiceProtocol = {
  matches: (path) => path === '/v1/messages',
  read: (_path, body) => {
    const toolNames = asList(body.tools).map((tool) => asText(tool.name));
    return {
      protocol: 'anthropic',
      model: asText(body.model),
      system: textOf(body.system),
      messages: asList(body.messages).flatMap((message) => {
        const results = asList(message.content).filter((part) => part.type === 'tool_result');
        const text = textOf(asList(message.content).filter((part) => part.type !== 'tool_result'));
        const said = typeof message.content === 'string' ? message.content : text;
        return [
          ...results.map((result) => ({ role: 'tool', text: textOf(result.content) })),
          ...(said === '' && message.role !== 'assistant'
            ? []
            : [{ role: asText(message.role), text: said }]),
        ];
      }),
      toolNames,
      wantsStructure: toolNames.includes(STRUCTURE_TOOL) || asBody(body.output_config).format !== undefined,
      isAside: toolNames.length === 0,
    };
  },
  write: (reply, request) => {
    const blocks: Record<string, unknown>[] = [];
    if (reply.kind === 'text') blocks.push({ type: 'text', text: reply.text });
    if (reply.kind === 'tools') {
      if (reply.text) blocks.push({ type: 'text', text: reply.text });
      blocks.push(...chooseCalls(request, reply.calls).map((call) => ({ type: 'tool_use', ...call })));
    }
    if (reply.kind === 'structured') {
      blocks.push({
        type: 'tool_use',
        id: `call_structure_${request.number}`,
        name: STRUCTURE_TOOL,
        input: reply.value,
      });
    }
    const cutOff = reply.kind === 'text' && reply.cutOff === true;
    const stopReason = cutOff ? 'max_tokens' : reply.kind === 'text' ? 'end_turn' : 'tool_use';
    const usage = {
      input_tokens: USAGE.input - USAGE.cached,
      cache_read_input_tokens: USAGE.cached,
      cache_creation_input_tokens: 0,
      output_tokens: USAGE.output,
    };
    const message = {
      // Claude takes messages with one id for pieces of one message.
      id: `msg_${request.number}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      stop_sequence: null,
      usage,
    };
    if (request.body.stream !== true) {
      return { kind: 'json', body: { ...message, content: blocks, stop_reason: stopReason } };
    }
    const start = { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
    const delta = {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: USAGE.output },
    };
    const events = [start, ...blocks.flatMap(blockEvents), delta, { type: 'message_stop' }];
    return { kind: 'stream', events: events.map((data): StreamEvent => ({ event: data.type, data })) };
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 401 ? 'authentication_error' : errorType(status), message },
  }),
};

function blockEvents(block: Readonly<Record<string, unknown>>, index: number) {
  const isText = block.type === 'text';
  return [
    {
      type: 'content_block_start',
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    },
    {
      type: 'content_block_delta',
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    },
    { type: 'content_block_stop', index },
  ];
}

function errorType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'overloaded_error' : 'invalid_request_error';
}
