import type { LinkContext } from '../../model/import-resolver.ts';

const NONE: readonly string[] = [];

/** `declaredPackages` maps a package or namespace to the files that say they belong to it. */
export function createLinkContext(
  paths: readonly string[],
  declaredPackages: ReadonlyMap<string, readonly string[]>,
  readText: (path: string) => string | null,
): LinkContext {
  const sorted = [...new Set(paths)].sort();
  const listed = new Set(sorted);
  const byFolder = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const folders = new Set<string>();
  for (const path of sorted) {
    const slash = path.lastIndexOf('/');
    const folder = slash < 0 ? '' : path.slice(0, slash);
    append(byFolder, folder, path);
    append(byName, path.slice(slash + 1), path);
    for (let above = folder; !folders.has(above); above = above.slice(0, Math.max(0, above.lastIndexOf('/'))))
      folders.add(above);
  }
  const declaring = new Map<string, readonly string[]>();
  for (const [name, files] of declaredPackages) declaring.set(name, [...new Set(files)].sort());
  return {
    paths: sorted,
    has: (path) => listed.has(path),
    hasFolder: (folder) => folders.has(folder),
    named: (fileName) => byName.get(fileName) ?? NONE,
    within: (folder) => byFolder.get(folder) ?? NONE,
    declaring: (packageName) => declaring.get(packageName) ?? NONE,
    readText,
  };
}

function append(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
