// Imports of Dart, by the names of packages and by relative paths.

import type { ImportResolver } from '../../../model/import-resolver.ts';
import { folderOf, joinWithin } from './repository-path.ts';
import { EXTERNAL, nearestTo, resolvedTo, UNRESOLVED } from './resolution.ts';

/**
 * `package:name/x.dart` is in `lib/` of the package of that name. All other paths are relative to the importing file.
 */
export const dartResolver: ImportResolver = (context) => {
  const folders = new Map<string, string[]>();
  for (const file of context.named('pubspec.yaml')) {
    const name = /^name:[ \t]*["']?(\w+)/m.exec(context.readText(file) ?? '')?.[1];
    if (name) folders.set(name, [...(folders.get(name) ?? []), folderOf(file)]);
  }
  return (from, { specifier }) => {
    const [, name, rest] = /^package:(\w+)\/(.*)$/.exec(specifier) ?? [];
    if (name !== undefined) {
      const holders = folders.get(name);
      if (!holders) return EXTERNAL;
      const places = holders.map((folder) => joinWithin(folder, `lib/${rest}`) ?? '');
      const found = nearestTo(
        from,
        places.filter((place) => context.has(place)),
      );
      return found === null ? UNRESOLVED : resolvedTo(found);
    }
    if (/^[a-z]+:/.test(specifier)) return EXTERNAL;
    // `part of library.name` names no file
    if (!specifier.endsWith('.dart')) return EXTERNAL;
    const place = joinWithin(folderOf(from), specifier);
    return place !== null && context.has(place) ? resolvedTo(place) : UNRESOLVED;
  };
};
