import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from './file-store.ts';
import { openLogStore } from './log-store.ts';

const LONG = 'x'.repeat(20_000);
let folder: string;
let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-shared-'));
  const bundle = join(folder, 'session.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../index.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
    logLevel: 'warning',
  });
  program = join(folder, 'writer.mjs');
  // puts results until it is ended, and says which of them are kept
  writeFileSync(
    program,
    `import { openFileStore, openLogStore } from ${JSON.stringify(pathToFileURL(bundle).href)};
const [kind, path, name] = process.argv.slice(2);
let store;
try {
  store = kind === 'log' ? openLogStore(path) : openFileStore(path);
} catch (error) {
  process.stdout.write('refused ' + error.code + '\\n', () => process.exit());
}
for (let at = 0; store && at < 100_000; at++) {
  const { id } = await store.put({ tool: 'tool', content: name + ' ' + at + ' ${LONG}' });
  process.stdout.write('kept ' + id + ' ' + at + '\\n');
  await new Promise(setImmediate);
}
`,
  );
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Writer {
  readonly kept: Map<string, number>;
  /** Resolves when the process has said so many lines, or has ended. */
  until(lines: number): Promise<readonly string[]>;
  kill(): Promise<void>;
}

function startWriter(kind: 'log' | 'file', path: string, name: string): Writer {
  const child = spawn(process.execPath, [program, kind, path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const kept = new Map<string, number>();
  const lines: string[] = [];
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let check = () => {};
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    const [, id, at] = /^kept (\S+) (\d+)$/.exec(line) ?? [];
    if (id !== undefined) kept.set(id, Number(at));
    check();
  });
  return {
    kept,
    async until(count) {
      const enough = new Promise<void>((resolve) => {
        check = () => (lines.length >= count ? resolve() : undefined);
        check();
      });
      await Promise.race([enough, ended]);
      return lines;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the log store', () => {
  it('has one writer at a time, also within a process', async () => {
    const path = join(folder, 'one.log');
    const store = openLogStore(path);
    expect(() => openLogStore(path)).toThrow(
      expect.objectContaining({ code: 'store-in-use', message: expect.stringContaining(path) }),
    );
    await store.put({ tool: 't', content: 'kept' });
    await store.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
    const next = openLogStore(path);
    expect(await next.list()).toHaveLength(1);
    await next.close();
  });

  it('refuses a second process, and loses nothing when the first is killed', async () => {
    const path = join(folder, 'two.log');
    const first = startWriter('log', path, 'first');
    await first.until(5);
    expect(await startWriter('log', path, 'second').until(1)).toEqual(['refused store-in-use']);
    expect(() => openLogStore(path)).toThrow(expect.objectContaining({ code: 'store-in-use' }));
    await first.until(20);
    await first.kill();
    const store = openLogStore(path);
    for (const [id, at] of first.kept) {
      expect(Buffer.from((await store.get(id))!.bytes).toString()).toBe(`first ${at} ${LONG}`);
    }
    await store.put({ tool: 't', content: 'goes on' });
    await store.close();
  });
});

describe('the file store', () => {
  it('may be shared: each finds by id what the others keep, whole', async () => {
    const path = join(folder, 'shared');
    const mine = openFileStore(path);
    const writers = ['first', 'second'].map((name) => ({ name, writer: startWriter('file', path, name) }));
    await Promise.all(writers.map(({ writer }) => writer.until(15)));
    await Promise.all(writers.map(({ writer }) => writer.kill()));
    for (const { name, writer } of writers) {
      expect(writer.kept.size).toBeGreaterThanOrEqual(15);
      for (const [id, at] of writer.kept) {
        expect((await mine.handle(id))?.id).toBe(id);
        expect(Buffer.from((await mine.get(id))!.bytes).toString()).toBe(`${name} ${at} ${LONG}`);
      }
    }
    const [removed] = writers[0]!.writer.kept.keys();
    await mine.remove(removed!);
    expect(await mine.get(removed!)).toBeNull();
    expect(await mine.handle('../shared')).toBeNull();
    const next = openFileStore(path);
    const known = new Set((await next.list()).map(({ id }) => id));
    for (const { writer } of writers) {
      for (const id of writer.kept.keys()) expect(known.has(id)).toBe(id !== removed);
    }
  });
});
