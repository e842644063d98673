import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openAppendFile } from '../../platform/fs/append-file.ts';
import { openFileStore } from './file-store.ts';
import { openMemoryStore } from './indexed-store.ts';
import { openLogStore } from './log-store.ts';
import { describeToolResultStore } from './tool-result-store.contract.ts';

const folders: string[] = [];
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'loadout-session-')));
  return folders.at(-1)!;
};
const clear = () => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
};
afterEach(clear);

describe.skipIf(process.platform === 'win32')('a FIFO among the files of a store', () => {
  it('is not a result, and blocks no reader', async () => {
    const path = folder();
    execFileSync('mkfifo', [join(path, `tr_${'0'.repeat(32)}.result`), join(path, 'tr_x.result')]);
    const store = openFileStore(path);
    expect(await store.list()).toEqual([]);
    expect(await store.get(`tr_${'0'.repeat(32)}`)).toBeNull();
    await store.close();
  });

  it('cannot be the file of a log', () => {
    const path = join(folder(), 'session.log');
    execFileSync('mkfifo', [path]);
    expect(() => openLogStore(path)).toThrow('is not a regular file');
  });
});

describeToolResultStore('memory', () => ({ open: openMemoryStore, isDurable: false, clear }));
describeToolResultStore('file', () => {
  const path = folder();
  return { open: (options) => openFileStore(path, options), isDurable: true, clear };
});
describeToolResultStore('log', () => {
  const path = join(folder(), 'session.log');
  return { open: (options) => openLogStore(path, options), isDurable: true, clear };
});

const contents = ['first result', 'second result, a bit longer', 'third'];

describe('the log store after a crash', () => {
  const filled = async () => {
    const path = join(folder(), 'session.log');
    const store = openLogStore(openAppendFile(path));
    const sizes: number[] = [];
    for (const content of contents) {
      await store.put({ tool: 't', content });
      sizes.push(statSync(path).size);
    }
    await store.close();
    return { path, sizes };
  };
  const list = async (path: string) => {
    const store = openLogStore(openAppendFile(path));
    const found = await Promise.all((await store.list()).map(async ({ id }) => (await store.get(id))?.bytes));
    await store.close();
    return found.map((bytes) => (bytes === undefined ? null : Buffer.from(bytes).toString())).reverse();
  };

  it('has every finished result, wherever the file ends', async () => {
    const { path, sizes } = await filled();
    const whole = readFileSync(path);
    for (let size = whole.length; size >= 0; size -= 3) {
      writeFileSync(path, whole.subarray(0, size));
      const expected = contents.slice(0, sizes.filter((end) => end <= size).length);
      expect(await list(path), `cut at ${size}`).toEqual(expected);
    }
  });

  it('goes on writing behind what it cut off', async () => {
    const { path } = await filled();
    truncateSync(path, statSync(path).size - 2);
    const store = openLogStore(openAppendFile(path));
    await store.put({ tool: 't', content: 'fourth' });
    await store.close();
    expect(await list(path)).toEqual([...contents.slice(0, 2), 'fourth']);
  });

  it('loses only the result that is damaged', async () => {
    const { path, sizes } = await filled();
    const bytes = readFileSync(path);
    bytes.fill(0xff, sizes[0]! + 2, sizes[0]! + 12);
    writeFileSync(path, bytes);
    expect(await list(path)).toEqual([contents[0], contents[2]]);
    const body = readFileSync(path);
    body[sizes[0]! - 1] = body[sizes[0]! - 1]! ^ 1;
    writeFileSync(path, body);
    expect(await list(path)).toEqual([null, contents[2]]);
    const store = openLogStore(openAppendFile(path));
    await store.put({ tool: 't', content: contents[0]! });
    await store.close();
    expect(await list(path)).toEqual([contents[2], contents[0]]);
  });

  it('opens a file of something else without a result', async () => {
    const path = join(folder(), 'session.log');
    appendFileSync(path, 'not a log at all');
    expect(await list(path)).toEqual([]);
  });

  it('has the result or an error when the disk refuses, and goes on', async () => {
    const path = join(folder(), 'session.log');
    const file = openAppendFile(path);
    let fails = false;
    const store = openLogStore({
      get size() {
        return file.size;
      },
      append(bytes) {
        if (!fails) return file.append(bytes);
        file.append(bytes.subarray(0, bytes.length / 2));
        throw new Error('disk full');
      },
      read: (offset, length) => file.read(offset, length),
      truncate: (size) => file.truncate(size),
      replace: (chunks) => file.replace(chunks),
      close: () => file.close(),
    });
    await store.put({ tool: 't', content: 'one' });
    fails = true;
    await expect(store.put({ tool: 't', content: 'two' })).rejects.toThrow('disk full');
    fails = false;
    await store.put({ tool: 't', content: 'three' });
    expect((await store.list()).length).toBe(2);
    await store.close();
    expect(await list(path)).toEqual(['one', 'three']);
  });

  it('frees the space of removed results', async () => {
    const path = join(folder(), 'session.log');
    const store = openLogStore(openAppendFile(path), { maxResults: 3, maxDeadBytes: 10_000 });
    for (let at = 0; at < 40; at++) await store.put({ tool: 't', content: `${at} ${'x'.repeat(1_000)}` });
    expect(statSync(path).size).toBeLessThan(20_000);
    await store.close();
    expect((await list(path)).map((one) => one?.split(' ')[0])).toEqual(['37', '38', '39']);
  });
});

describe('the file store after a crash', () => {
  it('has no partial result: a file that was cut or changed is skipped', async () => {
    const path = folder();
    const store = openFileStore(path);
    const kept = await store.put({ tool: 't', content: 'whole' });
    const cut = await store.put({ tool: 't', content: 'cut off' });
    const changed = await store.put({ tool: 't', content: 'changed' });
    truncateSync(join(path, `${cut.id}.result`), 100);
    const file = join(path, `${changed.id}.result`);
    writeFileSync(
      file,
      readFileSync(file)
        .toString('latin1')
        .replace(/changed$/, 'CHANGED'),
      'latin1',
    );
    const next = openFileStore(path);
    expect((await next.list()).map(({ id }) => id)).toEqual([changed.id, kept.id]);
    expect(await next.get(changed.id)).toBeNull();
    await next.put({ tool: 't', content: 'changed' });
    expect(Buffer.from((await next.get(changed.id))!.bytes).toString()).toBe('changed');
    expect(readdirSync(path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
