import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoreHit } from '../../model/knowledge-store.ts';
import { rankedList } from './search-snapshots.ts';

const hit = fc.record({
  repository: fc.constantFrom('org/a', 'org/b'),
  branch: fc.constantFrom('main', 'next'),
  path: fc.constantFrom('a', 'b', 'c', 'd'),
  score: fc.integer({ min: 0, max: 5 }),
});
const keyOf = ({ repository, branch, path }: Omit<StoreHit, 'contentHash'>) =>
  `${repository} ${branch} ${path}`;

it('is the beginning of the sorted list, however many hits there are', () => {
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 1500, size: 'max' }), fc.nat(60), (hits, limit) => {
      const all = hits.map((one) => ({ ...one, contentHash: 'h' }));
      const sorted = [...all].sort(
        (a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0),
      );
      expect(rankedList(all, limit)).toEqual(sorted.slice(0, limit));
      expect(rankedList(all.reverse(), limit)).toEqual(sorted.slice(0, limit));
    }),
  );
});
