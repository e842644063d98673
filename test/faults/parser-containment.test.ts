import { execFileSync } from 'node:child_process';
import { renameSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtProgram, parserNodeOptions } from '../../src/platform/host.ts';
import { parserProcesses } from '../support/process-tree.ts';
import { answersOf, codesOf, PATIENT, SCALE, scanInProcess, scanWithWorker } from '../support/scan-kit.ts';
import { type FileContents, temporaryRepository } from '../support/temporary-repository.ts';
import { mutantsOf } from './fixtures/mutants.ts';

const MISBEHAVING = fileURLToPath(new URL('./fixtures/misbehaving-worker.js', import.meta.url));

function manyFiles(count: number): FileContents {
  const entries = Array.from({ length: count }, (_, index) => [
    `src/part${index % 7}/file${index}.py`,
    `def function${index}(x):\n    return x + ${index}\n`,
  ]);
  return Object.fromEntries(entries);
}

/** Kills parser processes a random while after they appear; few enough that the work can get done. */
function killAtRandom(most: number, killed: () => void): () => void {
  const seen = new Set<number>();
  const kill = (pid: number) => {
    if (!parserProcesses().includes(pid)) return;
    process.kill(pid, 'SIGKILL');
    killed();
  };
  const look = setInterval(() => {
    for (const pid of parserProcesses()) {
      if (seen.has(pid) || seen.size >= most) continue;
      seen.add(pid);
      setTimeout(() => kill(pid), Math.random() * 400);
    }
  }, 20);
  return () => clearInterval(look);
}

