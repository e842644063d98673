import { join } from 'node:path';
import { build } from 'esbuild';

/** The given script, which may import from `src/platform`, as one file that a plain node can run. */
export async function bundleScript(script: string, outputFile: string): Promise<string> {
  await build({
    stdin: { contents: script, resolveDir: join(import.meta.dirname, '../../../src/platform'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: outputFile,
    logLevel: 'silent',
  });
  return outputFile;
}
