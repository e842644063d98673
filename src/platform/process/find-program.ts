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
  const fileNames = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of trustedPathEntries(env, exceptInside))
    for (const fileName of fileNames) {
      const candidate = join(folder, fileName);
      try {
        accessSync(candidate, constants.X_OK);
        const isOutside = [candidate, ...startOf(candidate, [])].every(
          (path) => !isInsideRoot(exceptInside, withSlashes(realpathSync.native(path))),
        );
        if (isOutside && statSync(candidate).isFile()) return candidate;
      } catch {
        // Not in this folder.
      }
    }
  return null;
}

/** The program and its arguments as the system can start them. Throws for a script of Windows that npm did not write. */
export function startOf(command: string, args: readonly string[]): [string, ...string[]] {
  if (process.platform !== 'win32' || !/\.cmd$/i.test(command)) return [command, ...args];
  const target = shimTarget(readRegularFile(command, MAX_SHIM_BYTES).toString(), win32.dirname(command));
  if (target === null) throw new Error(`${command} is a script of the shell, and no shell is started`);
  return /\.exe$/i.test(target) ? [target, ...args] : [process.execPath, target, ...args];
}

const MAX_SHIM_BYTES = 10_000;

/**
 * What a script that npm writes for a program on Windows starts: a file for node, or a program. Node refuses to start
 * such a script without a shell, and a shell would read the arguments. Null for any other script.
 */
export function shimTarget(script: string, folder: string): string | null {
  const [, path] = /"%(?:~dp0|dp0%)\\([^"%\r\n]+)"[ \t]+%\*/i.exec(script) ?? [];
  if (path === undefined) return null;
  const isForNode = /\bnode(?:\.exe)?"/i.test(script);
  return isForNode || /\.exe$/i.test(path) ? win32.join(folder, path) : null;
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
