import { describe, expect, it } from 'vitest';
import { object } from './object-schema.ts';
import { choice, integer, list, nullable, optional, text } from './schema.ts';
import { readValue, showIssue } from './value-issues.ts';

const person = object(
  { title: 'Person' },
  {
    name: text(),
    age: nullable(integer()),
    kind: optional(choice(['a', 'b']), () => 'a' as const),
    tags: optional(list(text()), () => []),
  },
);

const sentences = (value: unknown): readonly string[] => {
  const read = readValue(person, value);
  return read.kind === 'read' ? [] : read.issues.map(showIssue);
};

describe('a value that is checked', () => {
  it('comes back with its defaults', () => {
    expect(readValue(person, { name: 'x', age: null })).toEqual({
      kind: 'read',
      value: { name: 'x', age: null, kind: 'a', tags: [] },
    });
  });

  it('is refused with every mistake: its position, the expected value and the actual one', () => {
    expect(sentences({ age: 1.5, kind: 'c', tags: ['x', 2], nam: 1 })).toEqual([
      'name: expected a text, got nothing: the field is missing',
      'age: expected a whole number or null, got 1.5',
      'kind: expected one of "a", "b", got "c"',
      'tags[1]: expected a text, got 2',
      'nam: expected no field of this name (did you mean "name"?), got a field that is not one of name, age, kind, tags',
    ]);
    expect(sentences([])).toEqual(['the answer: expected an object, got a list of 0']);
  });

  it('is refused when a field has the name of a prototype', () => {
    const value = JSON.parse('{"name":"x","age":1,"__proto__":{"kind":"b"}}');
    expect(sentences(value)).toHaveLength(1);
    expect(sentences({ name: 'x', age: 1, constructor: 1 })[0]).toContain('constructor: expected no field');
  });

  it('has at most a hundred mistakes in words, and all of them in the count', () => {
    const read = readValue(person, { name: 'x', age: 1, tags: new Array(5_000).fill(0) });
    expect(read).toMatchObject({ kind: 'refused', count: 5_000 });
    expect(read.kind === 'refused' && read.issues.length).toBe(100);
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, 1]));
    expect(readValue(person, { name: 'x', age: 1, ...fields })).toMatchObject({ count: 300 });
  });
});
