import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { cachePerFolder } from './cache-per-folder.ts';
import { joinWithin, stemOf } from './repository-path.ts';
import { EXTERNAL, resolvedTo } from './resolution.ts';

/** For languages without rules of their own: a path beside the file, else the only file called like it. */
export const genericResolver: ImportResolver = (context) => {
  let stems: ReadonlyMap<string, string | null> | null = null;
  const resolve = cachePerFolder((folder, specifier): Resolution => {
    const beside = joinWithin(folder, specifier);
    if (beside !== null && context.has(beside)) return resolvedTo(beside);
    const last =
      specifier
        .split(/[\\/:]+/)
        .filter(Boolean)
        .at(-1) ?? '';
    stems ??= uniqueStems(context);
    for (const stem of [stemOf(last), last.split('.').at(-1)!]) {
      const found = stems.get(stem);
      if (found) return resolvedTo(found);
    }
    return EXTERNAL;
  });
  return (from, { specifier }) => resolve(from, specifier);
};

/** Null for a stem that several files share. */
function uniqueStems(context: LinkContext): ReadonlyMap<string, string | null> {
  const stems = new Map<string, string | null>();
  for (const path of context.paths) stems.set(stemOf(path), stems.has(stemOf(path)) ? null : path);
  return stems;
}
