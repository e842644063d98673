import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankKotlinBodies } from './kotlin.ts';

const LONG = 'val value = compute(argument, other); return value';

describe('blankKotlinBodies', () => {
  it.each([
    ['a function', `fun <T> f(a: String = "}"): Map<String, Int> where T : Any { ${LONG} }`],
    ['an expression', `fun f() = runTest { ${LONG} }`],
    ['a body with interpolation', `fun f() { ${LONG}; print("a \${b["}"] ?: "{"} c") }`],
    ['a body with a raw string', `fun f() { ${LONG}; print("""} " \\ """") }`],
    ['a body with characters', `fun f() { ${LONG}; print('{', '\\'', '\\u007d') }`],
    ['a body with a class reference', `fun f() { ${LONG}; print(Int::class) }`],
  ])('blanks %s', (_, text) => {
    const blanked = blankKotlinBodies(text);
    expect(blanked).toHaveLength(text.length);
    expect(blanked).not.toContain('compute');
    expect(blanked.at(-1)).toBe('}');
  });

  it.each([
    ['a nested function', `fun f() { ${LONG}; fun inner() {} }`],
    ['a nested class', `fun f() { ${LONG}; class Inner }`],
    ['an object as value', `fun f() = object : A { val compute = 1; val other = 2; val third = 3 }`],
    [
      'a property behind a function without a body',
      'interface P { fun f(); val a: Int get() { return compute() } }',
    ],
    ['the members of a class', 'class A { val compute: Int = 1; val other: Int = 2; val third = 3 }'],
    ['unbalanced text', `fun f() { ${LONG}`],
    ['an open string', `fun f() { ${LONG}; "open\n }`],
  ])('leaves %s alone', (_, text) => {
    expect(blankKotlinBodies(text)).toContain('compute');
  });

  it('keeps the length, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '(', ')', '"', '"""', "'", '`', '${', '/', '//', '/*', '*/', '\n', ' fun '],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = `fun f() { ${LONG} ${parts.join('')} }`;
        expect(blankKotlinBodies(text)).toHaveLength(text.length);
      }),
    );
  });
});
