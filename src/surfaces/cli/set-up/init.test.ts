import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../call-cli.test-kit.ts';

let home: string;
let repository: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-init-cli-')));
  repository = join(home, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function call(argv: readonly string[], typed: string | null = null) {
  const isTyped = typed !== null;
  return callCli([...argv, '--repo', repository], {
    cwd: repository,
    env: { HOME: home, LOADOUT_CONFIG_DIR: join(home, 'config'), PATH: '' },
    stdin: typed ?? '',
    isTerminal: { stdin: isTyped, stdout: isTyped, stderr: false },
  });
}

const settings = () => join(repository, '.claude/settings.json');

describe('loadout init', () => {
  it('shows its changes and writes nothing without a yes', async () => {
    const dry = await call(['init', 'claude', '--dry-run']);
    expect(dry).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('create .claude/settings.json'),
    });
    expect(dry.stdout).toContain('+             "command": ');
    expect(await call(['init', 'claude'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('give --yes to write'),
    });
    expect(await call(['init', 'claude'], 'n\n')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('nothing was written'),
    });
    expect(existsSync(settings())).toBe(false);
  });

  it('prints only errors with --quiet, and still shows the changes to a user who has to decide', async () => {
    const noted = await call(['init', 'claude', '--dry-run', '--quiet']);
    expect(noted).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('create ') });
    const asked = await call(['init', 'claude', '--quiet'], 'n\n');
    expect(asked).toMatchObject({ exitCode: 1, stderr: '', stdout: expect.stringContaining('create ') });
    const silent = { exitCode: 0, stdout: '', stderr: '' };
    expect(await call(['init', 'claude', '--yes', '--quiet'])).toEqual(silent);
    expect(existsSync(settings())).toBe(true);
    expect(await call(['init', 'claude', '--yes', '--quiet'])).toEqual(silent);
    expect(await call(['init', 'claude', '--remove', '--yes', '--quiet'])).toEqual(silent);
    expect(await call(['init', 'emacs', '--quiet'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('writes when the user says yes, and removes everything again', async () => {
    expect(await call(['init', 'claude'], 'y\n')).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(readFileSync(settings(), 'utf8')).hooks.PreToolUse).toHaveLength(1);
    expect((await call(['init', 'claude'])).stdout).toBe('everything is set up already\n');
    expect((await call(['init', 'claude', '--remove', '--yes'])).stdout).toContain(
      'deleted .claude/settings.json',
    );
    expect(existsSync(join(repository, '.claude'))).toBe(false);
  });

  it('prints JSON for programs, and lets the user name the program that clients start', async () => {
    const { stdout } = await call(['init', 'codex', '--json', '--yes', '--command', '/opt/my loadout']);
    expect(JSON.parse(stdout)).toMatchObject({ client: 'codex', scope: 'project', done: true });
    const hooks = readFileSync(join(repository, '.codex/hooks.json'), 'utf8');
    expect(JSON.parse(hooks).hooks.SessionStart[0].hooks[0].command).toBe(
      '"/opt/my loadout" hook session-start --client codex',
    );
    expect(readFileSync(join(repository, '.codex/config.toml'), 'utf8')).toContain(
      'command = "/opt/my loadout"\nargs = ["mcp"]',
    );
  });

  it('writes into the home directory for the user', async () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups": 3}');
    await call(['init', 'claude', '--scope', 'user', '--yes']);
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toMatchObject({
      numStartups: 3,
      mcpServers: { loadout: { args: expect.arrayContaining(['mcp']) } },
    });
    expect(existsSync(join(repository, '.claude'))).toBe(false);
  });

  it.each([
    [['init'], 'no agent client was found on this machine'],
    [['init', 'emacs'], 'unknown client "emacs"; choose claude'],
    [['init', 'claude', '--scope', 'world'], 'unknown scope "world"; choose project, user'],
  ])('refuses %j', async (argv, message) => {
    expect(await call(argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});
