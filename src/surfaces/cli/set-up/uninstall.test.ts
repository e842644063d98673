import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../call-cli.test-kit.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-uninstall-')));
  for (const name of ['one', 'two']) mkdirSync(join(home, name, '.git'), { recursive: true });
  for (const name of ['.claude', '.qwen', 'config', 'cache']) mkdirSync(join(home, name));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function call(argv: readonly string[], folder = 'one', typed: string | null = null) {
  return callCli(argv, {
    cwd: join(home, folder),
    env: {
      HOME: home,
      LOADOUT_CONFIG_DIR: join(home, 'config'),
      LOADOUT_CACHE_DIR: join(home, 'cache'),
      PATH: '',
    },
    stdin: typed ?? '',
    isTerminal: typed !== null,
  });
}

describe('loadout init without a client', () => {
  it('sets up what it finds, says what to commit and what others see, and removes it', async () => {
    const refused = await call(['init']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('give --yes to write') });
    const { exitCode, stdout } = await call(['init', '--yes', '--command', 'loadout']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`found Claude Code (${join(home, '.claude')})`);
    expect(stdout).toContain('qwen: set up\n');
    expect(stdout).toContain('commit these files');
    expect(stdout).toContain('colleagues without Loadout can work as before; they see\n  in Claude Code: ');
    expect(readdirSync(join(home, 'one')).sort()).toEqual(['.claude', '.git', '.mcp.json', '.qwen']);
    expect((await call(['init', '--command', 'loadout'])).stdout).toContain('everything is set up already');
    expect((await call(['init', '--remove', '--yes'])).exitCode).toBe(0);
    expect(readdirSync(join(home, 'one'))).toEqual(['.git']);
  });

  it('says which client failed, and ends with 1', async () => {
    mkdirSync(join(home, 'one/.qwen'));
    writeFileSync(join(home, 'one/.qwen/settings.json'), '{');
    const { exitCode, stdout, stderr } = await call(['init', '--yes']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('qwen: .qwen/settings.json:1:')]);
    expect(stdout).toContain('qwen: left as it was');
    expect(stdout).toContain('claude: set up');
    const json = JSON.parse((await call(['init', '--json', '--dry-run'])).stdout);
    expect(json.done).toBe(false);
    expect(json.clients.map(({ state }: { state: string }) => state)).toEqual(['planned', 'failed']);
  });
});

describe('loadout uninstall', () => {
  it('removes the set-ups of every repository and of the user, caches and records', async () => {
    writeFileSync(join(home, 'two/.mcp.json'), '{ "mine": 1 }');
    await call(['init', '--yes']);
    await call(['init', '--yes'], 'two');
    await call(['init', '--yes', '--scope', 'user']);
    mkdirSync(join(home, 'cache/index'));
    writeFileSync(join(home, 'cache/index/segment'), 'x'.repeat(2_000_000));
    writeFileSync(join(home, 'config/config.yaml'), '');
    const dry = await call(['uninstall', '--dry-run']);
    expect(dry.stdout).toContain(`remove ${join(home, 'cache/index')} (2.0 MB)`);
    expect(existsSync(join(home, 'one/.mcp.json'))).toBe(true);
    expect(await call(['uninstall'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await call(['uninstall'], 'one', 'n\n')).toMatchObject({ exitCode: 1 });
    const { exitCode, stdout } = await call(['uninstall', '--yes']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('npm uninstall --global loadout')]);
    expect(readdirSync(join(home, 'one'))).toEqual(['.git']);
    expect(readFileSync(join(home, 'two/.mcp.json'), 'utf8')).toBe('{ "mine": 1 }');
    expect(readdirSync(join(home, '.claude'))).toEqual([]);
    expect(existsSync(join(home, 'cache'))).toBe(false);
    expect(readdirSync(join(home, 'config'))).toEqual(['config.yaml']);
  });

  it('removes only what is its own, and follows no link', async () => {
    mkdirSync(join(home, 'elsewhere'));
    writeFileSync(join(home, 'elsewhere/precious'), 'x');
    symlinkSync(join(home, 'elsewhere'), join(home, 'cache/index'));
    mkdirSync(join(home, 'cache/hook'));
    symlinkSync(join(home, 'elsewhere'), join(home, 'cache/hook/link'));
    writeFileSync(join(home, 'cache/of-the-user'), 'x');
    expect((await call(['uninstall', '--yes'])).exitCode).toBe(0);
    expect(readdirSync(join(home, 'elsewhere'))).toEqual(['precious']);
    expect(readdirSync(join(home, 'cache'))).toEqual(['of-the-user']);
    rmSync(join(home, 'cache'), { recursive: true });
    mkdirSync(join(home, 'elsewhere/index'));
    symlinkSync(join(home, 'elsewhere'), join(home, 'cache'));
    expect((await call(['uninstall', '--yes'])).stdout).toContain('is a link and stays');
    expect(readdirSync(join(home, 'elsewhere'))).toEqual(['index', 'precious']);
  });

  it('keeps caches when it is asked to, and the records of a set-up that cannot be removed', async () => {
    await call(['init', 'qwen', '--yes']);
    const settings = join(home, 'one/.qwen/settings.json');
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, '{');
    mkdirSync(join(home, 'cache/tokens'));
    const failed = await call(['uninstall', '--yes', '--keep-caches', '--json']);
    expect(failed.exitCode).toBe(1);
    expect(JSON.parse(failed.stdout).setUps[0].clients[0]).toMatchObject({ client: 'qwen', state: 'failed' });
    expect(existsSync(join(home, 'cache/tokens'))).toBe(true);
    writeFileSync(settings, text);
    rmSync(join(home, 'two'), { recursive: true });
    expect((await call(['uninstall', '--yes'])).exitCode).toBe(0);
    expect(readdirSync(join(home, 'one'))).toEqual(['.git']);
  });

  it('keeps a set-up of an older version with its record, says what to do, and removes it afterwards', async () => {
    await call(['init', 'claude', '--yes']);
    await call(['init', 'qwen', '--yes'], 'two');
    const folder = join(home, 'config/init');
    const older: string[] = [];
    for (const name of readdirSync(folder)) {
      const { base, scope: _scope, ...record } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      if (base !== join(home, 'one')) continue;
      writeFileSync(join(folder, name), JSON.stringify(record));
      older.push(name);
    }
    const { exitCode, stdout } = await call(['uninstall', '--yes', '--json']);
    expect(exitCode).toBe(0);
    const { notes, older: named } = JSON.parse(stdout);
    expect(named).toHaveLength(older.length);
    expect(notes.join('\n')).toContain(
      `${join(home, 'one/.claude/settings.json')} was set up by an older version and stays`,
    );
    expect(notes.join('\n')).toContain('run "loadout init claude --remove"');
    expect(readdirSync(folder).sort()).toEqual(older.sort());
    expect(readdirSync(join(home, 'two'))).toEqual(['.git']);
    expect((await call(['init', 'claude', '--remove', '--yes'])).exitCode).toBe(0);
    expect(readdirSync(join(home, 'one'))).toEqual(['.git']);
    expect((await call(['uninstall', '--yes'])).exitCode).toBe(0);
    expect(existsSync(join(home, 'config'))).toBe(false);
  });
});
