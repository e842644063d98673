import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const notices = read('dist/THIRD_PARTY_NOTICES.md');

function sectionOf(title: string): string {
  const start = notices.indexOf(`# ${title}`);
  if (start === -1) return '';
  const next = notices.slice(start + 1).search(/^# (?:grammar )?[@\w/.-]+(?: [\d.]+ \(.*\))?$/m);
  return next === -1 ? notices.slice(start) : notices.slice(start, start + 1 + next);
}

describe('the third-party notices of the package', () => {
  const grammars = readdirSync(`${root}dist/grammars`)
    .map((file) => file.replace(/\.wasm\.br$/, ''))
    .filter((name) => name !== 'web-tree-sitter');

  it.each(grammars)('hold the licence of the grammar %s, with its own authors', (name) => {
    const section = sectionOf(`grammar ${name}\n`);
    expect(section).toContain(read(`scripts/grammar-licenses/${name}.txt`).trim());
    expect(section).toMatch(/^Copyright \(c\) .*\w|Apache License/m);
    expect(section).toMatch(/Permission is hereby granted, free of charge|TERMS AND CONDITIONS FOR USE/);
  });

  it.each(JSON.parse(read('scripts/bundled.json')) as string[])('hold the licence of %s', (name) => {
    const section = sectionOf(`${name} `);
    expect(section).toMatch(
      /Permission is hereby granted|Apache License|Permission to use, copy, modify|Redistribution and use in source/,
    );
  });

  it('hold the notices that TypeScript passes on', () => {
    expect(notices).toContain(read('node_modules/typescript/ThirdPartyNoticeText.txt').trim());
  });
});

describe('the grammars of the package', () => {
  const pins = JSON.parse(read('scripts/grammars.json')) as Readonly<Record<string, string>>;

  it('are the ones that were pinned, byte for byte', () => {
    const shipped = readdirSync(`${root}dist/grammars`).map((file) => file.replace(/\.wasm\.br$/, ''));
    const hashes = shipped.map((name) => {
      const bytes = brotliDecompressSync(readFileSync(`${root}dist/grammars/${name}.wasm.br`));
      return [name, createHash('sha256').update(bytes).digest('hex')];
    });
    expect(Object.fromEntries(hashes)).toEqual(pins);
  });
});

describe('the template engine of the package', () => {
  it('is the one that was pinned, byte for byte', () => {
    const pins = JSON.parse(read('scripts/wasm.json')) as Readonly<Record<string, string>>;
    const bytes = brotliDecompressSync(readFileSync(`${root}dist/vendor/minijinja-js.wasm.br`));
    expect({ 'minijinja-js': createHash('sha256').update(bytes).digest('hex') }).toEqual(pins);
  });

  it('is in no program that starts often', () => {
    for (const file of ['hook.cjs', 'hook-work.cjs', 'cli.cjs', 'program.cjs', 'index.js'])
      expect(read(`dist/${file}`)).not.toContain('environment_addTemplate');
    expect(read('dist/vendor/minijinja-js.cjs')).toContain('environment_addTemplate');
  });
});
