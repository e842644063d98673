import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { answersOf, codesOf, PATIENT, SCALE, scanInProcess } from '../support/scan-kit.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';

const canLimit = spawnSync('bash', ['-c', "trap '' XFSZ; ulimit -f 1"]).status === 0;

/** No file may grow beyond this many blocks of 1 KB, which looks like a full disk to a program. */
function underLimit(blocks: number): string[] {
  return ['bash', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`];
}

const modules = (round: number) =>
  Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/f${at}.py`,
      `def function_${at}_${round}(value):\n    """Round ${round}."""\n    return value + ${at}\n`.repeat(4),
    ]),
  );

describe.skipIf(!canLimit)('a disk that is full', () => {
  const limits = Array.from({ length: 5 * SCALE }, (_, at) => Math.floor((at * 40) / (5 * SCALE)));

  it(
    `leaves the old index readable and says so, and the next scan is right (${limits.length} sizes)`,
    PATIENT,
    async () => {
      const repository = temporaryRepository(modules(0));
      const failures: string[] = [];
      for (const [round, blocks] of limits.entries()) {
        await scanInProcess(repository).then(({ index }) => index.close());
        for (const [name, text] of Object.entries(modules(round + 1))) repository.write(name, text);
        const args = ['scan', '--repo', repository.path, '--quiet'];
        const run = await runCli(args, { cache: repository.cache, under: underLimit(blocks) });
        expect([0, 2]).toContain(run.exitCode);
        expect(run.stderr).not.toMatch(/\bat .*\(.*:\d+:\d+\)|this is a bug/);
        if (run.exitCode === 2) failures.push(run.stderr);
        const fresh = { path: repository.path, cache: mkdtempSync(join(repository.home, 'fresh-')) };
        const truth = answersOf(await scanInProcess(fresh, 'full'));
        const next = await scanInProcess(repository);
        expect(codesOf(next)).toEqual([]);
        expect(answersOf(next)).toEqual(truth);
      }
      expect(failures.length).toBeGreaterThan(0);
      for (const stderr of failures) expect(stderr).toMatch(/^loadout: .*(EFBIG|ENOSPC)/m);
    },
  );

  it('leaves the file of an earlier package as it was', PATIENT, async () => {
    const repository = temporaryRepository(modules(0));
    const output = join(repository.home, 'pack.md');
    writeFileSync(output, 'what was here\n');
    await scanInProcess(repository).then(({ index }) => index.close());
    const args = ['pack', 'function 3', '--repo', repository.path, '--output', output, '--quiet'];
    const run = await runCli(args, { cache: repository.cache, under: underLimit(1) });
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringMatching(/cannot write .*EFBIG/)]);
    expect(readFileSync(output, 'utf8')).toBe('what was here\n');
  });
});
