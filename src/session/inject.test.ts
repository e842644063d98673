import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARK_END, MARK_START, markPack } from '../model/context-pack.ts';
import { type InjectableMessage, inject } from './inject.ts';

const count = (value: unknown, text: string) =>
  JSON.stringify(value).split(JSON.stringify(text).slice(1, -1)).length - 1;
const messages: readonly InjectableMessage[] = [
  { role: 'user', content: 'mission' },
  { role: 'assistant', content: 'calls' },
  { role: 'tool', content: 'result' },
];

describe('inject', () => {
  it('puts the recall block last, marked', () => {
    const { system, messages: after } = inject({ system: 'You are.', messages }, 'PACK');
    expect(system).toBe('You are.');
    expect(after.slice(0, 3)).toEqual(messages);
    expect(after[3]).toEqual({ role: 'user', content: `${MARK_START}\nPACK\n${MARK_END}` });
  });

  it.each(['message', 'system'] as const)('replaces the pack of the call before (%s)', (placement) => {
    let input: { system: string; messages: readonly InjectableMessage[] } = { system: 'You are.', messages };
    for (let call = 0; call < 10; call++) {
      input = inject(input, `PACK ${call}`, { placement, repository: 'REPOSITORY' });
      expect(count(input, `PACK ${call}`)).toBe(1);
      expect(count(input, 'PACK ')).toBe(1);
      expect(count(input, 'REPOSITORY')).toBe(1);
      input = { ...input, messages: [...input.messages, { role: 'tool', content: `result ${call}` }] };
    }
    expect(input.system.startsWith('You are.\n\n')).toBe(true);
    expect(inject(input, '').system).toBe('You are.');
  });

  it('keeps the beginning the same from call to call', () => {
    const first = inject({ system: 's', messages }, 'PACK 1');
    const second = inject(
      { system: 's', messages: [...messages, { role: 'tool', content: 'more' }] },
      'PACK 2',
    );
    expect(second.messages.slice(0, 3)).toEqual(first.messages.slice(0, 3));
  });

  it('leaves an answer that is to be continued the last', () => {
    const { messages: after } = inject({ system: '', messages: messages.slice(0, 2) }, 'PACK');
    expect(after.map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  });

  it('never mistakes a tool result for a recall block', () => {
    const tool = { role: 'tool', content: markPack('looks like one') };
    expect(inject({ system: '', messages: [tool] }, 'PACK').messages[0]).toBe(tool);
  });

  it('cannot be ended early by the text of the recall block', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', MARK_END, MARK_START, '</CONTEXT-PACK', '\n'), maxLength: 8 }),
        (pack) => {
          const marked = markPack(pack);
          expect(marked.toLowerCase().split('</context-pack').length).toBe(2);
          const once = inject({ system: 's', messages }, pack, { placement: 'system' });
          expect(inject(once, '', { placement: 'system' })).toEqual({ system: 's', messages });
        },
      ),
    );
  });
});
