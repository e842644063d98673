import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseJson } from '../../model/read-json.ts';
import { errorCode } from '../error-code.ts';
import { readRegularFile } from '../fs/read-file.ts';

/** A package that the user may have installed beside ours; null when it is not there. */
export async function loadOptionalPackage(name: string): Promise<unknown> {
  try {
    // not a literal, so that no bundler wants it
    return await import(`${name}`);
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return null;
    // what bundlers put in the place of an optional package that is not there
    if (error instanceof Error && /^Could not resolve "/.test(error.message)) return null;
    throw error;
  }
}

const MAX_MANIFEST_BYTES = 1_000_000;
/** From the program up to the folder of its package. */
const MAX_FOLDERS = 4;

/** The version of the npm package that installed a program; null for programs from elsewhere. */
export function packageVersion(program: string): string | null {
  try {
    const file = realpathSync(program);
    let folder = dirname(file);
    for (let up = 0; up < MAX_FOLDERS; up += 1) {
      const { bin, version } = readManifest(join(folder, 'package.json'));
      const programs = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
      if (programs.some((one) => resolve(folder, one) === file)) return version ?? null;
      folder = dirname(folder);
    }
  } catch {
    // then the program is asked
  }
  return null;
}

function readManifest(path: string): { bin?: string | Record<string, string>; version?: string } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return {};
  return parseJson(readRegularFile(path, MAX_MANIFEST_BYTES).toString(), path) as ReturnType<
    typeof readManifest
  >;
}
