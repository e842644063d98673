import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPathFilter } from '../../scan/discover/path-filter.ts';
import { literalInPattern } from './role-files.ts';

it.each([
  ['AGENTS.md', 'AGENTS.md'],
  ['./docs/**/*.md', 'docs'],
  ['src/**', 'src'],
  ['README*', 'README'],
  ['{a,b}.ts', ''],
  ['**/*', ''],
])('of %s is %j', (pattern, literal) => {
  expect(literalInPattern(pattern)).toBe(literal);
});

it('is in every path that the pattern covers', () => {
  const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', '..a');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const piece = fc.constantFrom('a', 'b', '.', '/', '*', '**', '?', './', '/**/', '[ab]', '{a,b}');
  const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
  let covered = 0;
  fc.assert(
    fc.property(pattern, path, (one, other) => {
      let isCovered = false;
      try {
        isCovered = createPathFilter([one], []).accepts(other);
      } catch {
        return;
      }
      if (!isCovered) return;
      covered++;
      expect(other).toContain(literalInPattern(one));
    }),
    { numRuns: 5_000 },
  );
  expect(covered).toBeGreaterThan(200);
});
