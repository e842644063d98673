import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankSwiftBodies } from './swift.ts';

const LONG = 'let value = compute(argument, other); return value';

describe('blankSwiftBodies', () => {
  it.each([
    ['a function', `func f(a: String = "}") async throws -> [String: Int] { ${LONG} }`],
    ['an initializer', `class A { init?(a: Int) { ${LONG} } }`],
    ['a body with interpolation', `func f() { ${LONG}; print("a \\(b["}"] ?? ")") c") }`],
    ['a body with a raw string', `func f() { ${LONG}; print(#"\\("}"#) }`],
    ['a body with nested comments', `func f() { ${LONG} /* { /* } */ " */ }`],
    ['a body with closures', `func f() { ${LONG}; list.map { $0 }.forEach { print($0) } }`],
  ])('blanks %s', (_, text) => {
    const blanked = blankSwiftBodies(text);
    expect(blanked).toHaveLength(text.length);
    expect(blanked).not.toContain('compute');
    expect(blanked.at(-1)).toBe('}');
  });

  it.each([
    ['a nested function', `func f() { ${LONG}; func inner() {} }`],
    ['a nested type', `func f() { ${LONG}; struct Inner {} }`],
    [
      'a property behind a function without a body',
      'protocol P { func f() ; var a: Int { get async throws(compute) } }',
    ],
    ['the members of a class', 'class A { let compute: Int = 1, other: Int = 2, third = 3 }'],
    ['unbalanced text', `func f() { ${LONG}`],
    ['a text with a regular expression', `func f() { ${LONG}; let r = /[}"]/ }`],
    ['an open string', `func f() { ${LONG}; "open\n }`],
  ])('leaves %s alone', (_, text) => {
    expect(blankSwiftBodies(text)).toContain('compute');
  });

  it('keeps the length, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '(', ')', '"', '"""', '#', '\\(', '/', '//', '/*', '*/', '\n', ' func '],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = `func f() { ${LONG} ${parts.join('')} }`;
        expect(blankSwiftBodies(text)).toHaveLength(text.length);
      }),
    );
  });
});
