import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { processesWith } from '../support/process-tree.ts';
import { runCli } from '../support/run-cli.ts';
import { answersOf, codesOf, PATIENT, SCALE, scanInProcess } from '../support/scan-kit.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';

const canTrace = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;
/** Calls that leave a trace on disk; a crash right before any of them must do no harm. */
/** The short form is killed at every third call, the long form at each. */
const STRIDE = SCALE === 1 ? 6 : 1;
const DISK_CALLS = ['rename', 'fsync', 'link', 'unlink', 'mkdir'];

const start = () =>
  temporaryRepository(
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`src/f${at}.py`, `def old${at}(): pass\n`])),
  );

function edit(repository: TemporaryRepository, round: number): void {
  for (let at = 0; at < 60; at += 7) repository.write(`src/f${at}.py`, `def new${at}r${round}(): pass\n`);
}

function cacheFiles(repository: TemporaryRepository): string[] {
  const found = readdirSync(repository.cache, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * After a crash: the next scan says nothing, answers the truth, and takes no more than the work and a second.
 */
async function expectRecovered(repository: TemporaryRepository): Promise<void> {
  const [full, truth] = await timed(async () => {
    const fresh = { path: repository.path, cache: mkdtempSync(join(repository.home, 'fresh-')) };
    return answersOf(await scanInProcess(fresh, 'full'));
  });
  const [taken, scan] = await timed(() => scanInProcess(repository));
  expect(codesOf(scan)).toEqual([]);
  expect(answersOf(scan)).toEqual(truth);
  expect(taken).toBeLessThan(2 * full + 1000);
}

async function timed<Result>(work: () => Promise<Result>): Promise<[milliseconds: number, Result]> {
  const started = performance.now();
  const result = await work();
  return [performance.now() - started, result];
}

/** Files that are not part of the index, and old enough not to be work in progress. */
async function expectNoLeftovers(repository: TemporaryRepository): Promise<void> {
  const before = await scanInProcess(repository);
  const longAgo = Date.now() / 1000 - 3600;
  for (const path of cacheFiles(repository)) utimesSync(path, longAgo, longAgo);
  repository.write('src/last.py', 'def last(): pass\n');
  const after = await scanInProcess(repository);
  const used = new Set(
    [before, after].flatMap(({ index: { snapshot } }) => [...snapshot.segments, snapshot.links]),
  );
  // compiled code has its own rules: the next process that compiles cleans up
  const left = cacheFiles(repository).filter((path) => !path.includes('/code/'));
  const leaked = left
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((name) => !used.has(name) && !/\.(snapshot|history)$|^last-cleaned$/.test(name));
  expect(leaked).toEqual([]);
}

async function expectNoOrphans(word: string): Promise<void> {
  const deadline = performance.now() + 2000;
  while (processesWith(word).length > 0 && performance.now() < deadline) await delay(50);
  expect(processesWith(word)).toEqual([]);
}

/** A scan that is killed right before the given call; the tracer looks at the main process, or at all. */
function scanUnderTracer(repository: TemporaryRepository, call: string, at: number, children: boolean) {
  const calls = [call, `${call}at`, `${call}at2`].map((name) => `?${name}`).join(',');
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${at}`];
  return runCli(['scan', '--json', '--workers', '1'], {
    cwd: repository.path,
    cache: repository.cache,
    under: ['strace', ...(children ? ['-f'] : []), '-qq', '-o', '/dev/null', ...inject],
  });
}

describe('kill -9 at any moment', PATIENT, () => {
  it.skipIf(!canTrace)(
    'at a call that changes the disk (needs strace)',

    async () => {
      const repository = start();
      await scanInProcess(repository);
      let round = 0;
      for (const call of DISK_CALLS) {
        let kills = 0;
        for (let exitCode: number | null = null, at = 1; exitCode !== 0; at += STRIDE) {
          edit(repository, ++round);
          const run = await scanUnderTracer(repository, call, at, false);
          exitCode = run.exitCode;
          if (exitCode !== 0) kills++;
          await expectRecovered(repository);
        }
        expect({ call, kills }).toEqual({ call, kills: expect.toSatisfy((count: number) => count >= 1) });
      }
      edit(repository, ++round);
      // the parser process this time, each time it is about to put its segment in place
      const run = await scanUnderTracer(repository, 'rename', 1, true);
      expect(run.exitCode).not.toBe(0);
      await expectRecovered(repository);
      await expectNoLeftovers(repository);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'at random times, the whole process group',

    async () => {
      const repository = start();
      await runCli(['scan'], { cwd: repository.path, cache: repository.cache });
      // the shorter of the two kinds, so that most kills come in time
      const [whole] = await timed(() => runCli(['scan'], { cwd: repository.path, cache: repository.cache }));
      let kills = 0;
      const rounds = Math.max(10, 5 * SCALE);
      for (let round = 0; round < rounds; round++) {
        if (round % 5 === 0) edit(repository, round);
        const run = await runCli(['scan', '--json', '--mode', round % 2 ? 'full' : 'incremental'], {
          cwd: repository.path,
          cache: repository.cache,
          started: (child) =>
            setTimeout(() => {
              try {
                process.kill(-child.pid!, 'SIGKILL');
              } catch {
                // it was faster
              }
            }, Math.random() * whole),
        });
        if (run.signal === 'SIGKILL') kills++;
        if (round % 5 === 4) await expectRecovered(repository);
      }
      expect(kills).toBeGreaterThan(0.4 * rounds);
      await expectNoLeftovers(repository);
      await expectNoOrphans(repository.cache);
    },
  );

  it.skipIf(process.platform !== 'linux')('of the main process alone ends its workers, too', async () => {
    const repository = start();
    for (let round = 0; round < 4; round++) {
      await runCli(['scan', '--mode', 'full'], {
        cwd: repository.path,
        cache: repository.cache,
        started: (child) => setTimeout(() => child.kill('SIGKILL'), 150 + round * 120),
      });
      await expectNoOrphans(repository.cache);
    }
    await expectRecovered(repository);
  });
});
