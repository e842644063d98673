import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileSink } from './pack-all.ts';

const temporary = () => mkdtempSync(join(tmpdir(), 'loadout-test-'));

it('has the file only once all is written, as text or as bytes', async () => {
  const folder = temporary();
  const sink = fileSink(join(folder, 'pack.md'));
  await sink.write('é ');
  await sink.write(Buffer.from('ü'));
  expect(readdirSync(folder)).not.toContain('pack.md');
  sink.finish();
  expect(readdirSync(folder)).toEqual(['pack.md']);
  expect(readFileSync(join(folder, 'pack.md'), 'utf8')).toBe('é ü');
});

it('leaves nothing behind when it is abandoned, or when the process is made to stop', () => {
  const folder = temporary();
  const before = process.listeners('exit');
  const [one, other] = [fileSink(join(folder, 'one.md')), fileSink(join(folder, 'other.md'))];
  one.abandon();
  const mine = process.listeners('exit').filter((listener) => !before.includes(listener));
  for (const listener of mine) listener.call(process, 130);
  expect(readdirSync(folder)).toEqual([]);
  other.abandon();
  expect(process.listeners('exit')).toEqual(before);
});

it('says why a file cannot be written, and how to fix it', () => {
  const path = join(temporary(), 'nowhere', 'pack.md');
  expect(() => fileSink(path)).toThrow(
    expect.objectContaining({ code: 'cannot-write', hint: 'create the folder first' }),
  );
});
