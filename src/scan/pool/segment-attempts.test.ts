import { describe, expect, it } from 'vitest';
import type { SegmentFileResult } from './open-segment.ts';
import { SegmentAttempts } from './segment-attempts.ts';

const files = ['a', 'b', 'c'].map((path) => ({ path, light: false, plain: false }));
const resultFor = (hash: string) => ({ hash }) as SegmentFileResult;

function attemptsAt(given: typeof files): SegmentAttempts {
  const attempts = new SegmentAttempts();
  attempts.add(given);
  return attempts;
}

describe('attempts at a segment', () => {
  it('try a file twice more before it loses its structure, and then once as plain text', () => {
    const attempts = attemptsAt(files);
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
    const attempts = attemptsAt(files);
    attempts.next();
    expect(attempts.died(1, true)).toMatchObject({ path: 'a' });
  });

  it('give results back in the order of the files, whatever the order of the work', () => {
    const attempts = attemptsAt(files);
    attempts.next();
    attempts.died(1, false);
    attempts.finish(attempts.next().map(({ path }) => resultFor(path)));
    expect(attempts.paths).toEqual(['a', 'b', 'c']);
    expect(attempts.results().map(({ hash }) => hash)).toEqual(['a', 'b', 'c']);
  });

  it('read everything again when a worker dies, and nothing twice as long as it lives', () => {
    const attempts = attemptsAt(files);
    attempts.finish(attempts.next().map(({ path }) => resultFor(path)));
    attempts.add([{ path: 'd', light: false, plain: false }]);
    expect(attempts.next().map(({ path }) => path)).toEqual(['d']);
    attempts.died(1, true);
    expect(attempts.next().map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('forget the findings of a dead worker for a file that cannot be read', () => {
    const attempts = attemptsAt(files);
    attempts.finish(attempts.next().map(({ path }) => resultFor(path)));
    attempts.add([{ path: 'd', light: false, plain: false }]);
    attempts.next();
    attempts.died(1, false);
    for (let death = 0; death < 4; death++)
      attempts.died(attempts.next().findIndex(({ path }) => path === 'b') + 1, false);
    attempts.finish(attempts.next().map(({ path }) => resultFor(path)));
    expect(attempts.results().map(({ hash }) => hash)).toEqual(['a', '', 'c', 'd']);
  });

  it('end when processes die for no reason in a file', () => {
    const attempts = attemptsAt(files);
    attempts.next();
    const dieOften = () => {
      for (let death = 0; death < 20; death++) attempts.died(0, false);
    };
    expect(dieOften).toThrow('before it read its first file');
  });
});
