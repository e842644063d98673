import { asBody, asList, asText, type ServiceProtocol, textOf, USAGE } from './protocol.ts';
import { chooseCalls } from './reply.ts';

const ADDRESS = /\/models\/([^:]+):(generateContent|streamGenerateContent)$/;
/** The text that the router of the CLI needs to go on. */
const ROUTE =
  '{"complexity_reasoning":"small","complexity_score":10,"reasoning":"small","model_choice":"flash"}';

export const gemini: ServiceProtocol = {
  matches: (path) => ADDRESS.test(path),
  read: (path, body) => {
    const toolNames = asList(body.tools).flatMap((tool) =>
      asList(tool.functionDeclarations).map((each) => asText(each.name)),
    );
    const config = asBody(body.generationConfig);
    return {
      protocol: 'gemini',
      model: ADDRESS.exec(path)?.[1] ?? '',
      system: textOf(asBody(body.systemInstruction).parts),
      messages: asList(body.contents).flatMap((content) => {
        const parts = asList(content.parts);
        const text = textOf(parts);
        const role = content.role === 'model' ? 'assistant' : 'user';
        return [
          ...parts
            .filter((part) => part.functionResponse !== undefined)
            .map((part) => ({ role: 'tool', text: JSON.stringify(asBody(part.functionResponse).response) })),
          ...(text === '' && role === 'user' ? [] : [{ role, text }]),
        ];
      }),
      toolNames,
      wantsStructure: config.responseJsonSchema !== undefined && toolNames.length > 0,
      isAside: config.responseMimeType === 'application/json' || toolNames.length === 0,
    };
  },
  write: (reply, request) => {
    const parts: Record<string, unknown>[] = [];
    if (request.isAside) parts.push({ text: ROUTE });
    else if (reply.kind === 'text') parts.push({ text: reply.text });
    else if (reply.kind === 'structured') parts.push({ text: JSON.stringify(reply.value) });
    else {
      if (reply.text) parts.push({ text: reply.text });
      for (const call of chooseCalls(request, reply.calls)) {
        parts.push({ functionCall: { id: call.id, name: call.name, args: call.input } });
      }
    }
    const cutOff = reply.kind === 'text' && reply.cutOff === true;
    const body = {
      candidates: [
        { index: 0, content: { role: 'model', parts }, finishReason: cutOff ? 'MAX_TOKENS' : 'STOP' },
      ],
      usageMetadata: {
        promptTokenCount: USAGE.input,
        cachedContentTokenCount: USAGE.cached,
        candidatesTokenCount: USAGE.output,
        totalTokenCount: USAGE.input + USAGE.output,
      },
      modelVersion: request.model,
    };
    return request.path.endsWith(':streamGenerateContent')
      ? { kind: 'stream', events: [{ data: body }] }
      : { kind: 'json', body };
  },
  error: (status, message) => ({
    error: { code: status, message, status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT' },
  }),
};