describe('a parser that fails affects nothing else', PATIENT, () => {
  it('crashes and hangs cost the file its structure, and no other file anything', async () => {
    const good = manyFiles(40);
    const repository = temporaryRepository({
      ...good,
      'src/part1/crash-a.py': 'def a(): pass\n',
      'src/part3/crash-b.py': 'def b(): pass\n',
      'src/part4/hang-c.py': 'def c(): pass\n',
      'src/part5/once-d.py': 'def d(): pass\n',
      'src/part6/always-e.py': 'def e(): pass\n',
    });
    const scan = await scanWithWorker(repository, MISBEHAVING);
    const { files } = answersOf(scan);
    const namesOf = (path: string) =>
      files.find((file) => file.path === path)!.symbols.map(({ name }) => name);
    for (const path of Object.keys(good))
      expect(namesOf(path)).toEqual([`function${/(\d+)\.py/.exec(path)![1]}`]);
    expect(namesOf('src/part5/once-d.py')).toEqual(['d']);
    for (const name of ['part1/crash-a', 'part3/crash-b', 'part4/hang-c'])
      expect(files).toContainEqual(
        expect.objectContaining({ path: `src/${name}.py`, skip: null, language: 'python', symbols: [] }),
      );
    expect(scan.result.filesSkipped).toEqual([{ path: 'src/part6/always-e.py', reason: 'unreadable' }]);
    const blamed = scan.result.diagnostics.filter(({ code }) => code === 'parser-crashed');
    expect(new Set(blamed.map(({ path }) => path))).toEqual(
      new Set([
        'src/part1/crash-a.py',
        'src/part3/crash-b.py',
        'src/part4/hang-c.py',
        'src/part6/always-e.py',
      ]),
    );
    for (const { message, path } of blamed) expect(message).toContain(path);
  });

  it('a file that fills the heap of its parser ends that process, and no other file suffers', async () => {
    // the limit that parsers run under, as Node itself understands it
    const limit = 'v8.getHeapStatistics().heap_size_limit';
    const args = [...parserNodeOptions(), '-p', limit];
    const heap = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(heap).toBeLessThan(1.3e9);
    const repository = temporaryRepository({ ...manyFiles(10), 'src/hungry-x.py': 'def x(): pass\n' });
    const nodeOptions = ['--max-old-space-size=64', '--max-semi-space-size=4'];
    const scan = await scanWithWorker(repository, MISBEHAVING, { nodeOptions });
    expect(scan.result.filesSkipped).toEqual([]);
    const { files } = answersOf(scan);
    expect(files.filter(({ symbols }) => symbols.length === 0).map(({ path }) => path)).toEqual([
      'src/hungry-x.py',
    ]);
    expect(codesOf(scan)).toEqual(['parser-crashed']);
  });

  it('a file that was given up is not tried again, neither as it is nor under another time or name', async () => {
    const repository = temporaryRepository({ 'a.py': 'def a(): pass\n', 'always-e.py': 'def e(): pass\n' });
    const given = [{ path: 'always-e.py', reason: 'unreadable' }];
    const first = await scanWithWorker(repository, MISBEHAVING);
    expect(first.result.filesSkipped).toEqual(given);
    expect(codesOf(first)).toContain('parser-crashed');
    first.index.close();
    const touch = (seconds: number) => utimesSync(`${repository.path}/always-e.py`, seconds, seconds);
    for (const change of [() => {}, () => touch(1_000_000_000), () => touch(1_100_000_000)]) {
      change();
      // nothing is left to read: a worker that cannot start is never started
      const again = await scanWithWorker(repository, '/dev/null');
      expect(again.result.filesSkipped).toEqual(given);
      expect(codesOf(again)).toEqual([]);
      again.index.close();
    }
    renameSync(`${repository.path}/always-e.py`, `${repository.path}/b.py`);
    const renamed = await scanWithWorker(repository, '/dev/null');
    expect(renamed.result.filesSkipped).toEqual([{ path: 'b.py', reason: 'unreadable' }]);
    renamed.index.close();
  });

  it('TSX that the compiler never finishes delays the first scan by its time limit, and no later command', async () => {
    // each line makes the compiler go back and forth for 20 ms, and nothing inside it looks at a clock
    const endless = `${'<<A '.repeat(100)}\n`.repeat(1_000);
    const repository = temporaryRepository({ 'good.ts': 'export const good = 1;\n', 'endless.tsx': endless });
    const scan = async () => {
      const done = await scanWithWorker(repository, builtProgram('scan-worker.js'));
      const symbols = answersOf(done).files.map((file) => [file.path, file.skip, file.symbols.length]);
      return { codes: codesOf(done), symbols };
    };
    expect(await scan()).toEqual({
      codes: ['parser-crashed'],
      symbols: [
        ['endless.tsx', null, 0],
        ['good.ts', null, 1],
      ],
    });
    const quietly = async (change: () => void) => {
      change();
      expect((await scan()).codes).toEqual([]);
    };
    await quietly(() => utimesSync(`${repository.path}/endless.tsx`, 1_000_000_000, 1_000_000_000));
    await quietly(() => repository.write('copy.tsx', endless));
    await quietly(() => renameSync(`${repository.path}/endless.tsx`, `${repository.path}/moved.tsx`));
    // more small segments than are kept: what is in them is read again
    for (let edit = 0; edit < 10; edit++)
      await quietly(() => repository.write(`edit${edit}.ts`, `export const edit${edit} = 1;\n`));
  });

  it('a worker module that cannot start is an error with a next step', async () => {
    const repository = temporaryRepository({ 'a.py': 'def a(): pass\n' });
    await expect(scanWithWorker(repository, '/dev/null')).rejects.toMatchObject({
      code: 'scan-failed',
      hint: expect.any(String),
    });
  });

  it.skipIf(process.platform !== 'linux')('random kills of workers lose no file and no symbol', async () => {
    const repository = temporaryRepository(manyFiles(600));
    const wanted = 3 * SCALE;
    let kills = 0;
    for (let round = 0; kills < wanted; round++) {
      const place = { path: repository.path, cache: `${repository.home}/cache${round}` };
      const stop = killAtRandom(8, () => kills++);
      const scan = await scanWithWorker(place, builtProgram('scan-worker.js')).finally(stop);
      expect(scan.result).toMatchObject({ filesScanned: 600, symbolsIndexed: 600, filesSkipped: [] });
      expect(codesOf(scan)).toEqual([]);
    }
  });

  it.each(['typescript', 'python', 'c', 'swift', 'json', 'yaml'] as const)(
    'broken and deeply nested %s files are read within the limits',
    async (language) => {
      const files = mutantsOf(language, SCALE === 1 ? 1 : 4 * SCALE);
      const repository = temporaryRepository(files);
      const started = performance.now();
      const scan = await scanInProcess(repository, 'incremental', { parseWorkers: 2, parseTimeout: 1000 });
      expect(scan.result.filesScanned).toBe(Object.keys(files).length);
      expect(scan.result.filesSkipped).toEqual([]);
      expect(performance.now() - started).toBeLessThan(40_000 * SCALE);
      const culprits = scan.result.diagnostics.filter(({ code }) => code === 'parser-crashed');
      expect(culprits.map(({ path }) => path)).toEqual([]);
      answersOf(scan);
    },
  );
});
