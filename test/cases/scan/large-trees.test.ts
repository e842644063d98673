import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { SCALE } from '../../support/scale.ts';
import { temporaryFolder, temporaryRepository } from '../../support/temporary-repository.ts';

const MAX_MEMORY = 512e6;
const MANY_FILES = SCALE === 1 ? 10_000 : 50_000;

function sparseFile(path: string, size: number): void {
  closeSync(openSync(path, 'w'));
  truncateSync(path, size);
}

describe('scan stays small on large things', () => {
  it.each([temporaryFolder, temporaryRepository])(
    'files of gigabytes and lines of 200 MB (%#)',
    async (make) => {
      const repository = make({ 'a.py': 'def a(): pass\n' });
      sparseFile(join(repository.path, 'giga.py'), 2 ** 30);
      sparseFile(join(repository.path, 'ten.ts'), 10 * 2 ** 30);
      const line = openSync(join(repository.path, 'line.js'), 'w');
      for (let part = 0; part < 20; part++) writeFileSync(line, 'x=1;'.repeat(2_500_000));
      closeSync(line);
      const { cache, path } = repository;
      const run = await runCli(['scan', '--json'], { cwd: path, cache, measureMemory: true });
      expect(run.exitCode).toBe(0);
      expect(run.peakMemory).toBeLessThan(MAX_MEMORY);
      expect(JSON.parse(run.stdout)).toMatchObject({
        filesScanned: 1,
        filesSkipped: ['giga.py', 'line.js', 'ten.ts'].map((name) => ({ path: name, reason: 'too-large' })),
      });
    },
  );

  it('a line of 20 MB that the user wants to be read', async () => {
    const repository = temporaryFolder({ 'a.py': 'def a(): pass\n', 'line.js': 'word=1;'.repeat(3_000_000) });
    const { cache, path } = repository;
    const args = ['scan', '--json', '--max-file-size', '64MB'];
    const run = await runCli(args, { cwd: path, cache, measureMemory: true });
    expect(run.exitCode).toBe(0);
    expect(run.peakMemory).toBeLessThan(1000e6);
    expect(JSON.parse(run.stdout)).toMatchObject({ filesScanned: 2, filesSkipped: [] });
  });

  it(`${MANY_FILES} files in one directory`, { timeout: 60_000 }, async () => {
    const repository = temporaryFolder();
    for (let at = 0; at < MANY_FILES; at++) {
      const [ending, text] = at % 10 === 0 ? ['py', `def f${at}(): pass\n`] : ['txt', `word${at}\n`];
      writeFileSync(`${repository.path}/f${at}.${ending}`, text);
    }
    const { cache, path } = repository;
    const run = await runCli(['scan', '--json'], { cwd: path, cache, measureMemory: true });
    expect(run.exitCode).toBe(0);
    expect(run.peakMemory).toBeLessThan(700e6);
    expect(JSON.parse(run.stdout)).toMatchObject({
      filesScanned: MANY_FILES,
      symbolsIndexed: MANY_FILES / 10,
    });
    const limited = await runCli(['scan', '--json', '--max-files', '1000'], { cwd: path, cache });
    const { filesScanned, diagnostics } = JSON.parse(limited.stdout);
    expect(filesScanned).toBe(1000);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: expect.stringMatching(/limit|cut-off/) }),
    );
  });
});
