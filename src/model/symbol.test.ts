import { describe, expect, it } from 'vitest';
import { kindsWith, SYMBOL_KINDS } from './symbol.ts';

describe('the table of symbol kinds', () => {
  it('keeps the numbers of the kinds, which the index stores', () => {
    expect(SYMBOL_KINDS.join(' ')).toBe(
      'module class interface trait struct enum enum-member union type function method constructor property ' +
        'constant variable macro test table rule key heading element',
    );
  });

  it('gives every kind that has a trait', () => {
    expect([...kindsWith('container')]).toEqual(['class', 'interface', 'trait', 'struct', 'enum', 'union']);
    expect([...kindsWith('callable')]).toEqual(['function', 'method', 'constructor', 'test']);
    expect([...kindsWith('value')]).toEqual(['enum-member', 'property', 'constant', 'variable']);
  });

  it('calls a kind a value or a container, never both', () => {
    const values = kindsWith('value');
    expect([...kindsWith('container')].filter((kind) => values.has(kind))).toEqual([]);
  });
});
