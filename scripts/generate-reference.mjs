// Writes docs/reference/ and schema/ from the declarations of settings, files, commands and output.
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
    entryPoints: [join(root, 'src/surfaces/cli/reference-pages.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages are beside the project and not beside the bundle; heavy ones are loaded on demand, never here.
    external: ['@parcel/watcher', 'typescript'],
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  const { referencePages, schemaFiles } = await import(pathToFileURL(bundle).href);
  for (const [name, text] of Object.entries(await schemaFiles())) {
    writeFileSync(join(root, 'schema', name), text);
    console.log(`schema/${name}`);
  }
  const target = join(root, 'docs/reference');
  mkdirSync(target, { recursive: true });
  for (const [name, text] of Object.entries(await referencePages())) {
    writeFileSync(join(target, name), text);
    console.log(`docs/reference/${name}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
