import { describe, expect, it } from 'vitest';
import { readHandleLine } from '../handle-line.ts';
import { openMemoryStore } from '../stores/memory-store.ts';
import { contextPackMiddleware } from './ai-sdk.ts';
import { contextPackHooks as claudeHooks } from './claude-agent-sdk.ts';
import { contextPackHooks as langchainHooks } from './langchain.ts';
import { contextPackFilter } from './openai-agents.ts';

// The shapes are those of the frameworks; examples/session runs the same against the packages themselves.
const LONG = 'x'.repeat(5_000);
const times = (value: unknown, text: string) => JSON.stringify(value).split(text).length - 1;
const packs = () => {
  let call = 0;
  return () => `PACK ${++call}`;
};

describe('AI SDK', () => {
  it('gives each call the pack once and long results as handles, and leaves the prompt as it was', async () => {
    const store = openMemoryStore();
    const { transformParams, specificationVersion } = contextPackMiddleware({
      pack: packs(),
      store,
      repository: 'REPO',
    });
    expect(specificationVersion).toBe('v4');
    const prompt: unknown[] = [
      { role: 'system', content: 'You are.' },
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
    ];
    for (let call = 1; call <= 10; call++) {
      prompt.push({
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: `c${call}`,
            toolName: 'read',
            output: { type: 'text', value: `${call}${LONG}` },
          },
        ],
      });
      const before = JSON.stringify(prompt);
      const { prompt: seen } = await transformParams({ params: { prompt, temperature: 0 } });
      expect(times(seen, 'PACK ')).toBe(1);
      expect(times(seen, `PACK ${call}`)).toBe(1);
      expect(times(seen, 'REPO')).toBe(1);
      expect(times(seen, 'kept outside: read, ')).toBe(call);
      expect(JSON.stringify(seen)).not.toContain(LONG);
      expect(JSON.stringify(prompt)).toBe(before);
    }
    expect(await store.list()).toHaveLength(10);
  });

  it('shortens JSON, and leaves errors and pictures alone', async () => {
    const { transformParams } = contextPackMiddleware({ pack: () => '', store: openMemoryStore() });
    const part = (output: object) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolName: 't', output }],
    });
    const prompt = [part({ type: 'json', value: { LONG } }), part({ type: 'error-text', value: LONG })];
    const { prompt: seen } = await transformParams({ params: { prompt } });
    expect(JSON.stringify(seen[0])).not.toContain(LONG);
    expect(seen[1]).toEqual(prompt[1]);
  });
});

describe('OpenAI Agents', () => {
  it('replaces the pack also when what it gave comes back', async () => {
    const filter = contextPackFilter({ pack: packs(), store: openMemoryStore(), repository: 'REPO' });
    let modelData: { input: object[]; instructions?: string } = {
      input: [{ role: 'user', content: 'go' }],
      instructions: 'You are.',
    };
    for (let call = 1; call <= 10; call++) {
      modelData = await filter({ modelData });
      expect(times(modelData, 'PACK ')).toBe(1);
      expect(times(modelData, 'REPO')).toBe(1);
      expect(JSON.stringify(modelData)).not.toContain(LONG);
      const output = call % 2 === 0 ? LONG : { type: 'text', text: LONG };
      modelData.input.push({
        type: 'function_call_result',
        name: 'read',
        callId: `c${call}`,
        status: 'completed',
        output,
      });
    }
  });
});

describe('LangChain', () => {
  class Message {
    content: unknown;
    readonly #type: string;
    constructor(content: unknown, type = 'human') {
      this.content = content;
      this.#type = type;
    }
    getType() {
      return this.#type;
    }
  }
  const system = (text: string) => ({ text, concat: (more: string) => system(text + more) });

  it('gives the model the pack once, and stores a result before the state has it', async () => {
    const store = openMemoryStore();
    const hooks = langchainHooks({ HumanMessage: Message, pack: packs(), store, repository: 'REPO' });
    const request = {
      messages: [new Message('go'), new Message('calls', 'ai'), new Message('r', 'tool')],
      systemMessage: system('You are.'),
    };
    const seen = await hooks.wrapModelCall(request, (changed) => changed);
    expect(seen.messages).toHaveLength(4);
    expect(seen.messages[3]).toBeInstanceOf(Message);
    expect(seen.systemMessage.text).toContain('REPO');
    const again = await hooks.wrapModelCall(seen, (changed) => changed);
    expect(
      again.messages.map(({ content }) => content).filter((text) => String(text).includes('PACK')),
    ).toHaveLength(1);
    expect(times(again.systemMessage.text, 'REPO')).toBe(1);
    const result = await hooks.wrapToolCall({ toolCall: { name: 'read' } }, () => new Message(LONG, 'tool'));
    const { id } = readHandleLine(String(result.content))!;
    expect(Buffer.from((await store.get(id))!.bytes).toString()).toBe(LONG);
    const command = { update: {} };
    expect(await hooks.wrapToolCall({ toolCall: { name: 'read' } }, () => command)).toBe(command);
  });
});

describe('Claude Agent SDK', () => {
  it('adds the pack with the prompt and behind results, only when it has changed', async () => {
    let pack = 'PACK 1';
    const store = openMemoryStore();
    const hooks = claudeHooks({ pack: () => pack, store });
    const prompt = await hooks.UserPromptSubmit[0]!.hooks[0]!({});
    expect(prompt.hookSpecificOutput).toMatchObject({ hookEventName: 'UserPromptSubmit' });
    expect(prompt.hookSpecificOutput?.additionalContext).toContain('PACK 1');
    const behindResult = hooks.PostToolUse[0]!.hooks[0]!;
    expect(await behindResult({ tool_name: 'Read', tool_response: 'short' })).toEqual({});
    pack = 'PACK 2';
    const changed = await behindResult({ tool_name: 'mcp__x', tool_response: LONG });
    expect(changed.hookSpecificOutput?.additionalContext).toContain('PACK 2');
    expect(readHandleLine(String(changed.hookSpecificOutput?.updatedToolOutput))).not.toBeNull();
    pack = 'PACK 3';
    const picture = { type: 'image', data: LONG };
    const parts = await behindResult({
      tool_name: 'mcp__x',
      tool_response: [{ type: 'text', text: `2${LONG}` }, picture],
    });
    const [line, same] = parts.hookSpecificOutput!.updatedToolOutput as [{ text: string }, object];
    expect(readHandleLine(line.text)).not.toBeNull();
    expect(same).toBe(picture);
    expect(
      (await behindResult({ tool_name: 'Bash', tool_response: { stdout: LONG } })).hookSpecificOutput,
    ).toBeUndefined();
    expect((await hooks.SubagentStart[0]!.hooks[0]!({})).hookSpecificOutput?.additionalContext).toContain(
      'PACK 3',
    );
  });
});
