import { describe, expect, it } from 'vitest';
import { ContextBuilder } from './context-builder.ts';
import { readHandleLine } from './describe-result.ts';
import type { HistoryMessage } from './message-shapes.ts';
import { ContextPolicy } from './policy/context-policy.ts';
import { rewriteHistory } from './rewrite-history.ts';
import { openMemoryStore } from './stores/indexed-store.ts';

const body = (at: number) => `result ${at} ${'x'.repeat(4_000)}`;

/** Each interface's form of a question, a tool call and its result. */
const SHAPES: Readonly<Record<string, (at: number) => HistoryMessage[]>> = {
  'OpenAI chat': (at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'read_file', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `call_${at}`, content: body(at) },
  ],
  'OpenAI chat with parts': (at) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'read_file', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `call_${at}`, content: [{ type: 'text', text: body(at) }] },
  ],
  'OpenAI responses': (at) => [
    { type: 'reasoning', id: `rs_${at}`, summary: [] },
    { type: 'function_call', id: `fc_${at}`, call_id: `call_${at}`, name: 'read_file', arguments: '{}' },
    { type: 'function_call_output', call_id: `call_${at}`, output: body(at) },
  ],
  Anthropic: (at) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'read_file', input: {} }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: body(at) }],
    },
  ],
  'Anthropic with blocks': (at) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'so', signature: 's' },
        { type: 'tool_use', id: `toolu_${at}`, name: 'read_file', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `toolu_${at}`,
          content: [
            { type: 'text', text: body(at) },
            { type: 'image', source: {} },
          ],
        },
      ],
    },
  ],
  'our own': (at) => [
    { role: 'assistant', content: '', toolCalls: [{ id: `c${at}`, tool: 'read_file', input: {} }] },
    { role: 'tool', content: body(at), tool: 'read_file', toolCallId: `c${at}` },
  ],
};

const START: HistoryMessage[] = [{ role: 'user', content: 'Find out why the login times out' }];

/** Everything but the texts of results. */
const frame = (messages: readonly HistoryMessage[]) =>
  JSON.stringify(messages).replaceAll(/"(?:result \d+ x+|\[tool result [^"]*)"/g, '"…"');

describe.each(Object.keys(SHAPES))('a history of %s', (shape) => {
  const history = (count: number) => [
    ...START,
    ...Array.from({ length: count }, (_, at) => SHAPES[shape]!(at)).flat(),
  ];

  it('gets handles in place of long results, and keeps its shape', async () => {
    const store = openMemoryStore();
    const messages = history(3);
    const before = JSON.stringify(messages);
    const { messages: after, stored, notices } = await rewriteHistory(messages, store);
    expect(JSON.stringify(messages)).toBe(before);
    expect({ stored: stored.length, notices }).toEqual({ stored: 3, notices: [] });
    expect(frame(after)).toBe(frame(messages));
    expect(JSON.stringify(after)).not.toContain('xxxxx'.repeat(100));
    for (const [at, id] of stored.entries()) {
      const { handle, bytes } = (await store.get(id))!;
      expect(handle.tool).toBe('read_file');
      expect(Buffer.from(bytes).toString()).toBe(body(at));
    }
    // the next call finds everything done
    expect(await rewriteHistory(after, store)).toEqual({ messages: after, stored: [], notices: [] });
  });

  it('stays below its limit, and no call stays without its result', async () => {
    const store = openMemoryStore();
    const { messages } = await rewriteHistory(history(150), store, { maxHistoryBytes: 20_000 });
    const text = JSON.stringify(messages);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(messages[0]).toEqual(START[0]);
    expect(text).toMatch(/\[\d+ earlier tool results are kept outside\]/);
    const calls = text.match(/"(?:tool_use|function_call|tool_calls|toolCalls)"/g) ?? [];
    const results = text.match(/"(?:tool_result|function_call_output)"|"role":"tool"/g) ?? [];
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(results).toHaveLength(calls.length);
    expect(text.match(/"reasoning"/g) ?? []).toHaveLength(shape === 'OpenAI responses' ? calls.length : 0);
    expect(await store.list()).toHaveLength(150);
  });

  it('brings its results back into the pack, by the names of their tools', async () => {
    const store = openMemoryStore();
    const { messages } = await rewriteHistory(history(3), store);
    const policy = new ContextPolicy({ allow_tools: ['read_file'] });
    const { text } = await new ContextBuilder({ policy, store }).build({ messages });
    expect(text).toMatch(/^### read_file tr_/m);
    expect(text).toContain('result 2 x');
    const others = new ContextPolicy({ allow_tools: ['run'] });
    expect((await new ContextBuilder({ policy: others, store }).build({ messages })).text).toBe('');
  });
});

it('several results in one message of Anthropic each get their handle, and what the user says beside them stays', async () => {
  const use = (at: number) => ({ type: 'tool_use', id: `t${at}`, name: `tool_${at}`, input: {} });
  const result = (at: number) => ({ type: 'tool_result', tool_use_id: `t${at}`, content: body(at) });
  const said = { type: 'text', text: 'and look at the tests' };
  const messages = [
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, use(1), use(2)] },
    { role: 'user', content: [result(1), result(2), said] },
  ];
  const store = openMemoryStore();
  const { messages: after } = await rewriteHistory(messages, store);
  const [first, second, third] = after[1]!.content as { content?: string; text?: string }[];
  expect(readHandleLine(first!.content!)?.tool).toBe('tool_1');
  expect(readHandleLine(second!.content!)?.tool).toBe('tool_2');
  expect(third).toEqual(said);
  const many = Array.from({ length: 40 }, () => messages).flat();
  const compact = await rewriteHistory(many, store, { maxHistoryBytes: 6_000 });
  const text = JSON.stringify(compact.messages);
  expect(text.split('and look at the tests')).toHaveLength(41);
  expect(text.split('I look.')).toHaveLength(41);
});

describe('a message of unknown shape is refused', () => {
  it.each([
    [
      'the AI SDK',
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output: {} }] },
    ],
    ['Gemini', { role: 'model', parts: [{ functionCall: { name: 't' } }] }],
    ['LangChain', { content: 'x', additional_kwargs: {} }],
    ['a call without a name', { role: 'assistant', content: null, tool_calls: [{ id: 'c' }] }],
    ['nothing', {}],
    ['an unknown role', { role: 'robot', content: 'x' }],
    ['an item of another kind', { type: 'function_response', output: 'x' }],
    ['a content that is a number', { role: 'user', content: 7 }],
  ])('%s', async (_, message) => {
    const broken = rewriteHistory([...START, message as HistoryMessage], openMemoryStore());
    await expect(broken).rejects.toMatchObject({
      code: 'bad-message',
      message: expect.stringMatching(/^messages\[1\] has no known shape: \{/),
      hint: expect.stringContaining('OpenAI'),
    });
  });
});
