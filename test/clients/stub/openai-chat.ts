import { openaiError } from './openai-responses.ts';
import { asBody, asList, asText, type ServiceProtocol, textOf, USAGE } from './protocol.ts';
import { chooseCalls } from './reply.ts';

export const openaiChat: ServiceProtocol = {
  matches: (path) => path.endsWith('/chat/completions'),
  read: (_path, body) => {
    const messages = asList(body.messages);
    const isSystem = (role: unknown): boolean => role === 'system' || role === 'developer';
    const toolNames = asList(body.tools).map((tool) => asText(asBody(tool.function).name));
    return {
      protocol: 'openai-chat',
      model: asText(body.model),
      system: messages
        .filter((message) => isSystem(message.role))
        .map((message) => textOf(message.content))
        .join('\n'),
      messages: messages
        .filter((message) => !isSystem(message.role))
        .map((message) => ({ role: asText(message.role), text: textOf(message.content) })),
      toolNames,
      wantsStructure: toolNames.includes('structured_output'),
      isAside: toolNames.length === 0,
    };
  },
  write: (reply, request) => {
    const calls = reply.kind === 'tools' ? chooseCalls(request, reply.calls) : [];
    const structure = { id: `call_structure_${request.number}`, name: 'structured_output', input: {} };
    const all = reply.kind === 'structured' ? [{ ...structure, input: asBody(reply.value) }] : calls;
    const content = reply.kind === 'structured' ? null : (reply.text ?? null);
    const cutOff = reply.kind === 'text' && reply.cutOff === true;
    const toolCalls = all.map((call, index) => ({
      index,
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const message = {
      role: 'assistant',
      content,
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    };
    const finish_reason = cutOff ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop';
    const common = { id: `chatcmpl-${request.number}`, created: 1, model: request.model };
    const usage = {
      prompt_tokens: USAGE.input,
      prompt_tokens_details: { cached_tokens: USAGE.cached },
      completion_tokens: USAGE.output,
      total_tokens: USAGE.input + USAGE.output,
    };
    if (request.body.stream !== true) {
      const choices = [{ index: 0, message, finish_reason }];
      return { kind: 'json', body: { ...common, object: 'chat.completion', choices, usage } };
    }
    const chunk = { ...common, object: 'chat.completion.chunk' };
    return {
      kind: 'stream',
      events: [
        { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
        { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] } },
        { data: { ...chunk, choices: [], usage } },
        { data: '[DONE]' },
      ],
    };
  },
  error: openaiError,
};
