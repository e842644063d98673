import { describe, expect, it } from 'vitest';
import {
  applySelector,
  ContextBuilder,
  ContextPolicy,
  LeanAgent,
  type LeanModel,
  loadContextPolicy,
  type ModelCall,
  type ModelReply,
  openMemoryStore,
  parseSelection,
  RECALL_HEADER,
  rewriteHistory,
  type SessionMessage,
} from '../../src/session/index.ts';

/** Answers with the replies one after the other, whole or in pieces, and keeps what it was asked. */
function scriptedModel(replies: readonly ModelReply[]): LeanModel & { readonly calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  const next = (call: ModelCall): ModelReply => {
    calls.push(call);
    return replies[calls.length - 1] ?? { text: 'done', toolCalls: [] };
  };
  return {
    calls,
    complete: async (call) => next(call),
    async *stream(call) {
      const { text, toolCalls } = next(call);
      for (const piece of text.split(/(?<= )/)) if (piece !== '') yield { kind: 'text', text: piece };
      for (const one of toolCalls) yield { kind: 'tool-call', call: one };
    },
  };
}

const reads = (count: number): ModelReply[] =>
  Array.from({ length: count }, (_, at) => ({
    text: '',
    toolCalls: [{ id: `call-${at}`, tool: 'read_file', input: { at } }],
  }));
const tools = {
  read_file: (input: unknown) =>
    `content ${(input as { at: number }).at}\n${'line of the file\n'.repeat(500)}`,
};
const packsIn = ({ system, messages }: ModelCall) =>
  JSON.stringify({ system, messages }).split(RECALL_HEADER).length - 1;
const packOf = ({ messages }: ModelCall) =>
  messages.find(({ content }) => content.includes(RECALL_HEADER))?.content ?? '';

async function run(agent: LeanAgent, mode: string, mission: string) {
  if (mode === 'execute') return agent.execute(mission);
  for await (const event of agent.stream(mission)) if (event.kind === 'end') return event.result;
  throw new Error('no end');
}

describe('Story 9.2: acceptance criteria', () => {
  it('1. ContextPolicy Model: hard caps max_items, max_chars_per_item, max_total_chars and the optional fields', () => {
    const dict = {
      max_items: 3,
      max_chars_per_item: 200,
      max_total_chars: 500,
      include_latest_tool_previews_n: 2,
      allow_tools: ['read_file'],
      allow_selectors: ['first_chars', 'last_chars'],
    };
    expect(ContextPolicy.fromDict(dict).toDict()).toMatchObject(dict);
  });

  it('2. ContextBuilder: mission, session state, plan state and handles become a pack of short snippets', async () => {
    const store = openMemoryStore();
    const handle = await store.put({ tool: 'read_file', content: 'x'.repeat(100_000) });
    const { text } = await new ContextBuilder({ store }).build({
      mission: 'Fix the login',
      facts: { branch: 'main' },
      plan: { current: 'read' },
      results: [handle],
    });
    for (const part of [RECALL_HEADER, 'Fix the login', 'branch: main', 'Now: read', handle.id])
      expect(text).toContain(part);
    expect(text.length).toBeLessThanOrEqual(ContextPolicy.conservativeDefault().maxTotalChars!);
  });

  it.each(['execute', 'stream'])(
    '3. Injection Point: before every model call the pack is put in, once (%s)',
    async (mode) => {
      const model = scriptedModel(reads(10));
      const result = await run(new LeanAgent({ model, tools }), mode, 'Read ten files');
      expect(model.calls).toHaveLength(11);
      expect(model.calls.map(packsIn)).toEqual(Array.from({ length: 11 }, () => 1));
      expect(result.isFinished).toBe(true);
      expect(JSON.stringify(result.messages)).not.toContain(RECALL_HEADER);
    },
  );

  it.each(['execute', 'stream'])(
    'the agent accounts for each pack: its size, what was in it and what was not (%s)',
    async (mode) => {
      const model = scriptedModel(reads(4));
      const policy = new ContextPolicy({ max_items: 2, max_chars_per_item: 60 });
      const { packs } = await run(new LeanAgent({ model, tools, policy }), mode, 'Read four files');
      expect(packs.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5]);
      for (const { size } of packs) expect(size).toBeGreaterThan(0);
      expect(packs[0]!.receipts.map(({ id, outcome }) => [id, outcome])).toEqual([['mission', 'in']]);
      expect(packs[4]!.receipts.filter(({ outcome }) => outcome === 'out').length).toBeGreaterThan(0);
      expect(packs[4]!.notices.map(({ code }) => code)).toContain('results-left-out');
    },
  );

  it('4. No blind rehydration: a result never comes back whole unless it fits its cap', async () => {
    const store = openMemoryStore();
    await store.put({ tool: 'a', content: 'long'.repeat(10_000) });
    await store.put({ tool: 'b', content: 'short' });
    const policy = ContextPolicy.fromDict({ max_chars_per_item: 300 });
    const { text } = await new ContextBuilder({ store, policy }).build({});
    expect(text).toContain('(whole)\n```\nshort\n```');
    expect(text.split('long').length).toBeLessThan(300 / 4);
  });

  it('5. Selectors (MVP): first_chars, last_chars, json_path are used by the builder', async () => {
    const store = openMemoryStore();
    await store.put({ tool: 'query', content: { rows: [{ name: 'Ada' }], rest: 'x'.repeat(5_000) } });
    await store.put({ tool: 'log', content: `${'x'.repeat(5_000)} the end` });
    const policy = ContextPolicy.fromDict({
      tool_selectors: { query: 'json_path:$.rows[0].name', log: 'last_chars' },
    });
    const { text } = await new ContextBuilder({ store, policy }).build({});
    expect(text).toContain('```\nAda\n```');
    expect(text).toContain(' the end\n```');
  });

  it('6. Config Wiring: the policy comes from the profile of an agent, without a change of code', async () => {
    const text =
      'profile: coding_agent\ncontext_policy:\n  max_items: 10\n  max_chars_per_item: 500\n  max_total_chars: 3000\n';
    const policy = await loadContextPolicy([{ name: 'coding_agent.yaml', text }]);
    expect(policy).toMatchObject({ maxItems: 10, maxCharsPerItem: 500, maxTotalChars: 3000 });
  });

  it('7. Compatibility: without a policy the agent uses a conservative default', async () => {
    const agent = new LeanAgent({ model: scriptedModel([]) });
    expect(agent.builder.policy.toDict()).toEqual(ContextPolicy.conservativeDefault().toDict());
    expect(
      (await loadContextPolicy([{ name: 'p.yaml', text: 'agent: x\n' }])).maxTotalChars,
    ).toBeLessThanOrEqual(4_000);
  });

  it('8. Determinism: the same state and policy give the same pack', async () => {
    const packs = await Promise.all(
      [1, 2].map(async () => {
        const model = scriptedModel(reads(3));
        await new LeanAgent({ model, tools }).execute('Read three files');
        return model.calls;
      }),
    );
    expect(packs[0]).toEqual(packs[1]);
  });

  it('9. Tests: caps of the builder and injection by the agent, by the names of the story below', () => {
    const names = Object.keys(STORY_TESTS);
    expect(names).toEqual(
      expect.arrayContaining([
        'test_respects_max_total_chars',
        'test_context_pack_injected_in_system_prompt',
      ]),
    );
  });
});

