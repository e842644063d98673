import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankScriptBodies } from './typescript-engine.ts';

const LONG = 'const value = compute(argument, other); return value;';

describe('blankScriptBodies', () => {
  it.each([
    ['a function', `function f(a: string): Promise<void> { ${LONG} }`],
    ['a method with an object type', `class A { m(): { a: string } { ${LONG} } }`],
    ['an arrow', `const f = (a) => { ${LONG} };`],
    ['a body with templates and expressions', `function f() { ${LONG} return \`a\${ { b: '}' }.b }\`; }`],
    ['a body with a regular expression', `function f() { ${LONG} return /[}/]{2}'/.exec(x); }`],
    ['an object', 'const a: A = { first: compute, second: [1, 2, 3], third: `four` };'],
    ['a list', 'export const a: A[] = [{ first: compute, second: 2 }, { first: 3 }];'],
    ['what a module is', 'export default { first: compute, second: { third: 3 } };'],
    ['an argument', "@Component({ first: compute, second: 'two' }) class A { member = 1 }"],
    ['a later argument', "call('name', { first: compute, second: 'two' });"],
    ['the object beside one that holds a function', 'const a = [{ f() {} }, { first: compute, second: 2 }];'],
    ['the members of an alias', 'type A<T> = { first: compute; second: (a: string) => void };'],
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
    ['a method of an object', 'const a = { first: 1, compute() {}, second: 2 };'],
    ['a function in an object', 'const a = { first: 1, compute: () => 1, second: 2 };'],
    ['a name in brackets', 'const a = { [compute + first + second + third]() {} };'],
    ['names of imports', 'import first, { compute, second, third, fourth } from "x";'],
    ['names that are passed on', 'export { compute, second, third, fourth } from "x";'],
    ['names of variables', 'export const { compute, second, third, fourth } = value;'],
    ['names of variables in a list', 'export const [{ compute, second, third, fourth }] = value;'],
    ['members of a type in an interface', 'interface A { a: { compute: string; other: string } }'],
    ['a module that an object loads', "const a = { first: compute, second: require('x') };"],
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
