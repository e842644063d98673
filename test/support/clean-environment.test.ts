import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { environment } from '../../src/platform/environment.ts';
import { findProgram } from '../../src/platform/process/find-program.ts';
import { asNobody } from './as-nobody.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { temporaryFolder } from './temporary-repository.ts';

it('a machine with its own loadout, git configuration and settings changes nothing for a test', () => {
  const { home, path } = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const name of ['loadout', 'claude', 'other']) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho mine\n');
    chmodSync(join(bin, name), 0o755);
  }
  writeFileSync(join(home, '.gitconfig'), '[commit]\n\tgpgsign = true\n[init]\n\tdefaultBranch = trunk\n');
  const env = cleanEnvironment({
    ...process.env,
    HOME: home,
    PATH: [bin, process.env.PATH].join(delimiter),
    LOADOUT_TOKEN_BUDGET: '7',
    CONTEXT_PACKAGE_ENABLED: 'false',
    GIT_DIR: '/nowhere',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    CLAUDE_CONFIG_DIR: '/elsewhere',
    LOADOUT_TEST_SEED: '1',
  });
  expect(findProgram('loadout', env, path)).toBeNull();
  expect(findProgram('claude', env, path)).toBeNull();
  expect(execFileSync('other', { env, encoding: 'utf8' })).toBe('mine\n');
  // a test that acts as a user without rights finds its programs, too
  asNobody(() => accessSync(env.PATH!.split(delimiter)[0]!, constants.R_OK | constants.X_OK));
  expect(execFileSync('git', ['config', '--list'], { env, cwd: path, encoding: 'utf8' })).toBe('');
  const names = Object.keys(env);
  for (const gone of ['LOADOUT_TOKEN_BUDGET', 'CONTEXT_PACKAGE_ENABLED', 'GIT_DIR', 'CLAUDE_CONFIG_DIR'])
    expect(names).not.toContain(gone);
  expect(env.LOADOUT_TEST_SEED).toBe('1');
});

it('holds for the process of every test', () => {
  expect(findProgram('loadout', environment(), '/')).toBeNull();
  const settings = Object.keys(process.env).filter((name) => /^(LOADOUT_|CONTEXT_PACKAGE_)/.test(name));
  expect(settings.filter((name) => !name.includes('TEST_'))).toEqual([]);
});
