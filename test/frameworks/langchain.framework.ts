import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { createAgent, createMiddleware, fakeModel, tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recallBlockHooks } from '../../src/session/adapters/langchain.ts';
import { RECALL_HEADER } from '../../src/session/index.ts';
import {
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

const callsOf = (step: number) =>
  filesOf(step).map((name) => ({ id: `call-${name}`, name: 'read_file', args: { name } }));

/** The framework's own fake has no streams: this one answers in chunks, and as a whole without a listener. */
class StreamingModel extends BaseChatModel {
  readonly calls: { messages: BaseMessage[] }[] = [];
  streamed = 0;

  override _llmType(): string {
    return 'streaming';
  }
  override bindTools() {
    return this;
  }
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.calls.push({ messages });
    const step = this.calls.length;
    const message =
      step > STEPS ? new AIMessage('done') : new AIMessage({ content: '', tool_calls: callsOf(step) });
    return { generations: [{ text: message.text, message }] };
  }
  override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    this.calls.push({ messages });
    this.streamed += 1;
    const step = this.calls.length;
    const chunks =
      step > STEPS
        ? ['do', 'ne'].map((content) => new AIMessageChunk(content))
        : callsOf(step).map(
            ({ id, name, args }, index) =>
              new AIMessageChunk({
                content: '',
                tool_call_chunks: [{ id, name, index, args: JSON.stringify(args), type: 'tool_call_chunk' }],
              }),
          );
    for (const message of chunks) yield new ChatGenerationChunk({ text: message.text, message });
  }
}

function builtInFake() {
  const model = fakeModel();
  for (let step = 1; step <= STEPS; step++) {
    model.respond(new AIMessage({ content: '', tool_calls: callsOf(step) }));
  }
  return model.respond(new AIMessage('done'));
}

function agentWith(model: BaseChatModel) {
  const { store, pack } = createSession();
  const agent = createAgent({
    model,
    systemPrompt: 'You read files.',
    tools: [
      tool(({ name }: { name: string }) => fileText(name), {
        name: 'read_file',
        description: 'Reads a file.',
        schema: z.object({ name: z.string() }),
      }),
    ],
    middleware: [createMiddleware(recallBlockHooks({ HumanMessage, pack, store, repository: REPOSITORY }))],
  });
  return { store, agent, input: { messages: [new HumanMessage(MISSION)] } };
}

/** The part of a message that reaches a provider; the rest is the framework's. */
function asModelsSeeIt(message: BaseMessage): object {
  const { content } = message;
  const calls = AIMessage.isInstance(message) ? message.tool_calls : undefined;
  const answers = ToolMessage.isInstance(message) ? message.tool_call_id : undefined;
  return { type: message.getType(), content, calls, answers };
}

const seenBy = (calls: readonly { readonly messages: readonly BaseMessage[] }[]): SeenCall[] =>
  calls.map(({ messages }) => {
    const written = messages.map(asModelsSeeIt);
    const first = messages.findIndex((message) => message.getType() !== 'system');
    return { system: written.slice(0, first), messages: written.slice(first) };
  });

describe('LangChain', () => {
  it('gives the model the pack once a call (invoke, the fake model of the framework)', async () => {
    const model = builtInFake();
    const { store, agent, input } = agentWith(model);
    const { messages } = await agent.invoke(input, { recursionLimit: 100 });
    const calls = seenBy(model.calls);
    expectPackOnceACall(calls);
    await expectExactResults(store, calls.at(-1)!.messages.slice(0, -1));
    // the state has the handles, and no pack
    expect(JSON.stringify(messages)).not.toContain(RECALL_HEADER);
    await expectExactResults(store, messages);
  });

  it('gives the model the pack once a call (stream)', async () => {
    const model = new StreamingModel({});
    const { store, agent, input } = agentWith(model);
    const stream = await agent.stream(input, { recursionLimit: 100, streamMode: 'messages' });
    let text = '';
    for await (const [message] of stream) if (AIMessageChunk.isInstance(message)) text += message.text;
    expect(text).toBe('done');
    expect(model.streamed).toBe(STEPS + 1);
    const calls = seenBy(model.calls);
    expectPackOnceACall(calls);
    await expectExactResults(store, calls.at(-1)!.messages.slice(0, -1));
  });
});
