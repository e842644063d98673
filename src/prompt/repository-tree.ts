import { fenced } from '../render/fence.ts';
import { renderTree } from '../render/render-tree.ts';

const MOST_LINES = 150;
const DEEPEST = 4;

/** The folders of the repository, as deep as fits on a page; empty when even the top is too long. */
export function repositoryTree(paths: readonly string[]): string {
  for (let depth = DEEPEST; depth >= 1; depth -= 1) {
    const entries = new Set<string>();
    for (const path of paths) {
      entries.add(upTo(path, depth));
      if (entries.size > MOST_LINES) break;
    }
    if (entries.size === 0) return '';
    if (entries.size > MOST_LINES) continue;
    const tree = renderTree([...entries].map((path) => ({ path, tokens: null })));
    return `## Repository Tree\n\n${fenced(tree.trimEnd(), '')}`;
  }
  return '';
}

/** `src/parse/…` for everything below the depth. */
function upTo(path: string, depth: number): string {
  const names = path.split('/');
  return names.length <= depth ? path : `${names.slice(0, depth).join('/')}/…`;
}
