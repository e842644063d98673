import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { kitFor, say, scriptAgent, userState } from '../../src/workers/run.test-kit.ts';
import { listRuns } from '../../src/workers/run-log.ts';
import { runRole } from '../../src/workers/run-role.ts';
import { IS_FULL } from '../support/scale.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { buildRunner, processesOf, type Runner, waitUntil } from './fixtures/run-runner.ts';

const ROUNDS = IS_FULL ? 10 : 1;
const PARALLEL = 16;
const KILLS = IS_FULL ? 30 : 8;

// The work trees of hundreds of runs are removed after a test.
vi.setConfig({ hookTimeout: 60_000 });

function usersRepository(): TemporaryRepository {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`src/${at % 7}/${at}.txt`, `${at}\n`]),
  );
  const repository = temporaryRepository({ 'a.txt': 'a\n', ...files });
  repository.write('a.txt', 'stashed\n');
  repository.git('stash', 'push', '--quiet');
  repository.write('staged.txt', 'staged\n');
  repository.git('add', 'staged.txt');
  repository.write('src/0/0.txt', 'not committed\n');
  repository.git('status');
  return repository;
}

/** Half-written files of a killed process are not leases; they are removed after a minute. */
const leasesIn = (cache: string) =>
  readdirSync(join(place(cache), 'leases')).filter((name) => !name.endsWith('.tmp'));
const place = (cache: string) => join(cache, 'runs', readdirSync(join(cache, 'runs'))[0]!);

describe('work trees', () => {
  it(`are distinct for ${PARALLEL} runs at once (${ROUNDS} rounds)`, {
    timeout: ROUNDS * 120_000,
  }, async () => {
    const repository = usersRepository();
    const before = userState(repository);
    // Each waits for the others, so that all have a tree at the same time.
    const meet = `touch "$HOME/met/$$"; while [ "$(ls "$HOME/met" | wc -l)" -lt ${PARALLEL} ]; do sleep 0.1; done`;
    const script = `cat > /dev/null; [ "$(git status --porcelain)" = "A  staged.txt" ] || exit 3; pwd > mine.txt; ${meet}; ${say()}`;
    const { environment, request } = kitFor(repository, scriptAgent(script));
    for (let round = 0; round < ROUNDS; round += 1) {
      rmSync(join(repository.home, 'met'), { recursive: true, force: true });
      mkdirSync(join(repository.home, 'met'));
      const handles = Array.from({ length: PARALLEL }, () =>
        runRole({ ...request, branch: true }, environment),
      );
      const results = await Promise.all(handles.map(({ result }) => result));
      expect(results.map(({ outcome, message }) => [outcome, message])).toEqual(
        results.map(() => ['passed', '0 of 0 gates']),
      );
      const paths = results.map(({ branch }) => repository.git('show', `${branch}:mine.txt`));
      expect(new Set(paths).size).toBe(PARALLEL);
    }
    expect(userState(repository)).toEqual(before);
    expect(readdirSync(join(place(repository.cache), 'leases'))).toEqual([]);
    expect(readdirSync(join(place(repository.cache), 'trees')).length).toBeLessThanOrEqual(2);
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(repository.git('fsck', '--no-dangling')).toBe('');
  });

  describe('after the runner was killed', () => {
    let runner: Runner;
    beforeAll(async () => {
      runner = await buildRunner();
    });
    afterAll(() => runner.remove());

    it(`at ${KILLS} random moments, are as they should be`, { timeout: KILLS * 20_000 }, async () => {
      const repository = usersRepository();
      const before = userState(repository);
      const { path, cache, git } = repository;
      const script = `cat > /dev/null; echo new > new.txt; sleep 0.1; git -c user.name=T -c user.email=t@e commit --quiet --allow-empty -m x; sleep 0.2; ${say()}`;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const victim = runner.start(path, cache, 20_000, script);
        await Promise.race([victim.until('begun'), victim.ended]);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 900));
        victim.child.kill('SIGKILL');
        await victim.ended;
        const run = String(victim.lines[0]!.run);
        expect(await waitUntil(() => processesOf(run, cache).length === 0, 3000)).toBeLessThan(3000);
      }
      const last = runner.start(path, cache, 20_000, `cat > /dev/null; ${say()}`);
      expect(await last.ended).toBe(0);
      expect(last.lines.at(-1)).toMatchObject({ type: 'result', outcome: 'passed' });
      expect(leasesIn(cache)).toEqual([]);
      expect(git('for-each-ref', 'refs/heads/loadout')).toBe('');
      expect(git('fsck', '--no-dangling')).toBe('');
      expect(userState(repository)).toEqual(before);
      // Whatever an agent had begun is still there, and named.
      const kept = readdirSync(join(place(cache), 'kept')).filter((name) => name.endsWith('.json'));
      for (const name of kept) {
        const { path: tree } = JSON.parse(readFileSync(join(place(cache), 'kept', name), 'utf8'));
        expect(readFileSync(join(tree, 'new.txt'), 'utf8')).toBe('new\n');
      }
      expect(readdirSync(join(place(cache), 'trees')).length).toBeLessThanOrEqual(kept.length + 2);
      expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
      // Each run that left a trace has an end.
      expect(listRuns(openSafeRoot(path)).filter(({ outcome }) => outcome === 'unfinished')).toEqual([]);
    });
  });
});
