import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peakMemoryOf } from '../support/process-tree.ts';
import { IS_FULL } from '../support/scale.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';
import { buildRunner, processesOf, type Runner, STUBBORN, waitUntil } from './fixtures/run-runner.ts';

const ROUNDS = IS_FULL ? 100 : 3;
const MOST_MEMORY = 150_000_000;

const hasSetsid =
  process.platform === 'linux' && execFileSync('sh', ['-c', 'command -v setsid || true']).length > 0;

describe.skipIf(!hasSetsid)('an agent that does not want to end', () => {
  let runner: Runner;
  beforeAll(async () => {
    runner = await buildRunner();
  });
  afterAll(() => runner.remove());

  it(`leaves nothing behind after its timeout (${ROUNDS} runs)`, { timeout: ROUNDS * 15_000 }, async () => {
    const { path, cache } = temporaryRepository({ 'a.txt': 'a\n' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const process = runner.start(path, cache, 1500, STUBBORN);
      await process.until('agent-start');
      const run = String(process.lines[0]!.run);
      await waitUntil(() => processesOf(run, cache).length >= 6, 1200);
      expect(processesOf(run, cache).length).toBeGreaterThanOrEqual(6);
      let memory = 0;
      const look = setInterval(() => {
        memory = Math.max(memory, peakMemoryOf(process.child.pid!));
      }, 20);
      await process.until('run-end');
      clearInterval(look);
      expect(await waitUntil(() => processesOf(run, cache).length === 0, 2000)).toBeLessThan(2000);
      expect(memory).toBeGreaterThan(0);
      expect(memory).toBeLessThan(MOST_MEMORY);
      await process.ended;
      const result = process.lines.at(-1)!;
      expect(result).toMatchObject({ type: 'result', outcome: 'timed-out', reason: 'agent-timed-out' });
      const end = process.lines.find(({ type }) => type === 'agent-end')!;
      expect(Number(end.omittedBytes)).toBeGreaterThan(1_000_000);
    }
  });

  it(`leaves nothing behind when the runner is killed (${ROUNDS} runs)`, {
    timeout: ROUNDS * 15_000,
  }, async () => {
    const { path, cache, git } = temporaryRepository({ 'a.txt': 'a\n' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const process = runner.start(path, cache, 60_000, STUBBORN);
      await process.until('agent-start');
      const run = String(process.lines[0]!.run);
      await waitUntil(() => processesOf(run, cache).length >= 6, 3000);
      expect(processesOf(run, cache).length).toBeGreaterThanOrEqual(6);
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
  });
});
