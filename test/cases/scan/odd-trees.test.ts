import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliOptions, runCli } from '../../support/run-cli.ts';
import {
  type TemporaryRepository,
  temporaryFolder,
  temporaryRepository,
} from '../../support/temporary-repository.ts';

const MAX_MEMORY = 700e6;
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

async function scan(repository: TemporaryRepository, options: CliOptions = {}) {
  const { cache, path } = repository;
  const run = await runCli(['scan', '--json'], { cwd: path, cache, measureMemory: true, ...options });
  expect(run.peakMemory).toBeLessThan(MAX_MEMORY);
  return { ...run, json: run.exitCode === 0 ? JSON.parse(run.stdout) : null };
}

describe.skipIf(process.platform === 'win32')(
  'a scan finishes and reports the files that it left out',
  () => {
    it('without git', async () => {
      const { exitCode, json } = await scan(temporaryFolder({ 'a.py': 'def a(): pass\n' }));
      expect(exitCode).toBe(0);
      expect(json).toEqual({
        filesScanned: 1,
        filesChanged: 1,
        filesSkipped: [],
        symbolsIndexed: 1,
        dependenciesIndexed: 0,
        durationSeconds: expect.any(Number),
        gitSha: '',
        mode: 'incremental',
        links: expect.any(Array),
        diagnostics: [
          { code: 'no-git', severity: 'info', message: expect.stringContaining('not a git repository') },
        ],
      });
    });

    it('in a folder without git, which every answer says once', async () => {
      const { path, cache } = temporaryFolder({ 'a.py': 'def parse(): pass\n' });
      for (const command of [['scan'], ['rank', 'Fix parse'], ['pack', 'Fix parse'], ['map']]) {
        const said = await runCli(command, { cwd: path, cache });
        expect(said.stderr.match(/note: not a git repository/g), command[0]).toHaveLength(1);
        if (command[0] === 'map') continue;
        const { diagnostics } = JSON.parse(
          (await runCli([...command, '--json'], { cwd: path, cache })).stdout,
        );
        expect(diagnostics.filter(({ code }: { code: string }) => code === 'no-git')).toHaveLength(1);
      }
    });

    it('in a sparse checkout, with how much of it is not there', async () => {
      const repository = temporaryRepository({
        'a.ts': 'export const a = 1;\n',
        'in/b.ts': 'export const b = 1;\n',
        'out/c.ts': 'export const c = 1;\n',
        'out/deep/d.ts': 'export const d = 1;\n',
      });
      const sparse = (diagnostics: { code: string; message: string }[]) =>
        diagnostics.flatMap(({ code, message }) => (code === 'sparse-checkout' ? [message] : []));
      expect(sparse((await scan(repository)).json.diagnostics)).toEqual([]);
      repository.git('sparse-checkout', 'set', 'in');
      // said again by a scan that finds nothing new, and by one of a part
      for (let turn = 0; turn < 2; turn++) {
        const { json } = await scan(repository);
        expect(json.filesScanned).toBe(2);
        expect(sparse(json.diagnostics)).toEqual([
          'sparse checkout: 2 of 4 tracked files are not on disk and were left out',
        ]);
      }
      const part = await runCli(['scan', '--json', '--include', 'in'], {
        cwd: repository.path,
        cache: repository.cache,
      });
      expect(sparse(JSON.parse(part.stdout).diagnostics)).toEqual([]);
      repository.git('sparse-checkout', 'disable');
      expect(sparse((await scan(repository)).json.diagnostics)).toEqual([]);
    });

    it('in a git repository, with the commit', async () => {
      const repository = temporaryRepository({ 'a.ts': "import './b';\n", 'b.ts': 'export const b = 1;\n' });
      const { json } = await scan(repository);
      expect(json).toMatchObject({
        filesScanned: 2,
        dependenciesIndexed: 1,
        gitSha: repository.git('rev-parse', 'HEAD').trim(),
      });
    });

    it('in an empty directory, in which there is nothing to map', async () => {
      const repository = temporaryFolder();
      const { exitCode, json } = await scan(repository);
      expect([exitCode, json.filesScanned, json.filesSkipped]).toEqual([0, 0, []]);
      const map = await runCli(['map'], { cwd: repository.path, cache: repository.cache });
      expect(map.exitCode).toBe(2);
      expect(map.stderr).toMatch(/the repository has no files to read\nhint: /);
    });

    it('in a bare repository', async () => {
      const repository = temporaryFolder();
      repository.git('init', '--quiet', '--bare');
      const { exitCode, json, stderr } = await scan(repository);
      expect(exitCode).toBe(0);
      expect(json.diagnostics).toContainEqual(expect.objectContaining({ code: 'bare-repository' }));
      expect(stderr).toContain('without a work tree');
    });

    it('of a directory that does not exist', async () => {
      const repository = temporaryFolder();
      const run = await runCli(['scan', '--repo', 'nowhere'], {
        cwd: repository.path,
        cache: repository.cache,
      });
      expect([run.exitCode, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toMatch(/nowhere is not a directory\nhint: /);
    });

    it.each([temporaryFolder, temporaryRepository])(
      'with links that lead nowhere, in circles and out (%#)',
      async (make) => {
        const repository = make({ 'src/a.py': 'def a(): pass\n' });
        const links = {
          'broken.py': 'nowhere.py',
          cycle: '.',
          'src/up': '..',
          root: '/',
          'pass.py': '/etc/passwd',
          one: 'two',
          two: 'one',
        };
        for (const [name, target] of Object.entries(links)) symlinkSync(target, join(repository.path, name));
        const { exitCode, json } = await scan(repository);
        expect(exitCode).toBe(0);
        expect(json.filesScanned).toBe(1);
        const skipped = Object.keys(links)
          .sort()
          .map((path) => ({ path, reason: 'symlink' }));
        expect(json.filesSkipped).toEqual(skipped);
      },
    );

    it('with pipes and devices that are named like source files', async () => {
      const repository = temporaryFolder({ 'a.py': 'def a(): pass\n' });
      execFileSync('mkfifo', ['package.json', 'pipe.py', '.gitignore'], { cwd: repository.path });
      const names = ['.gitignore', 'package.json', 'pipe.py'];
      if (isRoot) {
        execFileSync('mknod', ['zero.ts', 'c', '1', '5'], { cwd: repository.path });
        names.push('zero.ts');
      }
      const { exitCode, json } = await scan(repository);
      expect([exitCode, json.filesScanned]).toEqual([0, 1]);
      expect(json.filesSkipped).toEqual(names.map((path) => ({ path, reason: 'not-a-regular-file' })));
    });

    it('with a tracked file that has become a pipe', async () => {
      const repository = temporaryRepository({ 'a.py': 'def a(): pass\n', 'b.py': 'def b(): pass\n' });
      rmSync(join(repository.path, 'b.py'));
      execFileSync('mkfifo', ['b.py'], { cwd: repository.path });
      const { exitCode, json } = await scan(repository);
      expect([exitCode, json.filesScanned]).toEqual([0, 1]);
      expect(json.filesSkipped).toEqual([{ path: 'b.py', reason: 'not-a-regular-file' }]);
    });

    it.skipIf(!isRoot)('without permission to read (needs root, to become another user)', async () => {
      const repository = temporaryFolder({
        'a.py': 'def a(): pass\n',
        'shut.py': 'def b(): pass\n',
        'folder/c.py': '',
      });
      chmodSync(repository.home, 0o755);
      chownSync(repository.cache, NOBODY, NOBODY);
      for (const name of ['shut.py', 'folder']) chmodSync(join(repository.path, name), 0o000);
      const { exitCode, json } = await scan(repository, { userId: NOBODY });
      expect([exitCode, json.filesScanned, json.symbolsIndexed]).toEqual([0, 1, 1]);
      expect(json.filesSkipped).toEqual([{ path: 'shut.py', reason: 'unreadable' }]);
      expect(json.diagnostics).toContainEqual(expect.objectContaining({ code: 'folder-unreadable' }));
      chmodSync(repository.path, 0o000);
      onTestFinished(() => chmodSync(repository.path, 0o755));
      const refused = await runCli(['scan', '--repo', repository.path], {
        cwd: '/',
        cache: repository.cache,
        userId: NOBODY,
      });
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toContain(repository.path);
    });

    it.each([temporaryFolder, temporaryRepository])('with names of every kind (%#)', async (make) => {
      const repository = make();
      const names = [
        'new\nline.py',
        'quo"te\'s.py',
        'tab\there.py',
        '-rf.py',
        ' blank .py',
        'café.py',
        'cafe\u0301.py',
        '$(x).py',
        'back\\slash.py',
      ];
      for (const name of names) writeFileSync(join(repository.path, name), 'def f(): pass\n');
      const raw = Buffer.concat([
        Buffer.from(`${repository.path}/raw-`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('.py'),
      ]);
      writeFileSync(raw, 'def raw(): pass\n');
      const { exitCode, json } = await scan(repository);
      expect([exitCode, json.filesScanned, json.symbolsIndexed]).toEqual([
        0,
        names.length + 1,
        names.length + 1,
      ]);
      expect(json.diagnostics.filter(({ code }: { code: string }) => code !== 'no-git')).toEqual([]);
      writeFileSync(raw, '\0\0\0');
      const again = await scan(repository);
      expect(again.json.filesSkipped).toEqual([{ path: 'raw-\udcff\udcfe.py', reason: 'binary' }]);
      expect(again.json.filesChanged).toBe(1);
    });

    it('with a nested repository and a folder named .git that is none', async () => {
      const repository = temporaryRepository({ 'a.py': 'def a(): pass\n' });
      mkdirSync(join(repository.path, 'inner'));
      execFileSync('git', ['init', '--quiet', 'inner'], { cwd: repository.path });
      writeFileSync(join(repository.path, 'inner/b.py'), 'def b(): pass\n');
      const { exitCode, json } = await scan(repository);
      expect([exitCode, json.filesScanned]).toEqual([0, 1]);
      expect(json.filesSkipped).toEqual([{ path: 'inner', reason: 'submodule' }]);
    });
  },
);
