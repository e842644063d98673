import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendText, openScratchFile } from './append-file.ts';

const temporary = () => mkdtempSync(join(tmpdir(), 'loadout-test-'));

it('reads back the added bytes, in any order, and leaves no file behind', () => {
  const folder = join(temporary(), 'scratch');
  const scratch = openScratchFile(folder)!;
  const places = ['one', '', 'three'].map((text) => scratch.add(Buffer.from(text))!);
  expect(places).toEqual([0, 3, 3]);
  expect(scratch.read(3, 5)!.toString()).toBe('three');
  expect(scratch.read(0, 3)!.toString()).toBe('one');
  expect(scratch.read(6, 5)).toBeNull();
  if (process.platform !== 'win32') expect(readdirSync(folder)).toEqual([]);
  scratch.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('is null when something else is in place of the folder', () => {
  const folder = temporary();
  writeFileSync(join(folder, 'file'), '');
  expect(openScratchFile(join(folder, 'file'))).toBeNull();
});

it('removes files that a crash left a day ago, and nothing else', () => {
  const folder = temporary();
  mkdirSync(folder, { recursive: true });
  const [old, fresh, other] = ['1-0123456789ab.scratch', '2-0123456789ab.scratch', 'mine.txt'];
  for (const name of [old, fresh, other]) writeFileSync(join(folder, name!), 'x');
  for (const name of [old, other]) utimesSync(join(folder, name!), 1, 1);
  openScratchFile(folder)!.close();
  expect(readdirSync(folder).sort()).toEqual([fresh, other]);
});

it('appends text to a file that its owner alone can read', () => {
  const path = join(temporary(), 'log');
  appendText(path, 'one\n');
  appendText(path, 'two\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

it.skipIf(process.platform === 'win32')('does not wait for the reader of a FIFO', () => {
  const path = join(temporary(), 'fifo');
  execFileSync('mkfifo', [path]);
  expect(() => appendText(path, 'x')).toThrow('ENXIO');
});
