import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCountMemory } from './count-memory.ts';

describe('the memory of counts', () => {
  it('counts a text once as long as it is asked for', () => {
    const memory = createCountMemory(100);
    let counted = 0;
    const ask = (text: string) =>
      memory.count(text, ({ length }) => {
        counted += 1;
        return length;
      });
    expect(ask('a'.repeat(40))).toBe(40);
    ask('b'.repeat(40));
    // the first one is old now, and young again
    ask('c'.repeat(40));
    ask('a'.repeat(40));
    expect(counted).toBe(3);
    // two generations later it is gone
    for (const letter of 'defghi') ask(letter.repeat(40));
    ask('a'.repeat(40));
    expect(counted).toBe(10);
  });

  it('never gives another count than the counter', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 })), fc.integer({ min: 0, max: 60 }), (texts, most) => {
        const memory = createCountMemory(most);
        for (const text of texts) expect(memory.count(text, ({ length }) => length)).toBe(text.length);
      }),
    );
  });
});
