import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadTokenCounter } from '../../../src/context/fit/count-tokens.ts';
import { runCli } from '../../support/run-cli.ts';
import { gitIn, temporaryRepository } from '../../support/temporary-repository.ts';

const CLIENT = {
  'src/retry.ts': 'export function retryRequest(attempts: number) {\n  return attempts;\n}\n',
  'src/menu.ts': 'export const menu = ["file", "edit"];\n',
};
const SERVER = {
  'lib/retry_policy.py':
    'def retry_policy(attempts):\n    """How often a request is retried."""\n    return attempts\n',
  'lib/colors.py': 'RED = 1\nGREEN = 2\nBLUE = 3\nBLACK = 4\nWHITE = 5\n',
};

it('makes one package out of several repositories, inside the budget', async () => {
  const { path: client, cache } = temporaryRepository(CLIENT);
  const { path: server } = temporaryRepository(SERVER);
  const count = await loadTokenCounter('o200k_base');
  const both = ['--repo', client, '--repo', server];
  const task = 'retry a request with a retry policy';
  const shown = await runCli(['pack', task, ...both, '--budget', '2k'], { cache });
  expect(shown.exitCode).toBe(0);
  // both folders are called "repo"
  expect(shown.stdout).toContain('## repo/src/retry.ts');
  expect(shown.stdout).toContain('## repo-2/lib/retry_policy.py');
  expect(count(shown.stdout)).toBeLessThanOrEqual(2_000);
  const data = await runCli(['pack', task, ...both, '--budget', '3k', '--json'], { cache });
  const pack = JSON.parse(data.stdout);
  expect(pack.items.map((item: { path: string }) => item.path)).toContain('repo-2/lib/retry_policy.py');
  const all = await runCli(['pack', '--all', ...both, '--format', 'xml', '--budget', '4k'], { cache });
  expect(all.stdout.match(/<context_package>/g)).toHaveLength(1);
  expect(all.stdout).toMatch(/<\/context_package>\n$/);
  for (const path of ['repo/src/menu.ts', 'repo-2/lib/colors.py']) expect(all.stdout).toContain(path);
  const refused = await runCli(['rank', task, ...both], { cache });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('works on one repository')]);
});

it('packs a bare repository, in parts if asked, and writes nothing into it', async () => {
  const { path, cache, home } = temporaryRepository({ ...CLIENT, ...SERVER });
  const bare = join(home, 'project.git');
  gitIn(home)('clone', '--quiet', '--bare', path, bare);
  const before = readdirSync(bare, { recursive: true }).sort();
  const output = join(home, 'pack.md');
  const args = ['pack', '--all', '--repo', bare, '--split', '200', '--output', output];
  const run = await runCli(args, { cache });
  expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('4 files')]);
  expect(existsSync(output)).toBe(false);
  const parts = readdirSync(home).filter((name) => /^pack\.\d+\.md$/.test(name));
  expect(parts.length).toBeGreaterThan(1);
  const text = parts.map((name) => readFileSync(join(home, name), 'utf8')).join('');
  for (const content of Object.values({ ...CLIENT, ...SERVER })) expect(text).toContain(content);
  expect(readdirSync(bare, { recursive: true }).sort()).toEqual(before);
});

it('reads paths relative to the root when the current directory is elsewhere', async () => {
  const { path, cache, home } = temporaryRepository(CLIENT);
  const args = ['pack', 'retry', '--repo', path, '--target', 'src/menu.ts', '--json', '--budget', '4k'];
  const { stdout } = await runCli(args, { cache, cwd: home });
  expect(JSON.parse(stdout).targets).toEqual(['src/menu.ts']);
  const inside = await runCli(['pack', 'retry', '--target', 'menu.ts', '--json', '--budget', '4k'], {
    cache,
    cwd: join(path, 'src'),
  });
  expect(JSON.parse(inside.stdout).targets).toEqual(['src/menu.ts']);
});
