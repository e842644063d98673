import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankScriptBodies } from './blank-script-bodies.ts';

const LONG = 'const value = compute(argument, other); return value;';

describe('blankScriptBodies', () => {
  it.each([
    ['a function', `function f(a: string): Promise<void> { ${LONG} }`],
    ['a method with an object type', `class A { m(): { a: string } { ${LONG} } }`],
    ['an arrow', `const f = (a) => { ${LONG} };`],
    ['a body with templates and expressions', `function f() { ${LONG} return \`a\${ { b: '}' }.b }\`; }`],
    ['a body with a regular expression', `function f() { ${LONG} return /[}/]{2}'/.exec(x); }`],
  ])('blanks %s', (_, text) => {
    const blanked = blankScriptBodies(text);
    expect(blanked).toHaveLength(text.length);
    expect(blanked).not.toContain('compute');
    expect(blanked.trimEnd().at(-1)).toBe(text.at(-1));
  });

  it.each([
    ['a nested function', `function f() { ${LONG} function inner() {} }`],
    ['a nested class', `const f = () => { ${LONG} class Inner {} };`],
    ['a local type', `function f() { ${LONG} type Local = string; }`],
    ['a dynamic import', `async function f() { ${LONG} await import('./x'); }`],
    ['a required module', `function f() { ${LONG} require('x'); }`],
    ['a module spread into a list', `function f() { ${LONG} return [...require('x')]; }`],
    [
      'members of a class that extends a class in place',
      'class A extends (class B { a = 1 }, make()) { field = compute(argument, other, third); }',
    ],
    ['a test', `describe('x', () => { ${LONG} it('works', () => {}); });`],
    [
      'members of a class that extends a call',
      `class A extends mixin(B) { field = compute(argument, other, third); }`,
    ],
    ['an interface', 'interface A { member: compute; other: string; third: number }'],
    ['unbalanced text', `function f() { ${LONG}`],
    ['an open string', `function f() { ${LONG} 'open\n }`],
  ])('leaves %s alone', (_, text) => {
    expect(blankScriptBodies(text)).toContain('compute');
  });

  it('keeps the length, whatever the text', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '(',
      ')',
      '=>',
      '`',
      '${',
      "'",
      '"',
      '/',
      '//',
      '/*',
      '*/',
      '\n',
      'a',
      ' function ',
      ': ',
      '[',
      ']',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = `function f() { ${LONG} ${parts.join('')} }`;
        const blanked = blankScriptBodies(text);
        expect(blanked).toHaveLength(text.length);
      }),
    );
  });
});
