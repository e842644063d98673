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
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../call-cli.test-kit.ts';

let home: string;
let repository: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-status-line-')));
  repository = join(home, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const PROJECT = 'repository/.claude/settings.local.json';
const USER = '.claude/settings.json';

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}
const read = (path: string) => readFileSync(join(home, path), 'utf8');
const lineIn = (path: string) => JSON.parse(read(path)).statusLine;

function init(...flags: readonly string[]) {
  return callCli(['init', 'claude', '--yes', '--command', 'loadout', ...flags, '--repo', repository], {
    cwd: repository,
    env: { HOME: home, LOADOUT_CONFIG_DIR: join(home, 'config'), PATH: '' },
  });
}

const OURS = { type: 'command', command: 'loadout stats --status-line' };
const FOREIGN = '{ // mine\n  "statusLine": {"type": "command", "command": "my-line.sh"},\n}\n';

describe('init --status-line', () => {
  it('shows the line in its diff and writes it for this user only', async () => {
    const dry = await init('--status-line', '--dry-run');
    expect(dry.stdout).toContain('create .claude/settings.local.json');
    expect(dry.stdout).toContain('+     "command": "loadout stats --status-line"');
    expect(existsSync(join(home, PROJECT))).toBe(false);
    expect(await init('--status-line')).toMatchObject({ exitCode: 0 });
    expect(lineIn(PROJECT)).toEqual(OURS);
    expect(lineIn('repository/.claude/settings.json')).toBeUndefined();
  });

  it('is not written without the flag, and stays when the set-up is repeated without it', async () => {
    await init();
    expect(existsSync(join(home, PROJECT))).toBe(false);
    await init('--status-line');
    const written = read(PROJECT);
    expect((await init()).stdout).toBe('everything is set up already\n');
    expect(read(PROJECT)).toBe(written);
    await init('--command', '/opt/loadout');
    expect(lineIn(PROJECT)).toEqual({ ...OURS, command: '/opt/loadout stats --status-line' });
  });

  it.each([
    ['', PROJECT, '{\n    "model": "x", // note\n}\n'],
    ['', PROJECT, '{"a":{"b":[1,2]}}'],
    ['--scope=user', USER, '\uFEFF{\r\n\t"env": {}\r\n}\r\n\r\n'],
    ['--scope=user', USER, '{\n  "hooks": {"Stop": []} /* end */\n}'],
  ])('is removed and leaves the bytes as they were: %s %s', async (scope, path, before) => {
    put(path, before);
    const flags = scope === '' ? [] : [scope];
    await init('--status-line', ...flags);
    expect(read(path)).toContain('stats --status-line');
    expect(await init('--remove', ...flags)).toMatchObject({ exitCode: 0 });
    expect(read(path)).toBe(before);
  });

  it.each([
    ['', PROJECT],
    ['', 'repository/.claude/settings.json'],
    ['', USER],
    ['--scope=user', USER],
  ])('leaves a status line that the user has, says so, and how to have both: %s %s', async (scope, path) => {
    put(path, FOREIGN);
    const flags = scope === '' ? [] : [scope];
    const { stdout, exitCode } = await init('--status-line', ...flags);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('has a statusLine of its own, which stays');
    expect(stdout).toContain('let your own command also run: loadout stats --status-line');
    expect(read(path)).toContain('my-line.sh');
    for (const file of [PROJECT, USER])
      if (existsSync(join(home, file))) expect(read(file)).not.toContain('stats --status-line');
    await init('--remove', ...flags);
    expect(read(path)).toBe(FOREIGN);
  });

  it('does not remove a line that the user has put in its place', async () => {
    await init('--status-line', '--scope', 'user');
    put(
      USER,
      read(USER).replace('loadout stats --status-line', 'my-line.sh; loadout stats --status-line | cut -c9-'),
    );
    await init('--remove', '--scope', 'user');
    expect(lineIn(USER).command).toContain('my-line.sh');
    expect(JSON.parse(read(USER)).hooks).toBeUndefined();
  });

  it('is refused for a client that has no such line, and ignored where all clients are set up', async () => {
    const call = (...argv: string[]) =>
      callCli([...argv, '--repo', repository], {
        cwd: repository,
        env: { HOME: home, LOADOUT_CONFIG_DIR: join(home, 'config'), PATH: '' },
      });
    expect(await call('init', 'codex', '--status-line', '--dry-run')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Codex cannot be given --status-line'),
    });
    mkdirSync(join(home, '.claude'));
    mkdirSync(join(home, '.codex'));
    expect(await call('init', '--status-line', '--yes')).toMatchObject({ exitCode: 0 });
    expect(lineIn(PROJECT).command).toContain(' stats --status-line');
  });

  it('does not mind a damaged file that it need not change', async () => {
    put(PROJECT, '{"statusLine": ');
    expect(await init()).toMatchObject({ exitCode: 0 });
    expect(await init('--status-line')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('settings.local.json:1'),
    });
  });
});
