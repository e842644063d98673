import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-repository.ts';
import { AS_LEARNED } from './signal-table.ts';
import { forgetTunedWeights, readTunedWeights, writeTunedWeights } from './tuned-weights.ts';

describe('tuned weights', () => {
  it('are found again only by the same repository, until they are forgotten', () => {
    const { cache } = temporaryFolder();
    const own = { cache: { path: '/somewhere/own-0123' } };
    const multipliers = { ...AS_LEARNED, history: 2 };
    expect(readTunedWeights(own, cache)).toBeNull();
    writeTunedWeights(own, cache, multipliers);
    expect(readTunedWeights(own, cache)).toEqual(multipliers);
    expect(readTunedWeights({ cache: { path: '/somewhere/other-4567' } }, cache)).toBeNull();
    expect(forgetTunedWeights(own, cache)).toBe(true);
    expect(forgetTunedWeights(own, cache)).toBe(false);
    expect(readTunedWeights(own, cache)).toBeNull();
  });

  it('are stored beside the indexes', () => {
    const { cache } = temporaryFolder();
    const own = { cache: { path: '/somewhere/own-0123' } };
    writeTunedWeights(own, cache, AS_LEARNED);
    expect(readdirSync(join(cache, 'index'))).toEqual(['own-0123.tuned.json']);
  });

  it.each(['', '{', '[]', '{"format":1}', '{"format":1,"multipliers":{"path":-1}}', '{"format":2}'])(
    'take %j for none',
    (text) => {
      const repository = temporaryFolder();
      repository.write('../cache/index/own-0123.tuned.json', text);
      expect(readTunedWeights({ cache: { path: 'x/own-0123' } }, repository.cache)).toBeNull();
    },
  );
});
