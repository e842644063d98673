// AI SDK: middleware around a model. Run: npm install ai zod && node examples/session/ai-sdk.mjs
import { generateText, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { recallBlockMiddleware } from 'loadout/session/ai-sdk';
import { z } from 'zod';
import { checkCalls, createSession, readFile, STEPS } from './check.mjs';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

for (const mode of ['generate', 'stream']) {
  const seen = [];
  const { store, pack } = createSession();
  const next = (prompt) => {
    seen.push(JSON.stringify(prompt));
    const at = seen.length;
    const isLast = at > STEPS;
    const call = { type: 'tool-call', toolCallId: `call-${at}`, toolName: 'read_file', input: JSON.stringify({ at }) };
    return { isLast, call, finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined } };
  };
  const fake = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { isLast, call, finishReason } = next(prompt);
      return { content: [isLast ? { type: 'text', text: 'done' } : call], finishReason, usage, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const { isLast, call, finishReason } = next(prompt);
      const text = [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'done' },
        { type: 'text-end', id: '1' },
      ];
      return {
        stream: convertArrayToReadableStream([
          { type: 'stream-start', warnings: [] },
          ...(isLast ? text : [call]),
          { type: 'finish', finishReason, usage },
        ]),
      };
    },
  });
  const options = {
    model: wrapLanguageModel({ model: fake, middleware: recallBlockMiddleware({ pack, store }) }),
    prompt: 'Read ten files',
    stopWhen: stepCountIs(STEPS + 5),
    tools: {
      read_file: tool({ inputSchema: z.object({ at: z.number() }), execute: async ({ at }) => readFile(at) }),
    },
  };
  if (mode === 'generate') await generateText(options);
  else await streamText(options).consumeStream();
  await checkCalls(`AI SDK, ${mode}`, seen, store);
}
