// Imports of Zig, by paths and by the modules of `build.zig`.

import type { ImportResolver, LinkContext } from '../../../model/import-resolver.ts';
import { folderOf, joinWithin } from './repository-path.ts';
import { EXTERNAL, nearestTo, resolvedOr, UNRESOLVED } from './resolution.ts';

/** Modules that come with the compiler. */
const BUILTIN = new Set(['std', 'builtin', 'root']);
const MODULE = /(?:addModule|addImport|createModule)\(\s*"([^"]+)"|\bpath\(\s*"([^"]+\.zig)"\s*\)/g;

/** `@import("x.zig")` is relative; other names are modules that `build.zig` declares. */
export const zigResolver: ImportResolver = (context) => {
  const modules = declaredModules(context);
  return (from, { kind, specifier }) => {
    if (BUILTIN.has(specifier)) return EXTERNAL;
    if (kind === 'include' || /\.\w+$/.test(specifier)) {
      const place = joinWithin(folderOf(from), specifier);
      return resolvedOr(place !== null && context.has(place) ? place : null, UNRESOLVED);
    }
    const places = [...(modules.get(specifier) ?? []), `src/${specifier}.zig`, `${specifier}.zig`];
    return resolvedOr(
      nearestTo(
        from,
        places.filter((place) => context.has(place)),
      ),
      EXTERNAL,
    );
  };
};

/**
 * Pairs each declared name with the next path after it, as build files are written. A wrong pair resolves to nothing.
 */
function declaredModules(context: LinkContext): ReadonlyMap<string, readonly string[]> {
  const modules = new Map<string, string[]>();
  for (const file of context.named('build.zig')) {
    let name: string | null = null;
    for (const [, declared, path] of (context.readText(file) ?? '').matchAll(MODULE)) {
      if (declared !== undefined) name = declared;
      const place = path === undefined ? null : joinWithin(folderOf(file), path);
      if (name === null || place === null) continue;
      modules.set(name, [...(modules.get(name) ?? []), place]);
      name = null;
    }
  }
  return modules;
}
