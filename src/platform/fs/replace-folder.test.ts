import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { replaceFolder } from './make-folder.ts';

it('holds exactly the new files, and leaves nothing of earlier or interrupted replacements', () => {
  const home = mkdtempSync(join(tmpdir(), 'loadout-replace-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'context');
  mkdirSync(`${folder}.next-0badc0de`);
  writeFileSync(`${folder}.next-0badc0de/half.md`, 'ha');
  mkdirSync(join(home, 'context.keep'));
  replaceFolder(
    folder,
    new Map([
      ['a.md', 'one'],
      ['b.md', 'two'],
    ]),
  );
  expect(readdirSync(folder).sort()).toEqual(['a.md', 'b.md']);
  replaceFolder(folder, new Map([['c.md', 'three']]));
  expect(readdirSync(folder)).toEqual(['c.md']);
  expect(readFileSync(join(folder, 'c.md'), 'utf8')).toBe('three');
  expect(readdirSync(home).sort()).toEqual(['context', 'context.keep']);
});
