import { describe, expect, it } from 'vitest';
import { readJsonEvents, readLastJsonObject } from './json-events.ts';

function cpuMilliseconds(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

describe('what a CLI prints', () => {
  it('is read by lines, and noise between them is left out', () => {
    const lines = ['{"a":1}', 'noise', '"text"', ' {"b":{}} \r', '[1]', '{"cut":', '{broken}', '{"c":3}'];
    expect(readJsonEvents(lines.join('\n'))).toEqual([{ a: 1 }, { b: {} }, { c: 3 }]);
    expect(readJsonEvents('[{"a":1},2]')).toEqual([{ a: 1 }]);
  });

  it('ends in an object that is found below other text', () => {
    expect(readLastJsonObject('at x\n{\n  "error": {"code": 1}\n}\n')).toEqual({ error: { code: 1 } });
    expect(readLastJsonObject(`{"first":1}\n${'at x\n'.repeat(500)}{\n"last": 1\n}`)).toEqual({ last: 1 });
    expect(readLastJsonObject('{"a":1} and more')).toBeNull();
  });

  it('is searched for its last object in a few places, not at every brace', () => {
    const nested = `${'{"a":\n'.repeat(10_000)}}`;
    expect(cpuMilliseconds(() => readLastJsonObject(nested))).toBeLessThan(300);
  });
});
