import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { keepCompiledCode, loadScript, useCodeFolder } from './load-script.ts';

it('keeps compiled code, and takes none that is damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'script.cjs');
  writeFileSync(file, 'exports.sum = (a, b) => a + b; exports.sep = require("node:path").sep;');
  const load = () => loadScript(pathToFileURL(file), 'script') as { sum(a: number, b: number): number };
  const code = join(folder, 'code');
  useCodeFolder(code);
  expect(load().sum(1, 2)).toBe(3);
  keepCompiledCode(Date.now());
  const [name] = readdirSync(code);
  const kept = readFileSync(join(code, name!));
  expect(load().sum(2, 2)).toBe(4);
  // taken, so that there is nothing to keep
  rmSync(join(code, name!));
  keepCompiledCode(Date.now());
  expect(readdirSync(code)).toEqual([]);
  const damaged = Buffer.from(kept);
  damaged[kept.length - 9]! ^= 4;
  for (const bytes of [damaged, kept.subarray(0, 40), Buffer.alloc(0)]) {
    writeFileSync(join(code, name!), bytes);
    expect(load().sum(3, 2)).toBe(5);
    keepCompiledCode(Date.now());
    expect(readFileSync(join(code, name!)).length).toBeGreaterThan(100);
  }
});

it('removes code that was not used for a month, and unfinished drafts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'script.cjs');
  writeFileSync(file, 'exports.one = 1;');
  const code = join(folder, 'code');
  mkdirSync(code);
  const written = { 'old.code': 40 * 24 * 3600, 'new.code': 60, 'old.tmp': 3600, 'new.tmp': 5 };
  for (const [name, age] of Object.entries(written)) {
    writeFileSync(join(code, name), 'x');
    utimesSync(join(code, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  useCodeFolder(code);
  loadScript(pathToFileURL(file), 'fresh');
  keepCompiledCode(Date.now());
  const left = readdirSync(code).filter((name) => !name.startsWith('fresh'));
  expect(left.sort()).toEqual(['new.code', 'new.tmp']);
});

it('imports modules through the given function, also from compiled code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'script.cjs');
  writeFileSync(file, 'exports.load = async () => (await __import("node:path")).sep;');
  useCodeFolder(join(folder, 'code'));
  for (let run = 0; run < 2; run++) {
    const script = loadScript(pathToFileURL(file), 'importing', (name) => import(name));
    expect(await (script as { load(): Promise<string> }).load()).toBe('/');
    keepCompiledCode(Date.now());
  }
});
