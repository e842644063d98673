import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { generateText, isStepCount, streamText, tool, wrapLanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recallBlockMiddleware } from '../../src/session/adapters/ai-sdk.ts';
import { RECALL_HEADER } from '../../src/session/index.ts';
import {
  BODY,
  createSession,
  expectExactResults,
  expectPackOnceACall,
  filesOf,
  fileText,
  MISSION,
  REPOSITORY,
  type SeenCall,
  STEPS,
} from './support/session-under-test.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function mockModel() {
  const seen: SeenCall[] = [];
  const answer = ({ prompt, tools }: LanguageModelV4CallOptions) => {
    const first = prompt.findIndex(({ role }) => role !== 'system');
    seen.push({ system: [tools, prompt.slice(0, first)], messages: prompt.slice(first) });
    const step = seen.length;
    const calls = (step > STEPS ? [] : filesOf(step)).map((name) => ({
      type: 'tool-call' as const,
      toolCallId: `call-${name}`,
      toolName: 'read_file',
      input: JSON.stringify({ name }),
    }));
    const unified = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const);
    return { calls, finishReason: { unified, raw: undefined } };
  };
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => {
      const { calls, finishReason } = answer(options);
      const content: LanguageModelV4Content[] = calls.length > 0 ? calls : [{ type: 'text', text: 'done' }];
      return { content, finishReason, usage, warnings: [] };
    },
    doStream: async (options) => {
      const { calls, finishReason } = answer(options);
      const text: LanguageModelV4StreamPart[] = [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'done' },
        { type: 'text-end', id: '1' },
      ];
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...(calls.length > 0 ? calls : text),
        { type: 'finish', finishReason, usage },
      ];
      return { stream: convertArrayToReadableStream(parts) };
    },
  });
  return { model, seen };
}

describe('AI SDK', () => {
  it.each(['generateText', 'streamText'])('gives the model the pack once a call (%s)', async (mode) => {
    const { store, pack } = createSession();
    const { model: mock, seen } = mockModel();
    const model = wrapLanguageModel({
      model: mock,
      middleware: recallBlockMiddleware({ pack, store, repository: REPOSITORY }),
    });
    const options = {
      model,
      instructions: 'You read files.',
      prompt: MISSION,
      stopWhen: isStepCount(STEPS + 5),
      tools: {
        read_file: tool({
          description: 'Reads a file.',
          inputSchema: z.object({ name: z.string() }),
          execute: async ({ name }) => fileText(name),
        }),
      },
    };
    const result = mode === 'generateText' ? await generateText(options) : streamText(options);
    expect(await result.text).toBe('done');
    expectPackOnceACall(seen);
    await expectExactResults(store, seen.at(-1)!.messages.slice(0, -1));
    // the history of the framework is its own: whole, and without a pack
    const history = JSON.stringify((await result.steps).flatMap(({ response }) => response.messages));
    expect(history).toContain(JSON.stringify(BODY).slice(1, -1));
    expect(history).not.toContain(RECALL_HEADER);
  });
});
