import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The sources as they are now; parsing is done by the worker that was built last (`npm run build`). */
export async function loadEngine() {
  const folder = `${here}../.work`;
  const file = `${folder}/relevance-engine-${process.pid}.mjs`;
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [`${here}engine.ts`],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return { engine: await import(pathToFileURL(file)), file };
}
