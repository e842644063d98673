import { shownName } from '../../redact/outgoing-text.ts';
import { renderTree } from '../render/render-tree.ts';

const MOST_LINES = 150;
const DEEPEST = 4;
const ELLIPSIS = '/…';

/** The folders of the repository, as deep as fits on a page; empty when even the top is too long. */
export function repositoryTree(paths: readonly string[]): string {
  for (let depth = DEEPEST; depth >= 1; depth -= 1) {
    const entries = new Set<string>();
    let folder = '/';
    for (const path of paths) {
      // neighbours in the list mostly lie in one folder
      if (path.startsWith(folder)) continue;
      const entry = upTo(path, depth);
      entries.add(entry);
      folder = entry.endsWith(ELLIPSIS) ? entry.slice(0, -1) : '/';
      if (entries.size > MOST_LINES) break;
    }
    if (entries.size === 0) return '';
    if (entries.size > MOST_LINES) continue;
    const tree = renderTree([...entries].map((path) => ({ path: shownName(path), tokens: null })));
    return tree.trimEnd();
  }
  return '';
}

/** `src/parse/…` for everything below the depth. */
function upTo(path: string, depth: number): string {
  let end = -1;
  for (let at = 0; at < depth; at += 1) {
    end = path.indexOf('/', end + 1);
    if (end < 0) return path;
  }
  return path.slice(0, end) + ELLIPSIS;
}
