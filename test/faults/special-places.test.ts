import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SCALE } from '../support/scale.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';

const CLI = fileURLToPath(new URL('../../bin/loadout.js', import.meta.url));
/** Far longer than any of these commands takes, far shorter than a FIFO waits. */
const PATIENCE_MS = 40_000;

function run(args: readonly string[], env: Readonly<Record<string, string>>, input = '{}') {
  const { status, signal, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH ?? '', LOADOUT_WARM_SERVER: 'running', ...env },
    input,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  return { status, signal, stderr };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());
}

describe.skipIf(process.platform === 'win32')('a FIFO', { timeout: 600_000 }, () => {
  it('in place of any file that we keep or read hangs no command', () => {
    const { path, home } = temporaryRepository({
      'a.ts': 'export function a() {}\n',
      'loadout.config.json': '{}\n',
      '.loadout/roles/own.yaml': 'name: own\nextends: implementer\ndescription: Own\n',
      '.loadout/guidelines/own.yaml': '[]\n',
      '.loadoutignore': 'x\n',
    });
    const cache = join(home, 'cache');
    const config = join(home, 'config');
    const env = { HOME: home, LOADOUT_CACHE_DIR: cache, LOADOUT_CONFIG_DIR: config };
    mkdirSync(config);
    writeFileSync(join(config, 'config.json'), '{}\n');
    mkdirSync(join(config, 'guidelines'));
    writeFileSync(join(config, 'guidelines/own.yaml'), '[]\n');
    const event = JSON.stringify({ session_id: 's', cwd: path, prompt: 'Change the function a' });
    const commands: readonly (readonly string[])[] = [
      ['pack', 'Change the function a', '--repo', path],
      ['hook', 'user-prompt-submit', '--timeout', '20s'],
      ['guardrails', 'list', '--repo', path],
      ['doctor', '--repo', path],
    ];
    for (const args of [['trust', '--repo', path, '--yes'], ...commands])
      expect(run(args, env, event).signal).toBeNull();
    const places = [...filesBelow(cache), ...filesBelow(config)]
      // compiled code is many files of one kind
      .filter((file, at, all) => all.findIndex((one) => dirname(one) === dirname(file)) > at - 2);
    places.push(join(cache, 'server.json'), ...filesBelow(join(path, '.loadout')));
    for (const name of ['loadout.config.json', '.loadoutignore', '.gitignore', '.gitattributes'])
      places.push(join(path, name));
    expect(places.length).toBeGreaterThan(10);
    const hung: string[] = [];
    for (const [at, place] of places.entries()) {
      const had = existsSync(place);
      if (had) renameSync(place, `${place}.kept`);
      execFileSync('mkfifo', [place]);
      // The short form asks one command about each place, in turns.
      for (const args of SCALE === 1 ? [commands[at % commands.length]!] : commands) {
        if (!existsSync(place)) execFileSync('mkfifo', [place]);
        if (run(args, env, event).signal !== null) hung.push(`${args[0]}: ${place.slice(home.length)}`);
      }
      rmSync(place, { force: true });
      if (had) renameSync(`${place}.kept`, place);
    }
    expect(hung).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')(
  'a cache directory where no folder can be',
  { timeout: 120_000 },
  () => {
    it.each(['/proc/nope', '/proc/nope/deeper', '/dev/null/x', '/proc/self/nope'])(
      '%s is an error',
      (place) => {
        const { path, home } = temporaryRepository({ 'a.ts': 'export function a() {}\n' });
        const env = { HOME: home, LOADOUT_CACHE_DIR: place };
        const scan = run(['scan', '--repo', path], env);
        expect(scan.signal).toBeNull();
        expect(scan.stderr).toContain(`cannot create the cache folder ${place}`);
        expect(scan.status).toBe(2);
        expect(run(['hook', 'session-start'], env).status).toBe(0);
        expect(run(['doctor', '--repo', path], env).status).toBe(1);
      },
    );
  },
);
