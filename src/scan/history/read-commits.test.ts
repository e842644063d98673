import { expect, it } from 'vitest';
import { readCommits } from './load-history.ts';

const ID = 'a'.repeat(40);

it('takes no changes of a commit that was not asked for', async () => {
  const commit = { id: ID, parents: [] };
  const change = { kind: 'added', path: 'a.ts', from: null } as const;
  const read = await readCommits(
    {
      bounds: () => '',
      list: async () => ({ commits: [commit], failure: null }),
      objects: async () => [{ ...commit, encoding: null, message: Buffer.from('Add a') }],
      changes: async (_, visit) => {
        visit('b'.repeat(40), [change]);
        visit(ID, [change]);
      },
    },
    [commit],
  );
  expect(read).toMatchObject({ records: [{ id: ID, fileCount: 1 }], unread: 0 });
});
