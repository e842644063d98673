// The reference loop, whole answers and streaming. Run: node examples/session/lean-agent.mjs
import { LeanAgent } from 'loadout/session';
import { checkCalls, createSession, readFile, STEPS } from './check.mjs';

for (const mode of ['execute', 'stream']) {
  const seen = [];
  const { store } = createSession();
  const reply = (call) => {
    seen.push(JSON.stringify(call));
    const at = seen.length;
    if (at > STEPS) return { text: 'done', toolCalls: [] };
    return { text: '', toolCalls: [{ id: `call-${at}`, tool: 'read_file', input: { at } }] };
  };
  const model = {
    complete: async (call) => reply(call),
    async *stream(call) {
      const { text, toolCalls } = reply(call);
      if (text !== '') yield { kind: 'text', text };
      for (const one of toolCalls) yield { kind: 'tool-call', call: one };
    },
  };
  const agent = new LeanAgent({ model, store, tools: { read_file: ({ at }) => readFile(at) } });
  if (mode === 'execute') await agent.execute('Read ten files');
  else for await (const _ of agent.stream('Read ten files'));
  await checkCalls(`lean agent, ${mode}`, seen, store);
}
