import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processIo } from './main.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
let binary: string;
let metafile: Metafile;

/** The package as it is installed, as far as the command line needs it. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-start-'));
  binary = join(folder, 'bin/loadout.js');
  mkdirSync(join(folder, 'bin'));
  copyFileSync(join(root, 'bin/loadout.js'), binary);
  copyFileSync(join(root, 'bin/package.json'), join(folder, 'bin/package.json'));
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  const built = await build({
    absWorkingDir: root,
    entryPoints: { cli: 'src/surfaces/cli/run.ts' },
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['typescript', '@parcel/watcher'],
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    metafile: true,
    logLevel: 'error',
  });
  metafile = built.metafile;
  writeFileSync(join(folder, 'dist/cli.cjs'), "import('./cli.js');\n");
  writeFileSync(join(folder, 'dist/version.cjs'), "exports.VERSION = '9.9.9';\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

/** Everything that is loaded before the first line of a command runs. */
function loadedAtStart(): string[] {
  const waiting = Object.keys(metafile.outputs).filter((path) => path.endsWith('/cli.js'));
  const seen = new Set(waiting);
  for (const path of waiting) {
    for (const { path: next, kind, external } of metafile.outputs[path]!.imports) {
      if (kind !== 'import-statement' || external || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return [...seen].flatMap((path) => Object.keys(metafile.outputs[path]!.inputs));
}

describe('start-up', () => {
  it('loads no package and no command before it knows which one is asked for', () => {
    const inputs = loadedAtStart();
    expect(inputs).toContain('src/surfaces/cli/main.ts');
    expect(inputs.filter((path) => /node_modules|\/commands\/|src\/(parse|scan|store)\//.test(path))).toEqual(
      [],
    );
  });

  it('prints the version from the built constant, or from the manifest before a build', () => {
    expect(node(binary, '--version')).toMatchObject({ status: 0, stdout: '9.9.9\n' });
    expect(node(binary, '-V').stdout).toBe('9.9.9\n');
    expect(node(join(root, 'bin/loadout.js'), '--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('says how to build when there is no build', () => {
    const bare = join(folder, 'bare/bin');
    cpSync(join(folder, 'bin'), bare, { recursive: true });
    copyFileSync(join(root, 'package.json'), join(folder, 'bare/package.json'));
    expect(node(join(bare, 'loadout.js'), 'scan')).toMatchObject({
      ...{ status: 2, stdout: '' },
      stderr: expect.stringMatching(/^loadout: .*not built.*npm run build.*\n$/),
    });
  });

  it('prints the version within 1.5 times the start of an empty program', () => {
    const time = (...args: string[]): number => {
      const start = performance.now();
      node(...args);
      return performance.now() - start;
    };
    // Interleaved, best of all: the machine may be busy with something else, and then it takes more tries.
    let [empty, version] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let at = 0; at < 40 && (at < 10 || version >= empty * 1.5); at++) {
      empty = Math.min(empty, time('-e', '0'));
      version = Math.min(version, time(binary, '--version'));
    }
    expect(version).toBeLessThan(empty * 1.5);
  });

  it('sets the exit code of the process', () => {
    expect(node(binary, 'settings').status).toBe(0);
    expect(node(binary, 'nothing')).toMatchObject({ status: 2, stdout: '' });
  });

  it('ends silently when the reader of its output exits', () => {
    const line = `"${process.execPath}" "${binary}" settings --json; echo "exit $?" >&2`;
    const { stderr } = spawnSync('sh', ['-c', `(${line}) | true`], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('exit 0\n');
  });
});

describe('processIo', () => {
  it('turns signals into exit codes while it listens', () => {
    const codes: number[] = [];
    // Called, not emitted: the test runner listens to signals as well.
    const before = { SIGINT: process.listeners('SIGINT'), SIGTERM: process.listeners('SIGTERM') };
    const stop = processIo().onInterrupt((code) => void codes.push(code));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const added = process.listeners(signal).filter((listener) => !before[signal].includes(listener));
      for (const listener of added) listener(signal);
    }
    stop();
    expect(codes).toEqual([130, 143]);
    expect(process.listeners('SIGINT')).toEqual(before.SIGINT);
  });
});
