import {
  Agent,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  type StreamEvent,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { handleSession, recallBlockFilter } from '../../src/session/adapters/openai-agents.ts';
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

beforeAll(() => setTracingDisabled(true));

type Output = Extract<StreamEvent, { type: 'response_done' }>['response']['output'];

class FakeModel implements Model {
  readonly seen: SeenCall[] = [];

  #answer({ input, systemInstructions, tools }: ModelRequest): Output {
    const messages = typeof input === 'string' ? [input] : structuredClone(input);
    this.seen.push({ system: [systemInstructions, tools], messages });
    const step = this.seen.length;
    if (step > STEPS) {
      const content = [{ type: 'output_text' as const, text: 'done' }];
      return [{ type: 'message', role: 'assistant', status: 'completed', content }];
    }
    return filesOf(step).map((name) => ({
      type: 'function_call',
      callId: `call-${name}`,
      name: 'read_file',
      status: 'completed',
      arguments: JSON.stringify({ name }),
    }));
  }
  async getResponse(request: ModelRequest) {
    return { usage: new Usage(), output: this.#answer(request) };
  }
  async *getStreamedResponse(request: ModelRequest) {
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const id = `response-${this.seen.length}`;
    yield { type: 'response_done' as const, response: { id, usage, output: this.#answer(request) } };
  }
}

function runnerWith() {
  const { store, pack } = createSession();
  const model = new FakeModel();
  const agent = new Agent({
    name: 'Reader',
    instructions: 'You read files.',
    model,
    tools: [
      tool({
        name: 'read_file',
        description: 'Reads a file.',
        parameters: z.object({ name: z.string() }),
        execute: ({ name }) => fileText(name),
      }),
    ],
  });
  const runner = new Runner({
    callModelInputFilter: recallBlockFilter({ pack, store, repository: REPOSITORY }),
  });
  return { store, model, agent, runner };
}

const maxTurns = STEPS + 5;

describe('OpenAI Agents', () => {
  it.each(['run', 'stream'])('gives the model the pack once a call (%s)', async (mode) => {
    const { store, model, agent, runner } = runnerWith();
    if (mode === 'run') {
      const result = await runner.run(agent, MISSION, { maxTurns });
      expect(result.finalOutput).toBe('done');
      expect(JSON.stringify(result.history)).not.toContain(RECALL_HEADER);
    } else {
      const result = await runner.run(agent, MISSION, { maxTurns, stream: true });
      for await (const _ of result);
      await result.completed;
      expect(result.finalOutput).toBe('done');
    }
    expectPackOnceACall(model.seen);
    await expectExactResults(store, model.seen.at(-1)!.messages.slice(0, -1));
  });

  it('a session keeps handles, whole results are in the store', async () => {
    const { store, agent, runner } = runnerWith();
    const kept = new MemorySession();
    const session = handleSession(kept, { store });
    for (const prompt of [MISSION, 'And once more']) await runner.run(agent, prompt, { maxTurns, session });
    const results = (await kept.getItems()).filter(({ type }) => type === 'function_call_result');
    expect(results.length).toBeGreaterThanOrEqual(STEPS);
    for (const result of results) expect(JSON.stringify(result)).toContain('[tool result tr_');
    expect(JSON.stringify(results)).not.toContain(JSON.stringify(BODY).slice(1, -1));
    await expectExactResults(store, results);
    expect(JSON.stringify(await kept.getItems())).not.toContain(RECALL_HEADER);
  });

  it('removes the recall block of an earlier run from a session', async () => {
    const { model, agent, runner } = runnerWith();
    const session = new MemorySession();
    for (const prompt of [MISSION, 'And once more', 'And again']) {
      await runner.run(agent, prompt, { maxTurns, session });
    }
    expect(model.seen).toHaveLength(STEPS + 3);
    for (const { system, messages } of model.seen) {
      expect(JSON.stringify([system, messages]).split(RECALL_HEADER)).toHaveLength(2);
      expect(JSON.stringify(messages.at(-1))).toContain(RECALL_HEADER);
    }
  });
});
