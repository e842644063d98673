import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fastestOf } from '../../../test/support/fastest-of.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { ObjectSchema } from '../../schema/object-schema.ts';
import {
  genericOutput,
  type ImplementationOutput,
  implementationOutput,
  planOutput,
  reviewOutput,
} from './answer-schemas.ts';
import {
  InvalidOutputError,
  ParsingError,
  parseNative,
  parseNativeText,
  parseWorkerOutput,
} from './parse-worker-output.ts';

const block = (json: string) => `Text.\n\n\`\`\`json\n${json}\n\`\`\`\n`;

function failure<Value>(text: string, schema: ObjectSchema<Value>): ParsingError | InvalidOutputError {
  try {
    parseWorkerOutput(text, schema);
  } catch (error) {
    if (error instanceof ParsingError || error instanceof InvalidOutputError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('parseWorkerOutput', () => {
  it('fills in the defaults, and the type says so', () => {
    const output = parseWorkerOutput(block('{"status":"PARTIAL","action_taken":"x"}'), implementationOutput);
    expectTypeOf(output).toEqualTypeOf<ImplementationOutput>();
    expectTypeOf(output.status).toEqualTypeOf<'SUCCESS' | 'PARTIAL' | 'FAILED' | 'BLOCKED'>();
    expectTypeOf(output.next_step).toEqualTypeOf<string | null>();
    expect(output).toEqual({
      status: 'PARTIAL',
      action_taken: 'x',
      files_created: [],
      files_modified: [],
      tests_written: [],
      blockers: [],
      next_step: null,
    });
  });

  it('gives every answer its own lists', () => {
    const parse = () => parseWorkerOutput(block('{"status":"FAILED"}'), implementationOutput);
    expect(parse().blockers).not.toBe(parse().blockers);
  });

  it('lists everything that is wrong, with its place', () => {
    const error = failure(block('{"status":"DONE",\n "phases":[1], "risks":"x"}'), planOutput);
    expect(error).toBeInstanceOf(InvalidOutputError);
    expect(error).toBeInstanceOf(LoadoutError);
    expect(error.message).toContain(
      'status: expected one of "COMPLETE", "NEEDS_REFINEMENT", "BLOCKED", got "DONE", at line 1, column 11',
    );
    expect(error.message).toContain('phases[0]: expected an object, got 1, at line 2, column 12');
    expect(error.message).toContain('estimated_components: expected a whole number, got nothing');
    expect(error.message).toContain('risks: expected a list, got "x"');
    expect(error.feedback).toContain('send the whole answer again');
    expect((error as InvalidOutputError).issues).toHaveLength(4);
  });

  it('refuses an unknown field, and suggests the one that was probably meant', () => {
    const error = failure(block('{"status":"SUCCESS","file_modified":["a.ts"]}'), implementationOutput);
    expect(error.message).toContain('did you mean "files_modified"?');
  });

  it('refuses a review whose two verdicts differ', () => {
    const error = failure(block('{"status":"APPROVED","review_status":"REJECTED"}'), reviewOutput);
    expect(error.message).toContain('review_status: expected the same as status, "APPROVED", got "REJECTED"');
  });

  it("keeps a reviewer's fields about an issue beyond the known ones", () => {
    const json = '{"status":"REJECTED","review_status":"REJECTED","issues":[{"description":"d","cwe":79}]}';
    expect(parseWorkerOutput(block(json), reviewOutput).issues).toEqual([
      { severity: 'medium', file: null, line: null, description: 'd', suggestion: null, cwe: 79 },
    ]);
  });

  it('explains an answer that is missing, misplaced, cut off or empty', () => {
    expect(failure('All done!', planOutput).feedback).toContain('there is text without a fenced block');
    expect(failure('```\n{}\n```', planOutput).message).toContain('1 fenced block without that label');
    expect(failure('~~~\n```json\n{}\n```\n~~~', planOutput).message).toContain(
      'on line 2, inside another fence',
    );
    expect(failure('- a\n\n      ```json\n      1\n      ```', planOutput).message).toContain(
      'on line 3, without a JSON object after it',
    );
    expect(failure('So:\n```json\n{}\n', planOutput).message).toContain('on line 2, which is never closed');
    expect(failure('```json\n{}\n```\n    ```json\n    {"a":1}\n    ```', planOutput)).toMatchObject({
      code: 'answer-ambiguous',
      message: expect.stringContaining('the JSON block on line 4'),
    });
    expect(failure('```json\n{"a":', planOutput)).toMatchObject({ code: 'answer-cut-off' });
    expect(failure(block(''), planOutput).message).toContain('the JSON block is empty');
  });

  it('says how to answer in every error', () => {
    const texts = [
      '',
      'x',
      '```\n{}\n```',
      '```json\n{"a":',
      '```json\n{}',
      '```json\n[]\n```',
      block('{"a":1}'),
    ];
    const more = [
      block(''),
      block(`"${'x'.repeat(300_000)}"`),
      '```\n'.repeat(200_001),
      '    ```json\n    1',
    ];
    for (const text of [...texts, ...more])
      expect(failure(text, planOutput).feedback, text.slice(0, 30)).toContain(
        'a line ```json, the JSON object',
      );
  });

  it.each([
    ['a trailing comma', '{"status":"x",}', 'a name in double quotes should be here, at line 1, column 15'],
    ['a comment', '{ // x\n}', 'a name in double quotes should be here'],
    ['a comment for a value', '{"a": // x\n1}', 'comments are not allowed in JSON, at line 1'],
    ['two values', '{} {}', 'nothing may follow the value, at line 1, column 4'],
    ['an early end', '{"a": ', 'the JSON ends where a value should be'],
    ['NaN', '{"a": NaN}', 'a value should be here'],
    [
      'a field given twice',
      '{"status":"APPROVED",\n"status":"REJECTED"}',
      '"status" is set twice, at line 2',
    ],
    ['a field given twice by an escape', '{"a":1,"\\u0061":2}', '"a" is set twice'],
    ['__proto__', '{"x":{"__proto__":{"admin":true}}}', 'x: a field may not be called "__proto__"'],
    ['__proto__ by an escape', '{"__\\u0070roto__":1}', 'a field may not be called "__proto__"'],
    [
      'a number beyond the safe range',
      '{"n":[9007199254740993]}',
      'n[0]: the number 9007199254740992 cannot',
    ],
    ['a number without end', '{"n":-1e999}', 'n: the number -Infinity cannot be held exactly'],
  ])('refuses %s', (_, json, message) => {
    const error = failure(block(json), genericOutput);
    expect(error).toBeInstanceOf(ParsingError);
    expect(error.message).toContain(message);
  });

  it('keeps a field called constructor as plain data', () => {
    const output = parseWorkerOutput(
      block('{"constructor":{"prototype":{"x":1}},"toString":2}'),
      genericOutput,
    );
    expect(Object.keys(output)).toEqual(['status', 'constructor', 'toString']);
    expect('x' in {}).toBe(false);
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
  });
});

describe('hostile answers', () => {
  const MB = 1024 * 1024;
  const answer = '```json\n{"status":"SUCCESS"}\n```';
  it.each([
    ['10 MB of text before it', `${'some text of the model\n'.repeat((10 * MB) / 23)}${answer}`, null],
    ['10 MB of empty lines', `${'\n'.repeat(10 * MB)}${answer}`, null],
    ['10 MB of one line of marks', `${'`'.repeat(10 * MB)} x\` y\n${answer}`, null],
    ['10 MB of indented lines', `${`${' '.repeat(99)}\n`.repeat((10 * MB) / 100)}`, 'answer-not-found'],
    ['10 MB of indented marks', `    ${'`'.repeat(10 * MB)}`, 'answer-not-found'],
    ['10 MB of fences', '```\n'.repeat((10 * MB) / 4), 'answer-too-large'],
    ['10 MB of JSON', block(`{"status":"${'x'.repeat(10 * MB)}"}`), 'answer-too-large'],
    ['40 MB', 'x'.repeat(40 * MB), 'answer-too-large'],
    ['10,000 levels', block(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), 'answer-not-json'],
    ['100,000 levels, not closed', block('[{"a":'.repeat(40_000)), 'answer-not-json'],
    ['a long text of escapes', block(`{"status":"${'\\n'.repeat(120_000)}"}`), 'answer-invalid'],
    [
      '100,000 wrong items',
      block(`{"status":"FAILED","blockers":[${'1,'.repeat(100_000)}1]}`),
      'answer-invalid',
    ],
    [
      '18,000 unknown fields',
      block(`{${Array.from({ length: 18_000 }, (_, n) => `"f${n}":1`).join()}}`),
      'answer-invalid',
    ],
  ])('%s: ends within half a second, feedback stays short', (_, text, code) => {
    let ended: unknown = null;
    const parse = () => {
      try {
        parseWorkerOutput(text, implementationOutput);
      } catch (error) {
        ended = error;
      }
    };
    expect(fastestOf(parse)).toBeLessThan(500);
    expect(ended instanceof LoadoutError ? ended.code : ended).toBe(code);
    if (ended instanceof LoadoutError) {
      expect((ended as ParsingError).feedback.length).toBeLessThan(4000);
      expect(ended.message.length).toBeLessThan(4000);
    }
  });

  it('any text ends in a value or in one of the two errors', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '```json\n',
        '\n```\n',
        '~~~\n',
        '{',
        '}',
        '"status":',
        '"SUCCESS"',
        ',',
        '[',
        '__proto__',
        '\n',
      ),
      fc.string(),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const schema of [planOutput, genericOutput]) {
          try {
            const output: { readonly status: string } = parseWorkerOutput(pieces.join(''), schema);
            expect(typeof output.status).toBe('string');
          } catch (error) {
            if (!(error instanceof ParsingError) && !(error instanceof InvalidOutputError)) throw error;
            expect(error.feedback.length).toBeGreaterThan(20);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('any JSON object comes back from the generic schema as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (data) => {
        fc.pre(!JSON.stringify(data).includes('"__proto__"'));
        fc.pre(!Object.hasOwn(data, 'status'));
        fc.pre(JSON.stringify(data) === JSON.stringify(JSON.parse(JSON.stringify(data))));
        fc.pre(
          ![...JSON.stringify(data).matchAll(/-?\d[\d.e+-]*/g)].some(
            ([n]) => Math.abs(Number(n)) > 2 ** 53 - 1,
          ),
        );
        const text = block(JSON.stringify(data, null, 1));
        expect(parseWorkerOutput(text, genericOutput)).toEqual({
          status: 'UNKNOWN',
          ...JSON.parse(JSON.stringify(data)),
        });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseNative', () => {
  it('checks a value of the structured channel like any answer', () => {
    expect(parseNative({ status: 'SUCCESS', action_taken: 'a' }, implementationOutput).files_created).toEqual(
      [],
    );
    expect(() => parseNative({ status: 'YES' }, implementationOutput)).toThrow(/status: expected one of/);
  });

  it('treats a string as a string, even if it looks like JSON', () => {
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

  it('copies its input', () => {
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
