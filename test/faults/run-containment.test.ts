import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { peakMemoryOf } from '../support/process-tree.ts';
import { IS_FULL } from '../support/scale.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { buildRunner, processesOf, type Runner, STUBBORN, waitUntil } from './fixtures/run-runner.ts';

/** Each lane has a repository of its own and does its rounds one after the other. */
const LANES = IS_FULL ? 4 : 1;
const ROUNDS = IS_FULL ? 25 : 3;
/** On a machine that has nothing else to do the agent has all its children in a tenth of that. */
const PATIENCE_MS = IS_FULL ? 20_000 : 3000;
const MAX_MEMORY = 150_000_000;

// Many work trees are removed after a test.
vi.setConfig({ hookTimeout: 60_000 });

const hasSetsid =
  process.platform === 'linux' && execFileSync('sh', ['-c', 'command -v setsid || true']).length > 0;

describe.skipIf(!hasSetsid)('an agent that does not want to end', () => {
  let runner: Runner;
  beforeAll(async () => {
    runner = await buildRunner();
  });
  afterAll(() => runner.remove());

  const inLanes = (work: (repository: TemporaryRepository) => Promise<void>) => {
    const repositories = Array.from({ length: LANES }, () => temporaryRepository({ 'a.txt': 'a\n' }));
    return Promise.all(repositories.map(work));
  };

  it(
    `leaves nothing behind after its timeout (${LANES * ROUNDS} runs)`,
    {
      timeout: LANES * ROUNDS * 20_000,
    },
    () =>
      inLanes(async ({ path, cache }) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          // An agent that never answers would not be called any more.
          rmSync(join(cache, 'breakers'), { recursive: true, force: true });
          const process = runner.start(path, cache, PATIENCE_MS / 2, STUBBORN);
          await process.until('agent-start');
          const run = String(process.lines[0]!.run);
          const isWhole = () => processesOf(run, cache).length >= 6;
          expect(await waitUntil(isWhole, PATIENCE_MS / 2)).toBeLessThan(PATIENCE_MS / 2);
          let memory = 0;
          const look = setInterval(() => {
            memory = Math.max(memory, peakMemoryOf(process.child.pid!));
          }, 20);
          await process.until('run-end');
          clearInterval(look);
          expect(await waitUntil(() => processesOf(run, cache).length === 0, 2000)).toBeLessThan(2000);
          expect(memory).toBeGreaterThan(0);
          expect(memory).toBeLessThan(MAX_MEMORY);
          await process.ended;
          const result = process.lines.at(-1)!;
          expect(result).toMatchObject({ type: 'result', outcome: 'timed-out', reason: 'agent-timed-out' });
          const end = process.lines.find(({ type }) => type === 'agent-end')!;
          expect(Number(end.omittedBytes)).toBeGreaterThan(1_000_000);
        }
      }),
  );

  it(
    `leaves nothing behind when the runner is killed (${LANES * ROUNDS} runs)`,
    {
      timeout: LANES * ROUNDS * 20_000,
    },
    () =>
      inLanes(async ({ path, cache, git }) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const process = runner.start(path, cache, 60_000, STUBBORN);
          await process.until('agent-start');
          const run = String(process.lines[0]!.run);
          const isWhole = () => processesOf(run, cache).length >= 6;
          expect(await waitUntil(isWhole, PATIENCE_MS)).toBeLessThan(PATIENCE_MS);
          process.child.kill('SIGKILL');
          await process.ended;
          expect(await waitUntil(() => processesOf(run, cache).length === 0, 2000)).toBeLessThan(2000);
        }
        const next = runner.start(path, cache, 10_000, 'cat > /dev/null; exit 1');
        await next.ended;
        const [place] = readdirSync(join(cache, 'runs'));
        expect(readdirSync(join(cache, 'runs', place!, 'leases'))).toEqual([]);
        expect(git('fsck', '--no-dangling')).toBe('');
        const runs = readdirSync(join(path, '.loadout/runs')).filter((name) => name !== '.gitignore');
        expect(runs).toHaveLength(ROUNDS + 1);
        for (const run of runs) {
          const events = readFileSync(join(path, '.loadout/runs', run, 'events.jsonl'), 'utf8')
            .trim()
            .split('\n');
          const ends = events.map((line) => JSON.parse(line).type).filter((type) => type.endsWith('-end'));
          expect(ends.filter((type) => type === 'attempt-end')).toHaveLength(1);
          expect(ends.at(-1)).toBe('run-end');
        }
        const kept = readdirSync(join(cache, 'runs', place!, 'kept'));
        expect(kept).toHaveLength(ROUNDS);
      }),
  );
});
