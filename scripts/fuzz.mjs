// The fuzz suite in its long form; `npm run fuzz -- --help` lists its options.
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}.cache/fuzz/command-line-${process.pid}.mjs`;
mkdirSync(`${root}.cache/fuzz`, { recursive: true });
await build({
  entryPoints: [`${root}test/fuzz/command-line.ts`],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
const { fuzz } = await import(pathToFileURL(file).href);
rmSync(file);
process.exitCode = await fuzz(root, process.argv.slice(2));
