// OpenAI Agents: a filter of the model's input. Run: npm install @openai/agents zod && node examples/session/openai-agents.mjs
import { Agent, Runner, setTracingDisabled, tool, Usage } from '@openai/agents';
import { recallBlockFilter } from 'loadout/session/openai-agents';
import { z } from 'zod';
import { checkCalls, createSession, readFile, STEPS } from './check.mjs';

setTracingDisabled(true);

for (const mode of ['run', 'stream']) {
  const seen = [];
  const { store, pack } = createSession();
  const next = ({ input, systemInstructions }) => {
    seen.push(JSON.stringify({ input, systemInstructions }));
    const at = seen.length;
    if (at <= STEPS) {
      return [{ type: 'function_call', callId: `call-${at}`, name: 'read_file', status: 'completed', arguments: JSON.stringify({ at }) }];
    }
    return [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }];
  };
  const model = {
    getResponse: async (request) => ({ usage: new Usage(), output: next(request) }),
    async *getStreamedResponse(request) {
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: 'response_done', response: { id: `r${seen.length}`, usage, output: next(request) } };
    },
  };
  const agent = new Agent({
    name: 'Reader',
    instructions: 'You read files.',
    model,
    tools: [
      tool({ name: 'read_file', description: 'Reads.', parameters: z.object({ at: z.number() }), execute: ({ at }) => readFile(at) }),
    ],
  });
  const runner = new Runner({ callModelInputFilter: recallBlockFilter({ pack, store }) });
  if (mode === 'run') await runner.run(agent, 'Read ten files', { maxTurns: STEPS + 5 });
  else {
    const result = await runner.run(agent, 'Read ten files', { maxTurns: STEPS + 5, stream: true });
    for await (const _ of result);
    await result.completed;
  }
  await checkCalls(`OpenAI Agents, ${mode}`, seen, store);
}
