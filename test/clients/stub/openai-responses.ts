import { asBody, asList, asText, type ServiceProtocol, type StreamEvent, textOf, USAGE } from './protocol.ts';
import { chooseCalls } from './reply.ts';

export const openaiResponses: ServiceProtocol = {
  matches: (path) => path.endsWith('/responses'),
  read: (_path, body) => ({
    protocol: 'openai-responses',
    model: asText(body.model),
    system: asText(body.instructions),
    messages: asList(body.input).flatMap((item) => {
      if (/_call_output$/.test(asText(item.type))) return [{ role: 'tool', text: textOf(item.output) }];
      if (item.type === 'function_call') return [{ role: 'assistant', text: '' }];
      if (item.type !== 'message' && item.role === undefined) return [];
      const role = item.role === 'developer' ? 'system' : asText(item.role);
      return [{ role, text: textOf(item.content) }];
    }),
    toolNames: asList(body.tools).flatMap(namesOf),
    wantsStructure: asBody(asBody(body.text).format).type === 'json_schema',
    isAside: false,
  }),
  write: (reply, request) => {
    const items: Record<string, unknown>[] = [];
    const say = (text: string): void => {
      items.push({
        type: 'message',
        role: 'assistant',
        id: `msg_${request.number}_${items.length}`,
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      });
    };
    if (reply.kind === 'text') say(reply.text);
    if (reply.kind === 'structured') say(JSON.stringify(reply.value));
    if (reply.kind === 'tools') {
      if (reply.text) say(reply.text);
      for (const call of chooseCalls(request, reply.calls)) {
        const input = JSON.stringify(call.input);
        items.push({
          type: 'function_call',
          id: `fc_${call.id}`,
          call_id: call.id,
          ...addressOf(call.name, request.body),
          arguments: input,
        });
      }
    }
    const cutOff = reply.kind === 'text' && reply.cutOff === true;
    const response = {
      id: `resp_${request.number}`,
      object: 'response',
      status: cutOff ? 'incomplete' : 'completed',
      ...(cutOff ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
      model: request.model,
      output: items,
      usage: {
        input_tokens: USAGE.input,
        input_tokens_details: { cached_tokens: USAGE.cached },
        output_tokens: USAGE.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: USAGE.input + USAGE.output,
      },
    };
    if (request.body.stream !== true) return { kind: 'json', body: response };
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: cutOff ? 'response.incomplete' : 'response.completed', response },
    ];
    return { kind: 'stream', events: events.map((data): StreamEvent => ({ event: data.type, data })) };
  },
  error: openaiError,
};

/** The tools of a server come inside a namespace; together the names are those that other services use. */
function namesOf(tool: Readonly<Record<string, unknown>>): readonly string[] {
  if (tool.type !== 'namespace') return [asText(tool.name) || asText(tool.type)];
  return asList(tool.tools).map((inner) => `${asText(tool.name)}__${asText(inner.name)}`);
}

function addressOf(name: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const space = asList(body.tools).find((tool) => tool.type === 'namespace' && namesOf(tool).includes(name));
  // Tools that a model would have to search for first can be called directly.
  const [, server, tool] = /^(mcp__.+?)__(.+)$/.exec(name) ?? [];
  if (!space) return server && tool ? { namespace: server, name: tool } : { name };
  const namespace = asText(space.name);
  return { namespace, name: name.slice(namespace.length + 2) };
}

export function openaiError(status: number, message: string): unknown {
  const code = status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : null;
  return { error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', code } };
}
