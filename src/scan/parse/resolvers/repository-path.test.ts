import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldersUpward, joinWithin, sharedDepth, stemOf } from './repository-path.ts';

const segment = fc.constantFrom('a', 'b.c', '..', '.', '', '...', '.hidden', 'x..y');
const path = fc.array(segment, { maxLength: 7 }).map((parts) => parts.join('/'));
const folder = fc.array(fc.constantFrom('f', 'g.h', '.i'), { maxLength: 3 }).map((parts) => parts.join('/'));

test('joining gives the same path as on the platform, inside the repository', () => {
  fc.assert(
    fc.property(folder, path, (base, relative) => {
      const expected = posix.join('/', base, relative.startsWith('/') ? `.${relative}` : relative);
      const depth = base === '' ? 0 : base.split('/').length;
      const joined = joinWithin(base, relative);
      if (joined === null) expect(lowestDepth(relative, depth)).toBeLessThan(0);
      else {
        expect(lowestDepth(relative, depth)).toBeGreaterThanOrEqual(0);
        expect(`/${joined}`).toBe(expected.length > 1 ? expected.replace(/\/$/, '') : '/');
      }
    }),
    { numRuns: 500 },
  );
});

function lowestDepth(relative: string, start: number): number {
  let depth = start;
  let lowest = start;
  for (const part of relative.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    lowest = Math.min(lowest, depth);
  }
  return lowest;
}

test('stems, folders and shared folders', () => {
  expect(stemOf('a/b.service.ts')).toBe('b.service');
  expect(stemOf('a/.profile')).toBe('.profile');
  expect(foldersUpward('a/b')).toEqual(['a/b', 'a', '']);
  expect(foldersUpward('')).toEqual(['']);
  expect(sharedDepth('a/b/c.ts', 'a/b/d.ts')).toBe(2);
  expect(sharedDepth('ab/c.ts', 'a/c.ts')).toBe(0);
});
