import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openClient } from '../../../test/security/support/open-client.ts';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { ownIdentity } from '../../platform/process/process-identity.ts';
import { reapTrees, takeTree } from './run-tree.ts';
import { keptTrees, openTreePlace, writeLease } from './tree-place.ts';

const run = (at: number) => `20260101-00000${at}-0000000${at}`;
const deadOwner = () => ({ ...ownIdentity(), pid: 2 ** 22 + 5, startTime: '1' });

async function setUp() {
  const repository = temporaryRepository({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
  const git = await openClient(repository.path);
  const commit = repository.git('rev-parse', 'HEAD').trim();
  const place = () => openTreePlace(git, repository.cache);
  return { repository, git, commit, place };
}

describe('trees', () => {
  it('are used again, at most two of them wait, and no two runs have the same', async () => {
    const { repository, commit, place } = await setUp();
    const trees = await Promise.all([1, 2, 3].map((at) => takeTree(place(), run(at), commit)));
    expect(new Set(trees.map(({ path }) => path)).size).toBe(3);
    for (const tree of trees) await tree.giveBack();
    expect(readdirSync(place().trees)).toHaveLength(2);
    const again = await takeTree(place(), run(4), commit);
    expect(trees.map(({ path }) => path)).toContain(again.path);
    await again.giveBack();
    await again.giveBack();
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('are made again when the cache directory was cleared or they were damaged', async () => {
    const { repository, commit, place } = await setUp();
    const first = await takeTree(place(), run(1), commit);
    await first.giveBack();
    rmSync(repository.cache, { recursive: true });
    mkdirSync(repository.cache);
    const second = await takeTree(place(), run(2), commit);
    rmSync(join(second.path, '.git'), { recursive: true });
    writeFileSync(join(second.path, '.git'), 'gitdir: /nonexistent\n');
    await second.giveBack();
    const third = await takeTree(place(), run(3), commit);
    expect(third.path).toBe(second.path);
    expect((await third.snapshot()).tree).toBe(third.baseTree);
  });

  it('keep the index of the commit that they are at, and of no other', async () => {
    const { repository, commit, place } = await setUp();
    const first = await takeTree(place(), run(1), commit);
    await first.giveBack();
    expect(place().indexes.list()).toEqual([run(1), `${run(1)}.at-${commit}`]);
    const second = await takeTree(place(), run(2), commit);
    // As long as before, and perhaps in the same second.
    writeFileSync(join(second.path, 'a.txt'), 'b\n');
    expect((await second.snapshot()).tree).not.toBe(second.baseTree);
    second.finish();
    await second.giveBack();
    const third = await takeTree(place(), run(3), commit);
    expect((await third.snapshot()).tree).toBe(third.baseTree);
    await third.giveBack();
    repository.git('commit', '--quiet', '--allow-empty', '--message=next');
    const next = repository.git('rev-parse', 'HEAD').trim();
    await (await takeTree(place(), run(4), next)).giveBack();
    expect(place().indexes.list()).toEqual([run(1), `${run(1)}.at-${next}`]);
  });

  it.each([
    ['nothing in it goes', 'running', '', null],
    ['changes in it stays', 'running', 'changed\n', 'dirty'],
    ['a saved patch goes', 'finished', 'changed\n', null],
    ['a half-made checkout goes', 'preparing', 'changed\n', null],
  ] as const)('of a dead run: one with %s', async (_, phase, content, why) => {
    const { repository, commit, place } = await setUp();
    const tree = await takeTree(place(), run(1), commit);
    if (content !== '') writeFileSync(join(tree.path, 'a.txt'), content);
    const owner = deadOwner();
    writeLease(place().leases, { run: run(1), tree: run(1), phase, owner, commit, root: repository.path });
    const [reaped, ...others] = await reapTrees(place(), (one) => one);
    expect(others).toEqual([]);
    expect(reaped).toMatchObject({ run: run(1), kept: why === null ? null : { why, path: tree.path } });
    expect(existsSync(tree.path)).toBe(why !== null);
    expect(place().leases.list()).toEqual([]);
    expect(keptTrees(place())).toHaveLength(why === null ? 0 : 1);
    expect(await reapTrees(place(), (one) => one)).toEqual([]);
    const next = await takeTree(place(), run(2), commit);
    expect(next.path === tree.path).toBe(false);
  });

  it('of a dead run are found again when the process that cleaned up was killed before it wrote the end', async () => {
    const { repository, commit, place } = await setUp();
    await takeTree(place(), run(1), commit);
    const owner = deadOwner();
    const lease = {
      run: run(1),
      tree: run(1),
      phase: 'running',
      owner,
      commit,
      root: repository.path,
    } as const;
    writeLease(place().leases, lease);
    const killed = () => {
      throw new Error('killed');
    };
    await expect(reapTrees(place(), killed)).rejects.toThrow('killed');
    expect(await reapTrees(place(), ({ run: name }) => name)).toEqual([run(1)]);
    expect(place().leases.list()).toEqual([]);
  });

  it('with a damaged lease stay, and a living owner keeps its own', async () => {
    const { commit, place } = await setUp();
    const tree = await takeTree(place(), run(1), commit);
    expect(await reapTrees(place(), (one) => one)).toEqual([]);
    place().leases.write(`${run(1)}.json`, '{"run":');
    expect(await reapTrees(place(), (one) => one)).toEqual([]);
    expect(keptTrees(place())).toMatchObject([{ tree: run(1), why: 'damaged' }]);
    expect(existsSync(tree.path)).toBe(true);
  });

  it('with commits that are nowhere else stay', async () => {
    const { repository, commit, place } = await setUp();
    const tree = await takeTree(place(), run(1), commit);
    repository.git('-C', tree.path, 'commit', '--quiet', '--allow-empty', '--message=mine');
    const owner = deadOwner();
    writeLease(place().leases, {
      run: run(1),
      tree: run(1),
      phase: 'running',
      owner,
      commit,
      root: repository.path,
    });
    expect(await reapTrees(place(), (one) => one)).toMatchObject([{ kept: { why: 'unmerged' } }]);
  });

  it('are never made inside the repository', async () => {
    const { repository, git } = await setUp();
    expect(() => openTreePlace(git, join(repository.path, '.cache'))).toThrow(/inside the repository/);
    expect(existsSync(join(repository.path, '.cache/runs'))).toBe(false);
  });
});
