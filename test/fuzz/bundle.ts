import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Modules look for files next to themselves, so each gets the path that it had before it was bundled. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8');
      if (!contents.includes('import.meta.url')) return undefined;
      const place = JSON.stringify(pathToFileURL(path).href);
      return { contents: contents.replaceAll('import.meta.url', place), loader: 'ts' };
    });
  },
};

export interface BundledProgram {
  readonly path: string;
  remove(): void;
}

/** A program of `test/fuzz` as one file that a plain node runs; inside the project, where packages are found. */
export async function bundleProgram(root: string, entry: string): Promise<BundledProgram> {
  const folder = join(root, '.cache/fuzz');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${entry}-${process.pid}-${Date.now()}.mjs`);
  await build({
    entryPoints: [join(root, 'test/fuzz', `${entry}.ts`)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    plugins: [keepPlaces],
    // names of functions and classes stay readable in the trace of a fault
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return { path, remove: () => rmSync(path, { force: true }) };
}
