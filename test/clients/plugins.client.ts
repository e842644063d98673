import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PackedTarball, packTarball } from '../support/packed-tarball.ts';

const programs = join(import.meta.dirname, 'node_modules/.bin');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

let tarball: PackedTarball;
let folder: string;
let home: string;
beforeAll(() => {
  tarball = packTarball();
  execFileSync('tar', ['-xzf', tarball.file, '-C', tarball.place]);
  folder = join(tarball.place, 'package');
  home = join(tarball.place, 'home');
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [folder]: 'TRUST_FOLDER' }));
});
afterAll(() => tarball?.remove());

/** Runs a client as a user without any settings; gives everything that it prints. */
function run(program: string, ...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: home, DISABLE_AUTOUPDATER: '1' };
  const shell = ['-c', '"$0" "$@" 2>&1', join(programs, program), ...args];
  return execFileSync('sh', shell, { cwd: home, env, input: '', encoding: 'utf8', timeout: 55_000 });
}

describe('the plugins of the packed tarball', () => {
  it('pass the validator of Claude Code and can be installed from its catalogue', () => {
    expect(run('claude', 'plugin', 'validate', folder)).toContain('Validation passed');
    expect(run('claude', 'plugin', 'validate', join(folder, 'plugin'))).toContain('Validation passed');
    run('claude', 'plugin', 'marketplace', 'add', folder);
    expect(run('claude', 'plugin', 'install', 'loadout@loadout')).toContain('Successfully installed');
    expect(run('claude', 'plugin', 'list')).toContain('loadout@loadout');
  });

  it('are found and installed by Codex', () => {
    run('codex', 'plugin', 'marketplace', 'add', folder);
    run('codex', 'plugin', 'add', 'loadout@loadout');
    expect(run('codex', 'plugin', 'list')).toMatch(
      new RegExp(`loadout@loadout +installed, enabled +${version.replaceAll('.', '\\.')}`),
    );
    expect(run('codex', 'mcp', 'list')).toMatch(/^loadout +loadout +mcp /m);
  });

  it('pass the validator of Gemini CLI and can be installed as an extension', () => {
    expect(run('gemini', 'extensions', 'validate', folder)).toContain('successfully validated');
    run('gemini', 'extensions', 'install', folder, '--consent');
    const shown = run('gemini', 'extensions', 'list');
    expect(shown).toContain(`loadout (${version})`);
  });
});
