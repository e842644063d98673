import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteForBash, splitLine } from '../../src/surfaces/cli/completion/shell-words.ts';
import { CLI } from '../support/run-cli.ts';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Names that a shell would act on if it evaluated them. */
const ROLES = [
  'evil $(touch pwned)',
  'back`touch pwned`',
  'semi;touch pwned',
  'co:lon x',
  'quo"te',
  "apo's",
  'ex!cl',
];
const DOMAIN = 'new\nline $(touch pwned)';

let home: string;
let repository: string;
const env = () => ({
  PATH: `${home}/bin:${process.env.PATH}`,
  HOME: home,
  LOADOUT_CACHE_DIR: join(home, 'cache'),
  LOADOUT_CONFIG_DIR: join(home, 'config'),
});
const shell = (program: string, args: readonly string[]) =>
  spawnSync(program, [...args], { cwd: repository, env: env(), encoding: 'utf8' });

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-completion-')));
  repository = join(home, 'repository');
  mkdirSync(join(repository, '.loadout/roles'), { recursive: true });
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/loadout'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, {
    mode: 0o755,
  });
  for (const name of ROLES)
    writeFileSync(join(repository, `.loadout/roles/${name}.yaml`), 'extends: reviewer\n');
  writeFileSync(join(repository, '.loadout/roles/bad\u001b[31m\u202e.yaml'), 'extends: reviewer\n');
  writeFileSync(join(repository, 'loadout.config.json'), JSON.stringify({ domains: { src: DOMAIN } }));
  for (const name of ['bash', 'zsh', 'fish']) {
    const { stdout } = shell('loadout', ['completion', name]);
    writeFileSync(join(home, `loadout.${name}`), stdout);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('completion with hostile names', () => {
  it.runIf(has('bash'))('gives bash words that it reads as the names, and evaluates nothing', () => {
    const script = `
      source "$HOME/loadout.bash"
      ask() { COMP_LINE=$1 COMP_POINT=\${#1}; _loadout loadout "$2" x; for reply in "\${COMPREPLY[@]}"; do eval "set -- $reply"; printf '%s\\0' "$@"; done; }
      ask 'loadout roles show ' ''
      ask 'loadout pack x --domain ' ''
    `;
    const { stdout, stderr } = shell('bash', ['--noprofile', '--norc', '-c', script]);
    expect(stderr).toBe('');
    const words = stdout.split('\0');
    expect(words).toEqual(expect.arrayContaining([...ROLES, 'reviewer', DOMAIN]));
    expect(stdout).not.toContain('\u001b');
    expect(readdirSync(repository).sort()).toEqual(['.loadout', 'loadout.config.json']);
  });

  it.runIf(has('fish'))('gives fish the names as they are, and evaluates nothing', () => {
    const { stdout } = shell('fish', [
      '--no-config',
      '-c',
      'source $HOME/loadout.fish; complete -C "loadout roles show "',
    ]);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining([...ROLES, 'reviewer']));
    expect(stdout).not.toContain('\u001b');
    expect(existsSync(join(repository, 'pwned'))).toBe(false);
  });

  it.runIf(has('zsh'))('gives zsh the names as they are, and evaluates nothing', () => {
    // Stands in for the line editor: takes the matches that would be offered.
    const script = `
      compdef() { : }
      compadd() { while [[ $1 != -- ]]; do shift; done; shift; printf '%s\\0' "$@" }
      source "$HOME/loadout.zsh"
      words=(loadout roles show ''); CURRENT=4; PREFIX=''; _loadout
      words=(loadout pack x --domain ''); CURRENT=5; _loadout
    `;
    const { stdout, stderr } = shell('zsh', ['-f', '-c', script]);
    expect(stderr).toBe('');
    expect(stdout.split('\0')).toEqual(expect.arrayContaining([...ROLES, 'reviewer', DOMAIN]));
    expect(existsSync(join(repository, 'pwned'))).toBe(false);
  });

  it('answers nothing, and quietly, when it cannot', () => {
    for (const words of [
      [],
      ['bash'],
      ['tcsh', '--', 'x'],
      ['powershell', '--', '%%%'],
      ['zsh', '--', '--repo', '/nowhere', 'roles', 'show', ''],
    ]) {
      const { status, stderr } = shell('loadout', ['complete', ...words]);
      expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' });
    }
  });

  it('keeps the quotes that a user has opened', () => {
    const at = (line: string, replaced: string, value: string) =>
      quoteForBash(value, splitLine(line).last, replaced);
    expect(at('loadout x "a', 'a', 'a "$b"')).toBe('a \\"\\$b\\"');
    expect(at("loadout x 'a", 'a', "a'b")).toBe("a'\\''b");
    expect(at('loadout x co:l', 'l', 'co:lon x')).toBe('lon\\ x');
    expect(at('loadout x "a', 'a', 'a!b')).toBeNull();
  });
});
