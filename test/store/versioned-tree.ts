import type { KnowledgeStore } from '../../src/model/knowledge-store.ts';
import { type Drafts, lexical, termsOf } from '../../src/stores/knowledge-store/stored-file.test-kit.ts';

export const FILES = 400;

/** Every file says which version of the tree it belongs to, so that a mix would show. */
export function treeOf(version: number): Drafts {
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => {
      const words = `everywhere version${version} file${at} ${'filler '.repeat(1 + (at % 40))}`;
      return [`src/folder${at % 10}/file${at}.ts`, { code: words, definition: `thing${at}` }];
    }),
  );
}

/** The versions that a reader sees; with all files of a version, or not at all. */
export async function versionsSeen(store: KnowledgeStore): Promise<readonly number[]> {
  const known = [...Array(30).keys(), 99];
  const queries = [
    lexical(termsOf('everywhere'), { filter: { branches: ['main'] }, limit: 2 * FILES }),
    ...known.map((version) =>
      lexical(termsOf(`version${version}`), { filter: { branches: ['main'] }, limit: 2 * FILES }),
    ),
  ];
  const [all, ...lists] = await store.search(queries);
  if (all!.length !== FILES) throw new Error(`a reader sees ${all!.length} files`);
  return known.flatMap((version, at) => {
    const count = lists[at]!.length;
    if (count !== 0 && count !== FILES) throw new Error(`a reader sees ${count} files of version ${version}`);
    return count === 0 ? [] : [version];
  });
}
