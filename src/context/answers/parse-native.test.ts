import { describe, expect, it } from 'vitest';
import { fastestOf } from '../../../test/support/fastest-of.ts';
import { genericOutput, implementationOutput } from './answer-schemas.ts';
import { parseNative, parseNativeText } from './parse-native.ts';

describe('parseNative', () => {
  it('checks a value of the structured channel like any answer', () => {
    expect(parseNative({ status: 'SUCCESS', action_taken: 'a' }, implementationOutput).files_created).toEqual(
      [],
    );
    expect(() => parseNative({ status: 'YES' }, implementationOutput)).toThrow(/status: expected one of/);
  });

  it('takes a text for a text, whatever it holds', () => {
    expect(() => parseNative('{"status":"SUCCESS"}', implementationOutput)).toThrow(
      /expected an object, got "\{/,
    );
    expect(() => parseNative('```json\n{"status":"SUCCESS"}\n```', implementationOutput)).toThrow(
      /an object/,
    );
  });

  it('reads a channel that is a JSON text, and nothing around it', () => {
    expect(parseNativeText('{"status":"FAILED"}', implementationOutput).status).toBe('FAILED');
    expect(() => parseNativeText('```json\n{"status":"FAILED"}\n```', implementationOutput)).toThrow(
      /Invalid JSON/,
    );
  });

  it('copies what it is given', () => {
    const given = { status: 'X', list: [{ a: 1 }] };
    const output = parseNative(given, genericOutput);
    given.list[0]!.a = 2;
    expect(output).toEqual({ status: 'X', list: [{ a: 1 }] });
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level += 1) deep = [deep];
  it.each([
    ['a cycle', cycle, 'more than 64 levels of nesting'],
    ['10,000 levels', { deep }, 'more than 64 levels of nesting'],
    ['a function', { run: () => 1 }, 'run: a function is not JSON'],
    ['a date', { at: new Date(0) }, 'at: "Date" is not JSON'],
    ['a map', new Map(), '"Map" is not JSON'],
    ['nothing', undefined, 'a missing value is not JSON'],
    ['a hole in a list', { a: new Array(2 ** 31) }, 'a[0]: a missing value is not JSON'],
    ['a big integer', { a: 1n }, 'a: a bigint is not JSON'],
    ['NaN', { a: Number.NaN }, 'a: the number NaN cannot be held exactly'],
    [
      'a getter',
      {
        get a() {
          throw new Error('ran');
        },
      },
      'the computed property "a" is not JSON',
    ],
    ['__proto__', JSON.parse('{"__proto__":{"x":1}}'), 'a field may not be called "__proto__"'],
    ['300,000 values', { a: new Array(300_000).fill(0) }, 'more than 200000 values'],
  ])('refuses %s', (_, value, message) => {
    const parse = () => expect(() => parseNative(value, genericOutput)).toThrow(message);
    expect(fastestOf(parse)).toBeLessThan(200);
  });
});
