import { execFileSync } from 'node:child_process';
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
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { name: packageName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
};
const isWindows = process.platform === 'win32';

/** The package as a registry would hand it out, and a place to install it. */
export interface PackedTarball {
  /** The `.tgz` that `npm pack` wrote. */
  readonly file: string;
  /** A folder of the test's own, for whatever else it needs; gone after `remove`. */
  readonly place: string;
  remove(): void;
}

/** The package, installed from its tarball into an empty prefix. */
export interface InstalledPackage {
  /** The folder of the package: `bin/`, `dist/`, `action.yml` and the rest. */
  readonly folder: string;
  /** The program as a user starts it. */
  readonly program: string;
  /** Nothing of this machine: an empty home and cache, and a PATH that finds node, git and this program. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the program and gives its stdout; throws where it fails. */
  run(args: readonly string[], options?: RunOptions): string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `npm pack` on the built work tree. Every channel is tested from this file, because it is what users get. */
export function packTarball(): PackedTarball {
  if (!existsSync(join(root, 'dist/cli.cjs'))) throw new Error('dist/ is missing: run "npm run build" first');
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-tarball-')));
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', place], root);
  const [name] = readdirSync(place).filter((one) => one.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack wrote no tarball');
  return {
    file: join(place, name),
    place,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/**
 * Installs a tarball as `npm i -g` does, into an empty prefix. Packages it depends on come from npm's cache where it has
 * them. The home folder and the cache of Loadout are new.
 */
export function installTarball({ file, place }: Pick<PackedTarball, 'file' | 'place'>): InstalledPackage {
  const prefix = mkdtempSync(join(place, 'prefix-'));
  npm(['install', '--global', '--prefix', prefix, ...QUIETLY, '--prefer-offline', file], place);
  const folder = join(prefix, isWindows ? 'node_modules' : 'lib/node_modules', packageName);
  const program = isWindows ? join(prefix, 'loadout.cmd') : join(prefix, 'bin/loadout');
  const env = freshEnvironment(prefix, dirname(program));
  return {
    folder,
    program,
    env,
    run: (args, options = {}) =>
      execFileSync(process.execPath, [join(folder, 'bin/loadout.js'), ...args], {
        cwd: options.cwd ?? place,
        env: { ...env, ...options.env },
        input: options.input ?? '',
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
  };
}

const QUIETLY = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/** On Windows npm is a script that only a shell starts; every argument here is our own. */
function npm(args: readonly string[], cwd: string): void {
  execFileSync(isWindows ? 'npm.cmd' : 'npm', args, { cwd, stdio: 'pipe', shell: isWindows });
}

/** A new home; PATH has the program, node and git, and no other program that a test could mistake for ours. */
function freshEnvironment(prefix: string, programs: string): Record<string, string> {
  const home = join(prefix, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), '');
  const tools = join(prefix, 'tools');
  mkdirSync(tools);
  const path = isWindows ? (process.env.PATH ?? '') : tools;
  if (!isWindows) {
    symlinkSync(process.execPath, join(tools, 'node'));
    for (const name of ['git', 'sh', 'env', 'ps', 'tar']) linkTool(name, tools);
  }
  return {
    ...(isWindows ? { SystemRoot: process.env.SystemRoot ?? '', PATHEXT: process.env.PATHEXT ?? '' } : {}),
    PATH: [programs, path].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: tmpdir(),
    TEMP: tmpdir(),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    LOADOUT_CACHE_DIR: join(prefix, 'cache'),
    // nothing that outlives a test, unless the test is about it
    LOADOUT_WARM_SERVER: 'running',
  };
}

function linkTool(name: string, folder: string): void {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((one) => join(one, name))
    .find((one) => existsSync(one));
  if (found !== undefined) symlinkSync(found, join(folder, name));
}
