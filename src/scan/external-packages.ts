import type { IndexView } from '../model/index-view.ts';
import { externalPackage } from './parse/resolvers/external-package.ts';

/** The packages outside of the repository that a file imports, each once, in the order of its imports. */
export function externalPackages(
  index: Pick<IndexView, 'snapshot' | 'links' | 'segmentOf'>,
  number: number,
): string[] {
  const { snapshot, links } = index;
  const file = snapshot.files[number]!;
  const table = links.statements;
  if (!table || file.document < 0) return [];
  const external = new Set<number>();
  for (let at = table.starts[number]!; at < table.starts[number + 1]!; at++) {
    const list = table.lists[at]!;
    if (table.listStarts[list] === table.listStarts[list + 1]) external.add(table.statements[at]!);
  }
  if (external.size === 0) return [];
  const imports = index.segmentOf(file).imports(file.document);
  const names = imports.flatMap(({ specifier }, at) =>
    external.has(at) ? (externalPackage(file.language, specifier) ?? []) : [],
  );
  return [...new Set(names)];
}
