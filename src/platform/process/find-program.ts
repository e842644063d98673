// Programs on the PATH: where they are, and which version npm installed.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import { parseJson } from '../../model/read-json.ts';
import type { Environment } from '../environment.ts';
import { isInsideRoot, withSlashes } from '../fs/path-codec.ts';
import { readRegularFile } from '../fs/read-file.ts';

/**
 * The absolute path of a program on the PATH. Entries that are relative or lie inside `exceptInside` do not count:
 * `.` or `node_modules/.bin` would let a repository bring its own program.
 */
export function findProgram(name: string, env: Environment, exceptInside: string): string | null {
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of trustedPathEntries(env, exceptInside)) {
    const candidate = join(folder, fileName);
    try {
      accessSync(candidate, constants.X_OK);
      const insideRepository = isInsideRoot(exceptInside, withSlashes(realpathSync.native(candidate)));
      if (!insideRepository && statSync(candidate).isFile()) return candidate;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** The folders of the PATH that a repository cannot fill. */
export function trustedPathEntries(
  env: Environment,
  exceptInside: string,
  system: NodeJS.Platform = process.platform,
): string[] {
  const { delimiter, isAbsolute } = system === 'win32' ? win32 : posix;
  // entries are as the user wrote them: where the file system folds case, `C:\Repo` is `c:/repo`
  const spelled = (path: string): string => {
    const slashed = system === 'win32' ? path.replaceAll('\\', '/') : path;
    return system === 'win32' || system === 'darwin' ? slashed.toLowerCase() : slashed;
  };
  const path = env.PATH ?? env.Path ?? '';
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInsideRoot(spelled(exceptInside), spelled(entry)));
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
    // then the caller asks the program itself
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
