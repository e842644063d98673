import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';

it('reads settings in YAML', async () => {
  const { path, cache, home } = temporaryRepository({ 'a.py': 'x = 1\n' });
  const config = join(home, 'settings.yaml');
  writeFileSync(config, 'tokenBudget: 5k\n');
  const { exitCode, stdout } = await runCli(['settings', '--json', '--repo', path, '--config', config], {
    cache,
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('5000');
});

it('finds its own roles', async () => {
  const { path, cache } = temporaryRepository({ 'a.py': 'x = 1\n' });
  const { exitCode, stdout } = await runCli(['roles', 'show', 'tester', '--resolved', '--repo', path], {
    cache,
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('tester');
});

it('runs as dist/cli.cjs, too', () => {
  const program = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
  expect(execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' })).toContain('loadout');
});
