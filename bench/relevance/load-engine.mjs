import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The sources as they are now; parsing is done by the worker that was built last (`npm run build`). */
export async function loadEngine() {
  const folder = `${here}../.work`;
  const file = `${folder}/relevance-engine-${process.pid}.mjs`;
  mkdirSync(folder, { recursive: true });
  const formats = JSON.parse(readFileSync(`${here}../../dist/formats.json`, 'utf8'));
  await build({
    entryPoints: [`${here}engine.ts`],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    define: {
      __LOADOUT_SEGMENT_FORMAT__: String(formats.segments),
      __LOADOUT_RULES__: JSON.stringify(formats.rules),
    },
    logLevel: 'warning',
  });
  return { engine: await import(pathToFileURL(file)), file };
}
