import { isInsideRoot } from '../../platform/inside-root.ts';
import { withSlashes } from '../../platform/path-codec.ts';
import type { SafeRoot } from '../../platform/safe-root.ts';

/**
 * Paths of the repository as somebody wrote them: seen from the current directory, or from the root when the current
 * directory is elsewhere, as with `--repo ../other --target src/main.ts`.
 */
export function containPaths(root: SafeRoot, paths: readonly string[], cwd: string): string[] {
  const from = isInsideRoot(root.path, withSlashes(cwd)) ? cwd : root.path;
  return paths.map((path) => root.contain(path, from));
}
