import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { node } from '../../src/workers/loop/loop.test-kit.ts';
import { readTree } from '../../src/workers/loop/read-task-tree.ts';
import { startLoop } from '../../src/workers/loop/start-loop.ts';
import { renderTree } from '../../src/workers/loop/task-tree.ts';
import { IS_FULL, SCALE } from '../support/scale.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { buildLoopRunner, type LoopRunner } from './fixtures/loop-runner.ts';

const KILLS = IS_FULL ? 50 : SCALE;
const TREE = '.loadout/loop/state/tree.json';
const ITERATIONS = 6;
/** Starts of processes at which to kill: the last ones are where the branch moves. */
const pointsOf = (starts: number): number[] =>
  Array.from({ length: starts }, (_, at) => at + 1).filter(
    (at) => IS_FULL || at > starts - (SCALE === 1 ? 2 : 5) || at === Math.floor(starts / 2),
  );
const canTrace = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;
async function begin(goal = 'Make one, two and three'): Promise<TemporaryRepository> {
  const repository = temporaryRepository({ 'a.txt': 'a\n' });
  repository.git('switch', '--quiet', '-c', 'work');
  await startLoop({ repository: repository.path, goal }, () => 0);
  return repository;
}

/** All that an iteration leaves, without what differs from run to run. */
function traces({ git }: TemporaryRepository): Record<string, unknown> {
  return {
    subjects: git('log', '--format=%s', 'main..HEAD').trim().split('\n').reverse(),
    tree: git('show', `HEAD:${TREE}`),
    nextIteration: JSON.parse(git('show', 'HEAD:.loadout/loop/state/run_state.json')).next_iter,
    notes: git('show', 'HEAD:.loadout/loop/state/assumptions.md'),
    files: git('ls-tree', '-r', 'HEAD')
      .split('\n')
      .filter((line) => !line.includes('run_state')),
    status: git('status', '--porcelain'),
    damage: git('fsck', '--no-dangling'),
  };
}

describe('a loop that is killed', () => {
  let runner: LoopRunner;
  beforeAll(async () => {
    runner = await buildLoopRunner();
  });
  afterAll(() => runner.remove());

  it(`${KILLS} times at random goes on, with no attempt lost or counted twice`, {
    timeout: 60_000 + KILLS * 30_000,
  }, async () => {
    const calm = await begin();
    const started = performance.now();
    expect(await runner.run(calm.path, calm.cache)).toBe(0);
    const lasted = performance.now() - started;
    const expected = traces(calm);
    expect(expected.subjects).toHaveLength(1 + ITERATIONS);
    expect(expected.nextIteration).toBe(1 + ITERATIONS);
    let killed = 0;
    while (killed < KILLS) {
      const repository = await begin();
      // Long enough for an iteration now and then, so that every kind of moment comes up.
      let code: number | null = null;
      while (code === null) {
        const isLast = killed >= KILLS;
        const after = isLast ? undefined : 50 + Math.random() * lasted * (IS_FULL ? 0.6 : 0.25);
        code = await runner.run(repository.path, repository.cache, after);
        if (code === null) killed += 1;
        const tree = repository.git('show', `HEAD:${TREE}`);
        expect(readTree(tree, TREE).kind).toBe('tree');
      }
      expect(code).toBe(0);
      expect(traces(repository)).toEqual(expected);
    }
  });

  it.skipIf(!canTrace)(
    'while it starts a process goes on, whichever process it is',
    {
      timeout: IS_FULL ? 1_200_000 : 120_000,
    },
    async () => {
      const goal = renderTree(node('one'));
      const calm = await begin(goal);
      const points = pointsOf(await runner.countSpawns(calm.path, calm.cache));
      const expected = traces(calm);
      expect(expected.subjects).toEqual(['loadout loop: start', 'loadout loop: one done, guard pass']);
      let killed = 0;
      for (const point of points) {
        const repository = await begin(goal);
        if (await runner.runUntilSpawn(repository.path, repository.cache, point)) killed += 1;
        expect(await runner.run(repository.path, repository.cache)).toBe(0);
        expect({ point, ...traces(repository) }).toEqual({ point, ...expected });
      }
      // The number of threads differs a little from start to start.
      expect(killed).toBeGreaterThan(points.length * 0.6);
    },
  );
});
