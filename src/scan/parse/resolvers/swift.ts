// Imports of Swift modules, by `Package.swift` and folders.

import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { folderOf, joinWithin } from './repository-path.ts';
import { EXTERNAL, filesBelow, resolvedToAll } from './resolution.ts';

/** A target of `Package.swift` with a path of its own. */
const TARGET = /name:\s*"([^"]+)"[^()]{0,300}?path:\s*"([^"]+)"/g;

/** An import names a module: `Sources/<Module>/` of a package, or the folder that its manifest gives it. */
export const swiftResolver: ImportResolver = (context) => {
  const folders = moduleFolders(context);
  const known = new Map<string, readonly string[]>();
  return (_from, { specifier, names }): Resolution => {
    const module = specifier.split('.')[0]!;
    let sources = known.get(module);
    if (!sources) {
      const files = [...(folders.get(module) ?? [])].flatMap((folder) => filesBelow(context, folder));
      sources = files.filter((path) => path.endsWith('.swift'));
      known.set(module, sources);
    }
    if (sources.length === 0) return EXTERNAL;
    // `import struct Module.Type` names one declaration, whichever file it is in
    return names.length > 0 ? { kind: 'resolved', paths: sources } : resolvedToAll(sources);
  };
};

function moduleFolders(context: LinkContext): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>();
  const add = (module: string, folder: string) => {
    const known = folders.get(module) ?? new Set();
    folders.set(module, known.add(folder));
  };
  for (const path of context.paths) {
    if (!path.endsWith('.swift')) continue;
    const conventional = /^((?:.*\/)?(?:Sources?|Tests)\/([^/]+))\//.exec(path);
    if (conventional) add(conventional[2]!, conventional[1]!);
  }
  for (const file of context.named('Package.swift'))
    for (const [, name, path] of (context.readText(file) ?? '').matchAll(TARGET)) {
      const folder = joinWithin(folderOf(file), path!);
      if (folder) add(name!, folder);
    }
  return folders;
}
