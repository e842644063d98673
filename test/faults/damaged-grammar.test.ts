import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryRepository } from '../support/temporary-repository.ts';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'installation-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

for (const part of ['dist', 'bin', 'package.json', 'roles', 'schema'])
  cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
symlinkSync(join(PACKAGE, 'node_modules'), join(copy, 'node_modules'));

interface Run {
  readonly code: number;
  readonly output: { readonly [name: string]: unknown };
}

function loadout(home: string, ...args: string[]): Run {
  const env = { PATH: process.env.PATH, HOME: home, LOADOUT_CACHE_DIR: `${home}/cache` };
  const run = (status: number, stdout: string): Run => ({ code: status, output: JSON.parse(stdout) });
  try {
    return run(
      0,
      execFileSync(process.execPath, [join(copy, 'dist/cli.cjs'), ...args, '--json'], {
        env,
        encoding: 'utf8',
      }),
    );
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return run(status, stdout);
  }
}

/** A package and a function. */
const IN_GO = 2;

describe('a damaged grammar', { timeout: 120_000 }, () => {
  const grammar = join(copy, 'dist/grammars/python.wasm.br');
  const sound = readFileSync(grammar);
  it.each([
    ['is cut off', () => truncateSync(grammar, 1_000)],
    ['has other bytes', () => writeFileSync(grammar, Buffer.from(sound).fill(7, 2_000, 2_600))],
    ['is gone', () => rmSync(grammar)],
  ])('is reported by every scan and by doctor until it is repaired: it %s', (_, damage) => {
    const repository = temporaryRepository({
      'a.py': 'def found(): pass\n',
      'b.go': 'package b\nfunc F() {}\n',
    });
    const scan = () => loadout(repository.home, 'scan', '--repo', repository.path).output;
    damage();
    for (let time = 0; time < 2; time++) {
      const { symbolsIndexed, diagnostics } = scan();
      // those of the other language
      expect(symbolsIndexed).toBe(IN_GO);
      expect(diagnostics).toContainEqual(
        expect.objectContaining({ code: 'grammar-damaged', message: expect.stringContaining('Python') }),
      );
    }
    const doctor = loadout(repository.home, 'doctor', '--repo', repository.path);
    expect(doctor.code).toBe(1);
    expect(doctor.output.checks).toContainEqual(
      expect.objectContaining({
        name: 'grammars',
        state: 'broken',
        detail: expect.stringContaining('python'),
      }),
    );
    writeFileSync(grammar, sound);
    const { symbolsIndexed, diagnostics } = scan();
    expect(symbolsIndexed).toBe(IN_GO + 1);
    expect(diagnostics).toEqual([]);
  });
});
