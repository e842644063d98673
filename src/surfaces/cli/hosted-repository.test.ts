import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostedAddress, isHostedName } from '../../platform/git/locate-repository.ts';
import { callCli } from './call-cli.test-kit.ts';

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-hosted-')));
  const origin = join(home, 'host/owner/name.git');
  mkdirSync(origin, { recursive: true });
  mkdirSync(join(home, 'cwd/src'), { recursive: true });
  writeFileSync(join(origin, 'a.txt'), 'from the host\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: origin, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-m', 'one');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const call = async (repo: string, template = `file://${home}/host/{repository}.git`) => {
  const config = join(home, 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yaml'), `repositoryUrl: ${JSON.stringify(template)}\n`);
  return callCli(['pack', '--all', '--repo', repo], {
    cwd: join(home, 'cwd'),
    env: {
      HOME: home,
      PATH: process.env.PATH,
      LOADOUT_CONFIG_DIR: config,
      LOADOUT_CACHE_DIR: join(home, 'cache'),
    },
  });
};

it('packs a repository that is named by owner and name', async () => {
  const { exitCode, stdout } = await call('owner/name');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('from the host');
});

it('says which address has no such repository', async () => {
  const { exitCode, stderr } = await call('owner/other');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('host/owner/other.git');
  expect((await call('owner/name', 'https://example.org/')).stderr).toContain('{repository}');
});

it('takes only plain names, and never a path below a folder that is there', () => {
  const cwd = join(home, 'cwd');
  expect(isHostedName('owner/name#main', cwd)).toBe(true);
  for (const given of ['src/typo', '../x', '-u/x', 'a/../b', 'a/b/c', 'a/b c', './a', '/a/b', 'a/-b', ''])
    expect(isHostedName(given, cwd), given).toBe(false);
  expect(hostedAddress('o/n#v1', 'https://example.org/{repository}.git')).toBe(
    'https://example.org/o/n.git#v1',
  );
  expect(() => hostedAddress('o/n', 'ext::sh -c {repository}')).toThrow('is not an address');
});
