// How long a first start takes on a clean machine: node bench/install.mjs [--max SECONDS] [TARBALL]
// Nothing is there but node, npm and git: a new home, an empty npm cache, an empty prefix. The network is part of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { max: { type: 'string', default: '10' } },
  allowPositionals: true,
});
const place = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-install-')));
const isWindows = process.platform === 'win32';
let count = 0;

/** A home and a cache that nothing has used; only what npm knows of registries stays. */
function fresh() {
  const home = join(place, `home-${++count}`);
  mkdirSync(home);
  const ours = ([name]) => /^(LOADOUT_|npm_)/i.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter((entry) => !ours(entry)));
  return {
    ...env,
    HOME: home,
    USERPROFILE: home,
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    npm_config_update_notifier: 'false',
    npm_config_prefix: join(home, 'prefix'),
  };
}

function timed(name, command, args, env = fresh()) {
  const started = performance.now();
  execFileSync(command, args, { cwd: place, env, stdio: 'pipe', shell: isWindows });
  const seconds = (performance.now() - started) / 1000;
  console.log(`${name.padEnd(34)} ${seconds.toFixed(1).padStart(5)} s`);
  return seconds;
}

try {
  let [tarball] = positionals;
  if (tarball === undefined) {
    const npm = isWindows ? 'npm.cmd' : 'npm';
    execFileSync(npm, ['pack', '--silent', '--pack-destination', place], { cwd: root, shell: isWindows });
    tarball = join(
      place,
      readdirSync(place).find((name) => name.endsWith('.tgz')),
    );
  }
  tarball = resolve(tarball);
  // npx takes a full path for a program to start, and a path from here for a package
  const fromHere = `./${relative(place, tarball).replaceAll('\\', '/')}`;
  console.log(`${'download'.padEnd(34)} ${(statSync(tarball).size / 1e6).toFixed(1).padStart(5)} MB`);
  const installed = fresh();
  const bin = isWindows ? installed.npm_config_prefix : join(installed.npm_config_prefix, 'bin');
  const started = { ...installed, PATH: `${bin}${isWindows ? ';' : ':'}${installed.PATH}` };
  const seconds = [
    timed('npx -y TARBALL --version', 'npx', ['-y', fromHere, '--version']),
    timed('npm install -g TARBALL', 'npm', ['install', '-g', '--no-audit', '--no-fund', tarball], installed),
    timed('loadout map, first scan', 'loadout', ['map', '--repo', join(root, 'examples/sample')], started),
  ];
  if (Math.max(...seconds) > Number(values.max)) {
    console.error(`slower than ${values.max} s`);
    process.exitCode = 1;
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
