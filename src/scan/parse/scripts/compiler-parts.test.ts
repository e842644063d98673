import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';
import { describe, expect, it } from 'vitest';
import { COMPILER_PARTS, type Ts } from './compiler-parts.ts';
import { ScriptCollector } from './script-collector.ts';
import { ScriptFindings } from './typescript-engine.ts';

const built = fileURLToPath(new URL('../../../../dist/vendor/typescript.cjs', import.meta.url));
const whole = typescript as unknown as Ts;
const part = existsSync(built) ? (createRequire(import.meta.url)(built) as Ts) : null;

const JSX = 2;
const TSX = 4;

const SNIPPETS: readonly (readonly [text: string, kind: number])[] = [
  [`import d, { e as f, type G, "odd name" as h } from 'z';\nexport * as ns from './y';`, TSX],
  ['export default class extends Base<T> { @a() #x = 1; static { init(); } accessor y = 2 }', TSX],
  ['const List = () => <ul>{items.map((one) => <li key={one}>{one}</li>)}</ul>;', JSX],
  ['declare module "x" { export = y; }\nnamespace A.B { export enum C { D = 1 << 2 } }', TSX],
  ["const a = require('a').b; import('c').then(({ d }) => d);", JSX],
  ["describe('a', () => { it.each([1])('b %s', (n) => { function inner() {} }); });", TSX],
  ['class { broken (', TSX],
  ['/** @type {import("x").Y} */ let z = `a`; label: for (;;) break label;', JSX],
  ['#!/usr/bin/env node\n"use strict"\nvar \\u0061b = 1, 变量 = 2; await using r = open();', JSX],
];

function findings(ts: Ts, text: string, kind: number) {
  const options = { languageVersion: 99, jsDocParsingMode: 1 };
  const file = ts.createSourceFile('file', text, options, false, kind);
  const found = new ScriptFindings(ts, file, text);
  new ScriptCollector(found).statements(file.statements, false);
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: readonly { code: number }[] };
  return [found.definitions, found.imports, parseDiagnostics.map(({ code }) => code)];
}

function ownSources(): string[] {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'));
}

describe('the part of the compiler that is built into the package', () => {
  it('has every part that is used', () => {
    expect(part).not.toBeNull();
    for (const name of [...COMPILER_PARTS, 'getTokenPosOfNode']) expect(part).toHaveProperty(name);
  });

  it('reads scripts as the whole does, errors included', () => {
    const texts = [...SNIPPETS, ...ownSources().map((text) => [text, TSX] as const)];
    for (const [text, kind] of texts)
      expect(findings(part!, text, kind)).toEqual(findings(whole, text, kind));
  });
});
