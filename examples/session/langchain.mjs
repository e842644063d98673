// LangChain: middleware of an agent. Run: npm install langchain @langchain/core zod && node examples/session/langchain.mjs
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { createAgent, createMiddleware, tool } from 'langchain';
import { recallBlockHooks } from 'loadout/session/langchain';
import { z } from 'zod';
import { checkCalls, createSession, readFile, STEPS } from './check.mjs';

class FakeModel extends BaseChatModel {
  seen = [];
  _llmType() {
    return 'fake';
  }
  bindTools() {
    return this;
  }
  next(messages) {
    this.seen.push(JSON.stringify(messages.map(({ content }) => content)));
    const at = this.seen.length;
    if (at > STEPS) return { content: 'done', tool_calls: [] };
    return { content: '', tool_calls: [{ id: `call-${at}`, name: 'read_file', args: { at }, type: 'tool_call' }] };
  }
  async _generate(messages) {
    const message = new AIMessage(this.next(messages));
    return { generations: [{ text: String(message.content), message }] };
  }
  async *_streamResponseChunks(messages) {
    const { content, tool_calls } = this.next(messages);
    const tool_call_chunks = tool_calls.map(({ id, name, args }, index) => ({
      id,
      name,
      index,
      args: JSON.stringify(args),
      type: 'tool_call_chunk',
    }));
    yield new ChatGenerationChunk({ text: content, message: new AIMessageChunk({ content, tool_call_chunks }) });
  }
}

for (const mode of ['invoke', 'stream']) {
  const { store, pack } = createSession();
  const model = new FakeModel({});
  const agent = createAgent({
    model,
    tools: [
      tool(({ at }) => readFile(at), { name: 'read_file', description: 'Reads.', schema: z.object({ at: z.number() }) }),
    ],
    middleware: [createMiddleware(recallBlockHooks({ HumanMessage, pack, store }))],
  });
  const input = { messages: [new HumanMessage('Read ten files')] };
  const options = { recursionLimit: 100 };
  if (mode === 'invoke') await agent.invoke(input, options);
  else for await (const _ of await agent.stream(input, { ...options, streamMode: 'messages' }));
  await checkCalls(`LangChain, ${mode}`, model.seen, store);
}
