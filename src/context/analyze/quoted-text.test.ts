import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

function quotes(text: string): [string, boolean][] {
  return analyzeTask(`Title of it\n\n${text}`).quotes.map((quote) => [quote.text, quote.isError]);
}

describe('quotes', () => {
  it.each<[string, string, boolean]>([
    ['it says "please wait" forever', 'please wait', false],
    ["it says 'please wait' forever", 'please wait', false],
    ['it says “please wait” forever', 'please wait', false],
    ['es sagt „bitte warten“ immer', 'bitte warten', false],
    ['il dit « attendez donc » toujours', 'attendez donc', false],
    ['it says `please wait` forever', 'please wait', false],
    ['它显示「请等待」', '请等待', false],
    ['it says "cannot open the file"', 'cannot open the file', true],
    ["it doesn't say 'file not found' but", 'file not found', true],
    ['TypeError: x is not a function', 'TypeError: x is not a function', true],
    [
      'django.core.exceptions.FieldError: Local field',
      'django.core.exceptions.FieldError: Local field',
      true,
    ],
    ['error[E0382]: use of moved value', 'error[E0382]: use of moved value', true],
    ['panic: runtime error: index out of range', 'panic: runtime error: index out of range', true],
    ['** (ArgumentError) argument error', '** (ArgumentError) argument error', true],
    ['Uncaught ReferenceError: foo is not defined', 'Uncaught ReferenceError: foo is not defined', true],
    ['```\nE   AssertionError: assert 1 == 2\n```', 'AssertionError: assert 1 == 2', true],
    ['```\nraise ValueError("must be positive")\n```', 'must be positive', true],
  ])('%s', (text, expected, isError) => expect(quotes(text)).toContainEqual([expected, isError]));

  it.each([
    "it's what it's",
    "the users' and the owners' rights",
    'a "b',
    'the `name` alone',
    '5" and 6" wide',
    "rock 'n roll",
  ])('none in: %s', (text) => expect(quotes(text)).toEqual([]));
});
