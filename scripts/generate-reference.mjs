// Writes docs/reference/ from the declarations of settings and commands.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'loadout-reference-'));
try {
  const bundle = join(folder, 'reference-pages.mjs');
  await build({
    entryPoints: [join(root, 'src/deliver/cli/reference-pages.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Loaded on demand by the code around the pages, never by the pages themselves.
    packages: 'external',
    logLevel: 'error',
  });
  const { referencePages } = await import(pathToFileURL(bundle).href);
  const target = join(root, 'docs/reference');
  mkdirSync(target, { recursive: true });
  for (const [name, text] of Object.entries(await referencePages())) {
    writeFileSync(join(target, name), text);
    console.log(`docs/reference/${name}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
