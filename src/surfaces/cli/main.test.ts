import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CliIo } from './command.ts';
import { allCommands, COMMAND_GROUPS, COMMANDS } from './command-list.ts';
import { main } from './main.ts';

let folder: string;
let repository: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-cli-')));
  repository = join(folder, 'repository');
  mkdirSync(join(repository, 'deep/er'), { recursive: true });
  execFileSync('git', ['init', '-q', repository]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function collector(): { stream: Writable; text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

async function call(argv: readonly string[], overrides: Partial<CliIo> = {}) {
  const out = collector();
  const err = collector();
  const exitCode = await main(argv, {
    stdout: out.stream,
    stderr: err.stream,
    stdin: Readable.from([]),
    env: { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), PATH: process.env.PATH },
    cwd: repository,
    isTerminal: { stdout: false, stderr: false },
    columns: 80,
    onInterrupt: () => () => {},
    forceExit: () => {
      throw new Error('forced to exit');
    },
    ...overrides,
  });
  return { exitCode, stdout: out.text(), stderr: err.text() };
}

describe('help and usage', () => {
  it('lists every command, and each has examples', async () => {
    const { exitCode, stdout } = await call(['--help']);
    expect(exitCode).toBe(0);
    for (const name of ['scan', 'map', 'settings', 'doctor']) {
      expect(stdout).toContain(`  ${name}`);
      const help = await call([name, '--help']);
      expect(help).toMatchObject({ exitCode: 0, stderr: '' });
      expect(help.stdout).toContain(`$ loadout ${name}`);
    }
  });

  it.each([60, 80, 200])('no line of help is wider than a terminal of %i columns', async (columns) => {
    const wide: string[] = [];
    for (const name of ['', ...COMMANDS.keys()]) {
      const { stdout } = await call([name, '--help'].filter(Boolean), {
        columns,
        isTerminal: { stdout: true, stderr: true },
      });
      const text = stdout.slice(0, stdout.indexOf('Examples:') >>> 0);
      // a term such as a long list of choices is one word and stays whole
      wide.push(...text.split('\n').filter((line) => line.length > columns && !/^ {2}-\S.*>$/.test(line)));
    }
    expect(wide).toEqual([]);
  });

  it('wraps help at 80 columns where there is no terminal', async () => {
    const inPipe = { isTerminal: { stdout: false, stderr: true } };
    const { stdout } = await call(['--help'], { columns: 200, ...inPipe });
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toBe((await call(['--help'], { columns: 40, ...inPipe })).stdout);
  });

  it('gives every command examples, sentences for its flags, and groups if it has many flags', async () => {
    for (const command of await allCommands()) {
      const flags = command.flags.length + command.settings.length;
      if (flags > 8) expect(command).toHaveProperty('groups');
      expect(command.examples.length).toBeGreaterThan(1);
      for (const { help } of [...command.flags, ...command.arguments]) expect(help).toMatch(/[.)]$/);
      expect((await call([command.name, '--help'])).exitCode).toBe(0);
    }
  });

  it('lists every command in a group, and every other name of one in the table', async () => {
    const grouped = COMMAND_GROUPS.flatMap(({ names }) => names);
    const aliases = (await allCommands()).flatMap((command) => command.aliases ?? []);
    expect([...grouped, ...aliases].sort()).toEqual([...COMMANDS.keys()].sort());
  });

  it('groups the flags of pack and has short names for the usual ones', async () => {
    const { stdout } = await call(['pack', '--help']);
    const titles = stdout.match(/^[A-Z][\w ]+:$/gm);
    expect(titles).toEqual([
      'Arguments:',
      'What to pack:',
      'How much:',
      'Form:',
      'Output:',
      'Advanced:',
      'Options:',
      'Global Options:',
      'Examples:',
    ]);
    for (const flag of ['-b, --budget', '-o, --output']) expect(stdout).toContain(flag);
    expect((await call(['rank', '--help'])).stdout).toContain('-n, --limit');
  });

  it('groups the flags of run by subject', async () => {
    const { stdout } = await call(['run', '--help']);
    expect(stdout.match(/^[A-Z][\w ]+:$/gm)).toEqual([
      'Arguments:',
      'What to run:',
      'With which agent:',
      'Gates:',
      'Limits:',
      'Output:',
      'Advanced:',
      'Options:',
      'Global Options:',
      'Examples:',
    ]);
  });

  it('shows flags with their defaults, made from the settings', async () => {
    const { stdout } = await call(['scan', '--help']);
    expect(stdout).toMatch(/--mode <incremental\|full>/);
    expect(stdout.replace(/\s+/g, ' ')).toContain('(default: 2MB)');
  });

  it.each([
    [['sacn'], "loadout: unknown command 'sacn'\nhint: did you mean scan?\n"],
    [['sacn', '--help'], "loadout: unknown command 'sacn'\nhint: did you mean scan?\n"],
    [['scan', '--mdoe', 'full'], "loadout: unknown option '--mdoe'\nhint: did you mean --mode?\n"],
    [['--jsno', 'scan'], "loadout: unknown option '--jsno'\nhint: did you mean --json?\n"],
    [['scan', 'extra'], 'loadout: too many arguments'],
    [['scan', '--mode'], "loadout: option '--mode <incremental|full>' argument missing"],
  ])('refuses %j with exit code 2', async (argv, message) => {
    const { exitCode, stdout, stderr } = await call(argv);
    expect(stderr).toContain(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('shows help on stderr when nothing is asked', async () => {
    const { exitCode, stdout, stderr } = await call([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Usage: loadout');
  });

  it('prints its version', async () => {
    expect(await call(['--version'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('errors', () => {
  it('shows a bad setting without a stack trace', async () => {
    const env = { HOME: folder, CONTEXT_PACKAGE_TOKEN_BUDGET: 'lots' };
    const { exitCode, stderr } = await call(['settings'], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^loadout: CONTEXT_PACKAGE_TOKEN_BUDGET: "lots" is not a valid tokenBudget; .*\n$/,
    );
  });

  it('shows a bug with its stack trace and calls it a bug', async () => {
    const env = null as unknown as CliIo['env'];
    const { exitCode, stderr } = await call(['settings'], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/TypeError.*\n\s+at /);
    expect(stderr).toContain('this is a bug in Loadout');
  });

  it('names a repository that does not exist', async () => {
    const { exitCode, stderr } = await call(['settings', '--repo', 'nowhere']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^loadout: .*nowhere/);
  });

  it('refuses a format it does not know and a focus outside the repository', async () => {
    expect((await call(['map', '--format', 'pdf'])).stderr).toContain('"pdf" is not a format');
    const outside = await call(['map', '--focus', '../../etc/passwd']);
    expect(outside).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('../../etc/passwd') });
  });
});

describe('settings', () => {
  it('has the value last, so that a long one makes no other line longer', async () => {
    const store = { url: 'https://search.example.org', team: 'platform', userEnv: 'SEARCH_USER' };
    const env = { LOADOUT_STORES: JSON.stringify({ main: store }) };
    const lines = (await call(['settings'], { env })).stdout.trimEnd().split('\n');
    expect(lines.find((line) => line.startsWith('stores '))).toMatch(
      /environment, LOADOUT_STORES +\{"main":\{.*\}\}$/,
    );
    for (const line of lines) if (!line.startsWith('stores ')) expect(line.length, line).toBeLessThan(120);
  });

  it('takes flags before and after the command', async () => {
    for (const argv of [
      ['--json', '--repo', repository, 'settings', '--budget', '30k'],
      ['settings', '--budget', '30k', '--json', '--repo', repository],
    ]) {
      const { exitCode, stdout, stderr } = await call(argv, { cwd: folder });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const { settings } = JSON.parse(stdout) as { settings: { name: string }[] };
      expect(settings.find(({ name }) => name === 'tokenBudget')).toEqual({
        name: 'tokenBudget',
        value: 30_000,
        shown: '30000',
        source: 'flag',
        where: '--budget',
        flag: '--budget',
        variable: 'CONTEXT_PACKAGE_TOKEN_BUDGET',
      });
    }
  });

  it('finds the file at the root from a subfolder, warns about settings it may not change, and is silent with --quiet', async () => {
    const file = join(repository, 'loadout.config.yaml');
    writeFileSync(file, 'maxFiles: 9\ncacheDir: /tmp/evil\u001b[2J\n');
    const cwd = join(repository, 'deep/er');
    const { stdout, stderr } = await call(['settings'], { cwd });
    expect(stdout).toMatch(/^maxFiles +repository file, loadout.config.yaml:1:11 +9$/m);
    expect(stdout).not.toContain('evil');
    expect(stderr).toMatch(/^warning: loadout.config.yaml:2:11: cacheDir is ignored/);
    expect((await call(['settings', '--quiet'], { cwd })).stderr).toBe('');
    const { diagnostics } = JSON.parse((await call(['settings', '--json'], { cwd })).stdout);
    expect(diagnostics).toHaveLength(1);
    rmSync(file);
  });

  it('does not follow a config file out of the repository', async () => {
    writeFileSync(join(folder, 'outside.json'), '{"maxFiles": 9}');
    symlinkSync(join(folder, 'outside.json'), join(repository, 'loadout.config.json'));
    const { stdout, stderr } = await call(['settings']);
    expect(stdout).toMatch(/^maxFiles +default +500000$/m);
    expect(stderr).toContain('loadout.config.json is not read: it is a link');
    rmSync(join(repository, 'loadout.config.json'));
  });

  it("reads --config and the user's file, and names a file that it cannot read", async () => {
    mkdirSync(join(folder, 'config/loadout'), { recursive: true });
    writeFileSync(join(folder, 'config/loadout/config.yaml'), 'maxFiles: 1\nparseWorkers: 2\n');
    writeFileSync(join(folder, 'mine.json'), '{"maxFiles": 3}');
    const { stdout } = await call(['settings', '--config', '../mine.json']);
    expect(stdout).toMatch(/^maxFiles +file given with --config, \.\.\/mine\.json:1:14 +3$/m);
    expect(stdout).toMatch(/^parseWorkers +user file, .*config\/loadout\/config\.yaml:2:15 +2$/m);
    const missing = await call(['settings', '--config', 'none.json']);
    expect(missing).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('none.json: it does not exist'),
    });
    rmSync(join(folder, 'config'), { recursive: true });
  });

  it('colours for terminals only, and not for NO_COLOR, --no-color or a dumb one', async () => {
    const isTerminal = { stdout: true, stderr: true };
    const hasColor = async (argv: string[], env: Record<string, string> = {}) =>
      (await call(argv, { isTerminal, env: { HOME: folder, ...env } })).stdout.includes('\u001b[');
    expect(await hasColor(['settings'])).toBe(true);
    expect(await hasColor(['settings', '--no-color'])).toBe(false);
    expect(await hasColor(['settings'], { NO_COLOR: '1' })).toBe(false);
    expect(await hasColor(['settings'], { TERM: 'dumb' })).toBe(false);
    expect((await call(['settings'])).stdout).not.toContain('\u001b[');
  });
});

describe('doctor', () => {
  it('reports on git and the cache directory', async () => {
    const { stdout } = await call(['doctor', '--json', '--cache-dir', join(folder, 'cache')]);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] };
    const names = ['loadout', 'node', 'git', 'cache directory', 'grammars'];
    expect(checks.map(({ name }) => name).slice(0, names.length)).toEqual(names);
    expect(checks[2]).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^git version/) });
    expect(checks[3]).toMatchObject({ state: 'ok' });
  });

  it('exits with 1 when something is broken, and calls a missing git a limit', async () => {
    writeFileSync(join(folder, 'file'), '');
    const argv = ['doctor', '--cache-dir', join(folder, 'file/cache')];
    const { exitCode, stdout } = await call(argv, { env: { HOME: folder, PATH: '/nowhere' } });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^limited +git +not on the PATH/m);
    expect(stdout).toMatch(/^broken +cache directory +.* cannot be written \(ENOTDIR\)/m);
  });
});

describe('the end of a command', () => {
  it('stops with 130 when interrupted, and at once the second time', async () => {
    const forced: number[] = [];
    const { exitCode } = await call(['settings'], {
      onInterrupt: (listener) => {
        queueMicrotask(() => {
          listener(130);
          listener(130);
        });
        return () => {};
      },
      forceExit: (code) => void forced.push(code),
    });
    expect(exitCode).toBe(130);
    expect(forced).toEqual([130]);
  });

  it('ends silently when the output is no longer read', async () => {
    const stdout = new PassThrough();
    stdout.write = () => {
      stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      return false;
    };
    expect(await call(['settings'], { stdout })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('reports an error when the output cannot be written', async () => {
    const stdout = new PassThrough();
    stdout.write = () => {
      stdout.emit('error', Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
      return false;
    };
    const { exitCode, stderr } = await call(['settings'], { stdout });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot write the result: no space left');
  });
});
