import { describe, expect, it } from 'vitest';
import { BatchAttempts } from './batch-attempts.ts';
import type { SegmentFileResult } from './build-segment.ts';

const files = ['a', 'b', 'c'].map((path) => ({ path, light: false }));
const resultFor = (hash: string) => ({ hash }) as SegmentFileResult;

describe('attempts at a batch', () => {
  it('try a file twice more before it loses its structure, and then once as plain text', () => {
    const attempts = new BatchAttempts(files);
    const begunWhen = (path: string) => attempts.next().findIndex((file) => file.path === path) + 1;
    expect(attempts.died(begunWhen('b'), false)).toBeNull();
    expect(attempts.died(begunWhen('b'), false)).toBeNull();
    expect(attempts.next().every(({ plain }) => !plain)).toBe(true);
    expect(attempts.died(begunWhen('b'), false)).toMatchObject({ code: 'parser-crashed', path: 'b' });
    expect(attempts.next().filter(({ plain }) => plain)).toEqual([{ path: 'b', light: false, plain: true }]);
    expect(attempts.died(begunWhen('b'), false)).toMatchObject({
      message: expect.stringContaining('skipped'),
    });
    expect(attempts.next().map(({ path }) => path)).toEqual(['a', 'c']);
  });

  it('do not wait for a second hang', () => {
    const attempts = new BatchAttempts(files);
    attempts.next();
    expect(attempts.died(1, true)).toMatchObject({ path: 'a' });
  });

  it('give results back in the order of the batch, whatever the order of the work', () => {
    const attempts = new BatchAttempts(files);
    attempts.next();
    attempts.died(1, false);
    const order = attempts.next().map(({ path }) => path);
    const result = { files: order.map(resultFor), documents: 3, residentBytes: 0 };
    expect(attempts.collect(result).map(({ hash }) => hash)).toEqual(['a', 'b', 'c']);
  });

  it('end when processes die for no reason in a file', () => {
    const attempts = new BatchAttempts(files);
    attempts.next();
    const dieOften = () => {
      for (let death = 0; death < 20; death++) attempts.died(0, false);
    };
    expect(dieOften).toThrow('before it reads its first file');
  });
});
