import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankPythonBodies } from './python.ts';

describe('blankPythonBodies', () => {
  it('leaves brackets where a body began and ended', () => {
    const text =
      'class A:\n    x = 1\n    def f(self):\n        """Doc: text"""\n        if a:\n            return (1,\n  2)  # why\n\ny = 2\n';
    const blanked = blankPythonBodies(text);
    expect(blanked).toHaveLength(text.length);
    expect(blanked.replace(/ +/g, ' ')).toBe('class A:\n x = 1\n def f(self):\n ( ) # why\n\ny = 2\n');
  });

  it.each([
    ['nested definitions', 'def f():\n    value = compute(a)\n    def inner():\n        pass\n'],
    ['imports', 'def f():\n    value = compute(a)\n    import x\n'],
    ['decorated members', 'def f():\n    value = compute(a)\n    @deco\n    class A:\n        pass\n'],
    ['one-line bodies', 'def f(): return compute(a)\n'],
    ['class bodies', 'class A:\n    value = compute(a)\n'],
    ['tabs', 'def f():\n\tvalue = compute(a)\n'],
    ['open strings', "def f():\n    value = compute('a)\n"],
  ])('leaves %s alone', (_, text) => {
    expect(blankPythonBodies(text)).toContain('compute');
  });

  it('keeps the length, whatever the text', () => {
    const pieces = fc.constantFrom(
      'def f():\n',
      'class A:\n',
      '    ',
      '  ',
      '\n',
      'x',
      '(',
      ')',
      '"""',
      "'",
      '#',
      ':',
      '\\\n',
      ' import a\n',
      '@d\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const blanked = blankPythonBodies(text);
        expect(blanked).toHaveLength(text.length);
      }),
    );
  });
});
