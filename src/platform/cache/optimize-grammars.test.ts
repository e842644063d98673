import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** `f(n)` counts to n. */
const MODULE = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0],
  ...[
    0x0a, 0x17, 1, 0x15, 1, 1, 0x7f, 3, 0x40, 0x20, 1, 0x41, 1, 0x6a, 0x22, 1, 0x20, 0, 0x48, 0x0d, 0, 0x0b,
  ],
  ...[0x20, 1, 0x0b],
];

const SCRIPT = `
import { optimizeNewGrammars } from './grammar-files.ts';
optimizeNewGrammars(WANTED);
const { f } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${MODULE}]))).exports;
if (f(3) !== 3) throw new Error('counts wrongly');
optimizeNewGrammars(true);
for (let run = 0; run < 20; run++) f(2_000_000);
`;

function compilersOf(wanted: boolean): string[] {
  const { outputFiles } = buildSync({
    stdin: {
      contents: SCRIPT.replace('WANTED', String(wanted)),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const flags = ['--trace-wasm-compilation-times', '--input-type=module'];
  const said = execFileSync(process.execPath, [...flags, '-e', outputFiles[0]!.text], { encoding: 'utf8' });
  return [...said.matchAll(/Compiled function .* using (\w+)/g)].map(([, compiler]) => compiler!);
}

const major = Number(process.versions.node.split('.')[0]);

// later versions are told to optimize no grammar at all
describe.runIf(major < 24)('optimizeNewGrammars', () => {
  it('does not optimize functions that are first called while optimization is off', () => {
    expect(compilersOf(false)).toEqual(['Liftoff']);
  });

  it('lets the others be optimized', () => {
    expect(compilersOf(true)).toContain('TurboFan');
  });
});
