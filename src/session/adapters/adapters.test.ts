import { describe, expect, it } from 'vitest';
import { readHandleLine } from '../describe-result.ts';
import { openMemoryStore } from '../stores/indexed-store.ts';
import type { NewToolResult } from '../tool-result-store.ts';
import { recallBlockMiddleware } from './ai-sdk.ts';
import { recallBlockHooks as claudeHooks } from './claude-agent-sdk.ts';
import { recallBlockHooks as langchainHooks } from './langchain.ts';
import { handleSession, recallBlockFilter } from './openai-agents.ts';

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
    const { transformParams, specificationVersion } = recallBlockMiddleware({
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
    const { transformParams } = recallBlockMiddleware({ pack: () => '', store: openMemoryStore() });
    const part = (output: object) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolName: 't', output }],
    });
    const prompt = [
      part({ type: 'json', value: { LONG } }),
      part({ type: 'error-text', value: LONG }),
      part({ type: 'content', value: [{ type: 'text', text: LONG }, { type: 'file' }] }),
    ];
    const { prompt: seen } = await transformParams({ params: { prompt } });
    expect(JSON.stringify(seen[0])).not.toContain(LONG);
    expect(seen[1]).toEqual(prompt[1]);
    expect(JSON.stringify(seen[2])).not.toContain(LONG);
    expect(JSON.stringify(seen[2])).toContain('{"type":"file"}');
  });
});

describe('OpenAI Agents', () => {
  it('replaces the pack also when what it gave comes back', async () => {
    const filter = recallBlockFilter({ pack: packs(), store: openMemoryStore(), repository: 'REPO' });
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

describe('a session of OpenAI Agents', () => {
  it('keeps handles, and everything else of it works as before', async () => {
    class Session {
      readonly #items: object[] = [];
      async addItems(items: object[]) {
        this.#items.push(...items);
      }
      async getItems() {
        return this.#items;
      }
    }
    const store = openMemoryStore();
    const session = handleSession(new Session(), { store });
    const said = { role: 'user', content: 'go' };
    await session.addItems([
      said,
      { type: 'function_call_result', name: 'read', callId: 'c', output: { type: 'text', text: LONG } },
    ]);
    const [first, second] = (await session.getItems()) as [object, { output: { text: string } }];
    expect(first).toEqual(said);
    expect(readHandleLine(second.output.text)?.tool).toBe('read');
    expect(await store.list()).toHaveLength(1);
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
  const contextOf = (answer: { hookSpecificOutput?: { additionalContext?: string } }) =>
    answer.hookSpecificOutput?.additionalContext ?? '';

  it('adds the pack with the prompt and behind the results of a step, only when it has changed', async () => {
    let pack = 'PACK 1';
    const hooks = claudeHooks({ pack: () => pack, repository: 'REPO' });
    const prompt = hooks.UserPromptSubmit[0]!.hooks[0]!;
    const behindStep = hooks.PostToolBatch[0]!.hooks[0]!;
    expect(contextOf(await prompt({}))).toMatch(/REPO.*PACK 1/s);
    expect(await behindStep({})).toEqual({});
    pack = 'PACK 2';
    const changed = await behindStep({});
    expect(changed.hookSpecificOutput?.hookEventName).toBe('PostToolBatch');
    expect(contextOf(changed)).toContain('PACK 2');
    expect(contextOf(changed)).not.toContain('REPO');
    pack = '';
    expect(await behindStep({})).toEqual({});
  });

  it('tells every subagent for itself, and everything again after a compaction', async () => {
    const hooks = claudeHooks({ pack: () => 'PACK', repository: 'REPO' });
    const start = hooks.SessionStart[0]!.hooks[0]!;
    const behindStep = hooks.PostToolBatch[0]!.hooks[0]!;
    expect(await start({ source: 'startup' })).toEqual({});
    expect(contextOf(await hooks.UserPromptSubmit[0]!.hooks[0]!({}))).toContain('PACK');
    for (const agent_id of ['a', 'b']) {
      expect(contextOf(await hooks.SubagentStart[0]!.hooks[0]!({ agent_id }))).toMatch(/REPO.*PACK/s);
      expect(await behindStep({ agent_id })).toEqual({});
    }
    expect(contextOf(await start({ source: 'compact' }))).toMatch(/REPO.*PACK/s);
    expect(await behindStep({})).toEqual({});
  });

  it('replaces long texts by handles, and leaves pictures and answers of other shapes', async () => {
    const store = openMemoryStore();
    const behindResult = claudeHooks({ pack: () => 'PACK', store }).PostToolUse[0]!.hooks[0]!;
    const output = async (tool_response: unknown) =>
      (await behindResult({ tool_name: 'mcp__x', tool_response })).hookSpecificOutput?.updatedToolOutput;
    expect(readHandleLine(String(await output(LONG)))).not.toBeNull();
    const picture = { type: 'image', data: LONG };
    const [line, same] = (await output([{ type: 'text', text: `2${LONG}` }, picture])) as [
      { text: string },
      object,
    ];
    expect(readHandleLine(line.text)).not.toBeNull();
    expect(same).toBe(picture);
    for (const other of ['short', { stdout: LONG }, [picture]]) expect(await output(other)).toBeUndefined();
  });

  it.each([
    ['Bash', { stdout: LONG, stderr: '', interrupted: false, isImage: false }, LONG],
    ['Bash', { stdout: 'ok', stderr: LONG, interrupted: false }, LONG],
    [
      'Read',
      { type: 'text', file: { filePath: '/a', content: LONG, numLines: 1, startLine: 1, totalLines: 1 } },
      LONG,
    ],
    ['Grep', { mode: 'content', numFiles: 0, filenames: [], content: LONG, numLines: 9 }, LONG],
  ])('stores what %s gave, in the shape that it has', async (tool_name, tool_response, text) => {
    const store = openMemoryStore();
    const behindResult = claudeHooks({ pack: () => 'PACK', store }).PostToolUse[0]!.hooks[0]!;
    const before = JSON.stringify(tool_response);
    const { hookSpecificOutput } = await behindResult({ tool_name, tool_response });
    const changed = JSON.stringify(hookSpecificOutput?.updatedToolOutput);
    const [handle] = await store.list();
    expect(handle!.tool).toBe(tool_name);
    expect(Buffer.from((await store.get(handle!.id))!.bytes).toString()).toBe(text);
    expect(changed.replace(/"\[tool result [^"]*"/, JSON.stringify(text))).toBe(before);
  });

  it('leaves pictures that Read gave, and texts of tools that are not known', async () => {
    const behindResult = claudeHooks({ pack: () => 'P', store: openMemoryStore() }).PostToolUse[0]!.hooks[0]!;
    const picture = { type: 'image', file: { base64: LONG, type: 'image/png' } };
    expect(await behindResult({ tool_name: 'Read', tool_response: picture })).toEqual({});
    expect(await behindResult({ tool_name: 'Edit', tool_response: { originalFile: LONG } })).toEqual({});
  });
});

describe('a history that is passed in whole before every call', () => {
  it('is written once, however long it gets', async () => {
    const store = openMemoryStore();
    let written = 0;
    const counting = { ...store, put: (result: NewToolResult) => store.put(result).finally(() => written++) };
    const { transformParams } = recallBlockMiddleware({ pack: () => 'PACK', store: counting });
    const prompt = Array.from({ length: 600 }, (_, at) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolName: 't', output: { type: 'text', value: `${at} ${LONG}` } }],
    }));
    for (let call = 0; call < 3; call++) await transformParams({ params: { prompt } });
    expect(written).toBe(600);
  });
});
