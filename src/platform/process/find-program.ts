import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../environment.ts';
import { isInsideRoot, withSlashes } from '../fs/path-codec.ts';

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
export function trustedPathEntries(env: Environment, exceptInside: string): string[] {
  const path = env.PATH ?? env.Path ?? '';
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInsideRoot(exceptInside, withSlashes(entry)));
}
