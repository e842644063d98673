import { describe } from 'vitest';
import { describeStore } from '../../src/stores/knowledge-store.contract.ts';
import { freshTeam, hasCluster, openTestStore } from './cluster-kit.ts';

describe.skipIf(!hasCluster())('the contract on a cluster', () => {
  describeStore('opensearch', () => {
    const place = freshTeam();
    // teams of other cases lie in the same index
    return (team) => ({ ...openTestStore(`${place} ${team}`), team });
  });
});