const long = (at: number) => `result ${at} ${'x'.repeat(3_000)}`;
const toolHistory = (count: number): SessionMessage[] =>
  Array.from({ length: count }, (_, at) => ({
    role: 'tool',
    content: long(at),
    tool: at % 2 ? 'search' : 'read_file',
  }));

async function packFor(dict: object, count = 6) {
  const store = openMemoryStore();
  const { messages } = await rewriteHistory(toolHistory(count), store);
  const policy = ContextPolicy.fromDict(dict);
  return new ContextBuilder({ store, policy }).build({ mission: 'mission '.repeat(50), messages });
}

const STORY_TESTS: Readonly<Record<string, () => void | Promise<void>>> = {
  test_default_policy: () =>
    expect(ContextPolicy.fromDict({}).toDict()).toEqual(ContextPolicy.conservativeDefault().toDict()),
  test_conservative_default: () =>
    expect(ContextPolicy.conservativeDefault().maxTotalChars).toBeLessThanOrEqual(4_000),
  test_policy_validation: () =>
    expect(() => ContextPolicy.fromDict({ max_items: 0 })).toThrow(/context_policy\.max_items: 0/),
  test_policy_auto_adjustment: () => {
    const policy = ContextPolicy.fromDict({ max_chars_per_item: 5_000, max_total_chars: 1_000 });
    expect(policy.maxCharsPerItem).toBe(1_000);
    expect(policy.notices).toHaveLength(1);
  },
  test_from_dict: () => expect(ContextPolicy.fromDict({ max_items: 7 }).maxItems).toBe(7),
  test_to_dict: () => expect(ContextPolicy.fromDict({ max_items: 7 }).toDict().max_items).toBe(7),
  test_empty_context_pack: async () => expect((await new ContextBuilder().build({})).text).toBe(''),
  test_mission_only_context_pack: async () =>
    expect((await new ContextBuilder().build({ mission: 'Fix it' })).text).toBe(
      `${RECALL_HEADER}\n\n### Mission\nFix it`,
    ),
  test_tool_preview_extraction: async () => {
    const { messages } = await rewriteHistory(toolHistory(1), openMemoryStore());
    expect((await new ContextBuilder().build({ messages })).text).toContain('result 0 xxx');
  },
  test_respects_max_items: async () => {
    // results are the items: what the agent says of itself does not push them out
    const { text } = await packFor({ max_items: 3 });
    expect(text).toContain('### Mission');
    expect(text.match(/^### \S+ tr_/gm)).toHaveLength(3);
  },
  test_respects_max_total_chars: async () => {
    for (const cap of [40, 100, 500, 1_000, 2_999]) {
      const { text } = await packFor({ max_total_chars: cap });
      expect(text.length).toBeLessThanOrEqual(cap);
    }
    expect((await packFor({ max_total_chars: 1_000 })).text.length).toBeGreaterThan(900);
  },
  test_respects_max_chars_per_item: async () => {
    const { text } = await packFor({ max_chars_per_item: 200 });
    for (const item of text.split('\n\n').slice(1)) expect(item.length).toBeLessThanOrEqual(200);
  },
  test_tool_allowlist: async () => {
    const { text } = await packFor({ allow_tools: ['search'] });
    expect(text).toMatch(/^### search /m);
    expect(text).not.toMatch(/^### read_file /m);
  },
  test_latest_first: async () => {
    const { text } = await packFor({ include_latest_tool_previews_n: 2 });
    expect([...text.matchAll(/result (\d)/g)].map(([, at]) => at)).toEqual(['5', '4']);
  },
  test_deterministic_output: async () => expect((await packFor({})).text).toBe((await packFor({})).text),
  test_apply_selector_first_chars: () =>
    expect(applySelector('abcdef', parseSelection('first_chars'), 3).text).toBe('abc'),
  test_apply_selector_last_chars: () =>
    expect(applySelector('abcdef', parseSelection('last_chars'), 3).text).toBe('def'),
  test_apply_selector_unknown_defaults_to_first: () =>
    expect(applySelector('abcdef', parseSelection('unknown'), 3)).toMatchObject({
      text: 'abc',
      selector: 'first_chars',
    }),
  test_context_pack_injected_in_system_prompt: async () => {
    const model = scriptedModel([]);
    await new LeanAgent({ model, systemPrompt: 'You are an agent.' }).execute('Fix it');
    expect(packsIn(model.calls[0]!)).toBe(1);
    // behind the cached prefix, so the system prompt itself stays as it is
    expect(model.calls[0]!.system).toBe('You are an agent.');
  },
  test_context_pack_rebuilt_each_loop: async () => {
    const model = scriptedModel(reads(3));
    await new LeanAgent({ model, tools }).execute('Read');
    const packs = model.calls.map(packOf);
    expect(new Set(packs).size).toBe(4);
    expect(packs[3]).toContain('content 2');
    expect(packs[3]).toContain('content 0');
  },
  test_context_pack_respects_budget: async () => {
    const model = scriptedModel(reads(6));
    const policy = ContextPolicy.fromDict({ max_total_chars: 700 });
    await new LeanAgent({ model, tools, policy }).execute('Read');
    for (const call of model.calls) {
      const pack = packOf(call).split('\n').slice(1, -1).join('\n');
      expect(pack.length).toBeLessThanOrEqual(700);
    }
  },
  test_agent_uses_conservative_default_policy: () =>
    expect(new LeanAgent({ model: scriptedModel([]) }).builder.policy.maxTotalChars).toBe(
      ContextPolicy.conservativeDefault().maxTotalChars,
    ),
  test_tool_result_store_integration: async () => {
    const model = scriptedModel(reads(2));
    const agent = new LeanAgent({ model, tools });
    const { messages } = await agent.execute('Read');
    const handles = await agent.store.list();
    expect(handles.map(({ tool }) => tool)).toEqual(['read_file', 'read_file']);
    expect(JSON.stringify(messages).length).toBeLessThan(2_000);
    const first = await agent.store.get(handles[1]!.id);
    expect(Buffer.from(first!.bytes).toString()).toBe(tools.read_file({ at: 0 }));
  },
};

describe('the tests that the story lists', () => {
  it.each(Object.entries(STORY_TESTS))('%s', async (_, test) => test());
});

describe('LeanAgent', () => {
  it('ends after maxSteps, tells the model about a tool that fails or is not there, and streams text', async () => {
    const calls = ['broken', 'missing'].map((tool) => ({ id: tool, tool, input: {} }));
    const model = scriptedModel([{ text: 'one two', toolCalls: calls }]);
    const broken = () => {
      throw new Error('no disk');
    };
    const agent = new LeanAgent({ model, tools: { broken }, maxSteps: 1 });
    const events = [];
    for await (const event of agent.stream('Go')) events.push(event);
    expect(events.flatMap((event) => (event.kind === 'text' ? event.text : []))).toEqual(['one ', 'two']);
    const end = events.at(-1);
    expect(end?.kind === 'end' && end.result).toMatchObject({ isFinished: false, steps: 1 });
    const results = events.flatMap((event) => (event.kind === 'tool-result' ? event.content : []));
    expect(results).toEqual(['error: no disk', 'error: there is no tool missing']);
  });

  it('keeps bytes that are not text exactly', async () => {
    const bytes = Uint8Array.of(0, 255, 254, 1);
    const model = scriptedModel([{ text: '', toolCalls: [{ id: '1', tool: 'camera', input: {} }] }]);
    const agent = new LeanAgent({ model, tools: { camera: () => bytes } });
    await agent.execute('Look');
    const [handle] = await agent.store.list();
    expect([...(await agent.store.get(handle!.id))!.bytes]).toEqual([...bytes]);
    expect(packOf(model.calls[1]!)).toContain('[4 bytes of application/octet-stream]');
  });
});
