import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processesWith } from '../../support/process-tree.ts';
import { runCli } from '../../support/run-cli.ts';
import { answersOf, PATIENT, scanInProcess } from '../../support/scan-kit.ts';
import {
  type TemporaryRepository,
  temporaryFolder,
  temporaryRepository,
} from '../../support/temporary-repository.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const FILES = Object.fromEntries(
  Array.from({ length: 200 }, (_, at) => [`src/f${at}.py`, `def f${at}(): pass\n`.repeat(20)]),
);

/** Every path below a folder, with facts that would change with a write. */
function tracesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(join(folder, name));
    return [name, size, mtimeMs, ctimeMs, ino].join(' ');
  });
}

function cacheNames({ cache }: Pick<TemporaryRepository, 'cache'>, suffix: string): string[] {
  return readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(suffix));
}

function mountSmallDisk(path: string): boolean {
  if (!isRoot || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path]).status !== 0)
    return false;
  onTestFinished(() => void spawnSync('umount', ['-l', path]));
  return true;
}

describe('where a scan reads and writes', PATIENT, () => {
  it('a fresh work tree is indexed without parsing a file', async () => {
    const repository = temporaryRepository(FILES);
    const { cache, path } = repository;
    await runCli(['scan'], { cwd: path, cache });
    const segments = cacheNames(repository, '.segment');
    const tree = join(repository.home, 'tree');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    const run = await runCli(['scan', '--json'], { cwd: tree, cache });
    expect(JSON.parse(run.stdout)).toMatchObject({ filesScanned: 200, symbolsIndexed: 4000 });
    expect(cacheNames(repository, '.segment')).toEqual(segments);
    // content that one of them has is not parsed again for the other, wherever it lies there
    repository.write('moved/x.py', 'def f7(): pass\n'.repeat(20));
    await runCli(['scan'], { cwd: path, cache });
    expect(cacheNames(repository, '.segment')).toEqual(segments);
    expect(cacheNames(repository, '.snapshot')).toHaveLength(2);
  });

  it('nothing is written into the repository', async () => {
    const repository = temporaryRepository({ ...FILES, 'b.ts': 'export const b = 1;\n' });
    repository.write('src/f1.py', 'def changed(): pass\n');
    const before = tracesOf(repository.path);
    for (const command of [['scan'], ['scan', '--mode', 'full', '--verify'], ['map']]) {
      const run = await runCli(command, { cwd: repository.path, cache: repository.cache });
      expect(run.exitCode).toBe(0);
    }
    expect(tracesOf(repository.path)).toEqual(before);
  });

  it.skipIf(!isRoot)(
    'a read-only repository can be scanned (needs root, to become another user)',
    async () => {
      const repository = temporaryRepository({ 'a.py': 'def a(): pass\n' });
      chmodSync(repository.home, 0o755);
      for (const folder of [repository.cache, repository.path]) {
        execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
      }
      execFileSync('chmod', ['-R', 'a-w', repository.path]);
      const { cache, path } = repository;
      const run = await runCli(['scan', '--json'], { cwd: path, cache, userId: NOBODY });
      expect(run.exitCode).toBe(0);
      expect(JSON.parse(run.stdout)).toMatchObject({ filesScanned: 1, symbolsIndexed: 1, diagnostics: [] });
    },
  );

  it('a cache directory that cannot be created is named, with advice', async () => {
    const repository = temporaryFolder({ 'a.py': '', file: '' });
    const cache = join(repository.path, 'file', 'cache');
    const run = await runCli(['scan'], { cwd: repository.path, cache });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain(cache);
    expect(run.stderr).toMatch(/\nhint: .*LOADOUT_CACHE_DIR/);
  });

  it.skipIf(!isRoot)(
    'a cache that has become read-only is named (needs root, to become another user)',
    async () => {
      const repository = temporaryFolder({ 'a.py': 'def a(): pass\n' });
      chmodSync(repository.home, 0o755);
      chownSync(repository.cache, NOBODY, NOBODY);
      const { cache, path } = repository;
      const options = { cwd: path, cache, userId: NOBODY };
      expect(await runCli(['scan'], options)).toMatchObject({ exitCode: 0 });
      execFileSync('chmod', ['-R', 'a-w', cache]);
      repository.write('b.py', 'def b(): pass\n');
      const run = await runCli(['scan'], options);
      expect([run.exitCode, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain(cache);
      expect(run.stderr).toContain('\nhint: ');
      expect(run.stderr).not.toContain('bug');
    },
  );

  it('a full disk keeps the old state, and a scan after making room works', async ({ skip }) => {
    const repository = temporaryRepository({ 'a.py': 'def a(): pass\n' });
    if (!mountSmallDisk(repository.cache)) skip('cannot mount a tmpfs here: needs root');
    const { cache, path } = repository;
    expect(await runCli(['scan'], { cwd: path, cache })).toMatchObject({ exitCode: 0 });
    for (const [name, content] of Object.entries(FILES))
      repository.write(name, `${content}# ${name}\n`.repeat(5));
    const filler = join(cache, 'filler');
    writeUntilFull(filler);
    const kept = cacheNames(repository, '').sort();
    const run = await runCli(['scan'], { cwd: path, cache });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(/ENOSPC|no space/i);
    expect(run.stderr).toContain(cache);
    expect(run.stderr).toContain('\nhint: ');
    expect(cacheNames(repository, '').sort()).toEqual(kept);
    rmSync(filler);
    spawnSync('mount', ['-o', 'remount,size=32m', cache]);
    const again = answersOf(await scanInProcess(repository));
    const fresh = { path, cache: join(repository.home, 'fresh') };
    mkdirSync(fresh.cache);
    expect(again).toEqual(answersOf(await scanInProcess(fresh)));
  });

  it.skipIf(process.platform === 'win32').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends with %i, leaves no process and no half state', async (signal, exitCode) => {
    const repository = temporaryRepository(FILES);
    const { cache, path } = repository;
    const started = performance.now();
    await runCli(['scan'], { cwd: path, cache });
    const whole = performance.now() - started;
    let interrupted = 0;
    for (const part of [0.45, 0.6, 0.8]) {
      for (let at = 0; at < 200; at += 2)
        repository.write(`src/f${at}.py`, `def g${part * 100}_${at}(): pass\n`.repeat(30));
      const run = await runCli(['scan', '--mode', 'full'], {
        cwd: path,
        cache,
        // as a terminal does it: to the whole group
        started: (child) => void setTimeout(() => quietlySignal(-child.pid!, signal), part * whole),
      });
      if (run.exitCode === 0) continue;
      if (run.exitCode === exitCode) {
        interrupted++;
        expect(run.stderr).not.toContain('bug');
      } else expect(run.signal).toBe(signal); // before anybody could listen
      const deadline = performance.now() + 2000;
      while (processesWith(cache).length > 0 && performance.now() < deadline) await delay(20);
      expect(processesWith(cache)).toEqual([]);
      expect(cacheNames(repository, 'writer.lock')).toEqual([]);
      const fresh = { path, cache: join(repository.home, `fresh${part}`) };
      expect(answersOf(await scanInProcess(repository))).toEqual(answersOf(await scanInProcess(fresh)));
    }
    expect(interrupted).toBeGreaterThan(0);
  });
});

function writeUntilFull(path: string): void {
  for (const size of [65_536, 4096, 1024]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size, 1), { flag: 'a' });
    } catch {
      // that is the aim
    }
  }
}

function quietlySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}
