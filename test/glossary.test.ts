import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RETIRED, retiredNames } from '../scripts/retired-words.mjs';

const root = new URL('../', import.meta.url);
const glossary = readFileSync(new URL('docs/glossary.md', root), 'utf8');
const words = [...glossary.matchAll(/^\| \*\*(.+?)\*\*/gm)].map((row) => row[1]!);
const found = (text: string, path = 'src/a.ts') => retiredNames(new Map([[path, text]]));

describe('the glossary', () => {
  it('has each word once, in the order of the alphabet', () => {
    expect(words.length).toBeGreaterThan(30);
    expect(new Set(words).size).toBe(words.length);
    expect(words).toEqual([...words].sort((a, b) => a.localeCompare(b, 'en')));
  });
});

describe('retired words', () => {
  it.each([
    ['const hookDesk = 1;', 'hookDesk', 'context'],
    ['type RunWorld = {};', 'RunWorld', 'environment'],
    ['const MOST_FILES = 3;', 'MOST_FILES', 'MAX'],
    ['function settleTree() {}', 'settleTree', 'the verb for what it does: validate, finish, resolve, flush'],
  ])('are found in a name: %s', (text, name, use) => {
    expect(found(text)).toEqual([`src/a.ts:1: ${name}: use ${use}`]);
  });

  it('are found in the name of a file', () => {
    expect(found('', 'src/vector-shelf.ts')).toHaveLength(1);
  });

  it('may be part of another word, of a text or of a name that others chose', () => {
    expect(found("const desktop = 'a desk'; const almost = openWorldHint; // a door")).toEqual([]);
  });

  it('say which word to use instead', () => {
    for (const { use } of RETIRED) expect(use).toMatch(/^\w/);
  });
});
