import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handleLine, readHandleLine } from './describe-result.ts';
import type { SessionMessage } from './message-shapes.ts';
import { rewriteHistory } from './rewrite-history.ts';
import { openMemoryStore } from './stores/indexed-store.ts';
import type { ToolResultStore } from './tool-result-store.ts';

const exchange = (at: number, content: string): SessionMessage[] => [
  { role: 'assistant', content: '', toolCalls: [{ id: `c${at}`, tool: 'read', input: { at } }] },
  { role: 'tool', content, tool: 'read', toolCallId: `c${at}` },
];
const restore = async (store: ToolResultStore, content: string) => {
  const mentioned = readHandleLine(content);
  if (mentioned === null) return content;
  return Buffer.from((await store.get(mentioned.id))!.bytes).toString('utf8');
};

describe('a handle line', () => {
  it('reads back as what it says', () => {
    const handle = {
      id: `tr_${'0a'.repeat(16)}`,
      tool: 'mcp, odd 5 bytes',
      size: 12,
      tokens: 3,
      preview: 'begin …',
    };
    expect(readHandleLine(handleLine(handle))).toEqual(handle);
    expect(readHandleLine(handleLine({ ...handle, preview: '' }))).toEqual({ ...handle, preview: '' });
  });
  it('is nothing else', () => {
    for (const text of [
      '',
      '[tool result',
      'x [tool result tr_',
      `${handleLine({ id: 'tr_x', tool: 't', size: 1, tokens: 1, preview: '' })}`,
    ])
      expect(readHandleLine(text)).toBeNull();
  });
});

describe('history', () => {
  it('gets handles for long results, and the store restores them exactly', async () => {
    const contents = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(contents, async (all) => {
        const store = openMemoryStore();
        const messages: SessionMessage[] = [
          { role: 'user', content: 'go' },
          ...all.flatMap((text, at) => exchange(at, text)),
        ];
        const before = JSON.stringify(messages);
        const { messages: after } = await rewriteHistory(messages, store, { handleAboveChars: 20 });
        expect(JSON.stringify(messages)).toBe(before);
        expect(await Promise.all(after.map(({ content }) => restore(store, content)))).toEqual(
          messages.map(({ content }) => content),
        );
        const again = await rewriteHistory(after, store, { handleAboveChars: 20 });
        expect(again).toEqual({ messages: after, stored: [], notices: [] });
      }),
      { numRuns: 60 },
    );
  });

  it('loses nothing when the process ends between store and history', async () => {
    const store = openMemoryStore();
    const messages = exchange(1, 'x'.repeat(5_000));
    await rewriteHistory(messages, store); // and then it ends: the history on disk is still the old one
    const { messages: after, stored } = await rewriteHistory(messages, store);
    expect((await store.list()).map(({ id }) => id)).toEqual(stored);
    expect(await restore(store, after[1]!.content)).toBe('x'.repeat(5_000));
  });

  it('stays as it was when the store refuses, and says so', async () => {
    const store = openMemoryStore({ maxResultBytes: 100 });
    const messages = exchange(1, 'x'.repeat(5_000));
    const { messages: after, notices } = await rewriteHistory(messages, store, { maxHistoryBytes: 1_000 });
    expect(after).toEqual(messages);
    expect(notices.map(({ code }) => code)).toEqual(['result-not-stored']);
  });

  it('does not mistake a line that a tool made up for a handle', async () => {
    const store = openMemoryStore();
    const forged = handleLine({
      id: `tr_${'0'.repeat(32)}`,
      tool: 't',
      size: 1,
      tokens: 1,
      preview: 'p'.repeat(2_000),
    });
    const { messages } = await rewriteHistory(exchange(1, forged), store);
    expect(await restore(store, messages[1]!.content)).toBe(forged);
  });

  it('stays under its limit: old exchanges leave whole, what people and model said stays', async () => {
    const store = openMemoryStore();
    let messages: readonly SessionMessage[] = [{ role: 'user', content: 'the mission' }];
    const beginnings = new Set<string>();
    for (let at = 0; at < 120; at++) {
      const [call, result] = exchange(at, `${at} ${'x'.repeat(at % 2 === 0 ? 50 : 3_000)}`) as [
        SessionMessage,
        SessionMessage,
      ];
      messages = [...messages, at === 7 ? { ...call, content: 'I found it' } : call, result];
      ({ messages } = await rewriteHistory(messages, store, { maxHistoryBytes: 8_000 }));
      expect(Buffer.byteLength(JSON.stringify(messages))).toBeLessThanOrEqual(8_000);
      beginnings.add(JSON.stringify(messages.slice(0, 4)));
    }
    expect(messages[0]!.content).toBe('the mission');
    expect(messages.some(({ content }) => content === 'I found it')).toBe(true);
    const notes = messages.filter(({ content }) => content.includes('earlier tool results are kept outside'));
    expect(notes).toHaveLength(1);
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
    expect(messages.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(calls);
    expect(Number(/\d+/.exec(notes[0]!.content))).toBe(120 - calls.length);
    // the small results of exchanges that left are in the store as well
    const kept = await Promise.all((await store.list()).map(async ({ id }) => (await store.get(id))!.bytes));
    expect(kept.some((bytes) => Buffer.from(bytes).toString().startsWith('0 x'))).toBe(true);
    // few of the calls found another beginning, so that a cached one serves many
    expect(beginnings.size).toBeLessThan(20);
  });
});
