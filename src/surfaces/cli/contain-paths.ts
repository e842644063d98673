import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { isInsideRoot, withSlashes } from '../../platform/fs/path-codec.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';

/**
 * Where a file that the user asked for is written. A repository may hold a link that leads anywhere: a path through one
 * of its folders that is a link is refused, while links outside of it are the user's own.
 */
export function outputPath(roots: readonly SafeRoot[], given: string, cwd: string): string {
  const path = resolve(cwd, given);
  let real = parse(path).root;
  for (const name of dirname(path).slice(real.length).split(sep)) {
    const folder = join(real, name);
    const leadsTo = linkTarget(folder);
    if (leadsTo !== null && roots.some((root) => isInsideRoot(root.path, withSlashes(real))))
      throw new LoadoutError('path-outside-root', `cannot write ${given}: the folder ${folder} is a link`, {
        subject: given,
        hint: 'name a file outside the repository, or in a folder that is not a link',
      });
    real = leadsTo ?? folder;
  }
  return path;
}

/** Null for anything but a link; what cannot be looked at is an error of whoever writes there. */
function linkTarget(folder: string): string | null {
  try {
    return lstatSync(folder).isSymbolicLink() ? realpathSync(folder) : null;
  } catch {
    return null;
  }
}

/**
 * Paths of the repository as somebody wrote them: seen from the current directory, or from the root when the current
 * directory is elsewhere, as with `--repo ../other --target src/main.ts`.
 */
export function containPaths(root: SafeRoot, paths: readonly string[], cwd: string): string[] {
  const from = isInsideRoot(root.path, withSlashes(cwd)) ? cwd : root.path;
  return paths.map((path) => root.contain(path, from));
}
