// Modules of Lua, along the usual search path.

import type { ImportResolver, Resolution } from '../../../model/import-resolver.ts';
import { joinWithin } from './repository-path.ts';
import { cachePerFolder, EXTERNAL, filesEndingWith, nearestTo, resolvedOr } from './resolution.ts';

/** `require 'a.b'` is `a/b.lua` or `a/b/init.lua` below some folder of the search path; the nearest is taken. */
export const luaResolver: ImportResolver = (context) => {
  const resolve = cachePerFolder((folder, specifier): Resolution => {
    // a relative path (`./x`, as Luau and some loaders allow) keeps its slashes
    const isRelative = /^\.\.?\//.test(specifier);
    const plain = specifier.replace(/\.lua$/, '');
    const place = isRelative ? joinWithin(folder, plain) : plain.replaceAll('.', '/').replace(/^\/+/, '');
    if (!place) return EXTERNAL;
    const ends = [`${place}.lua`, `${place}/init.lua`, `${place}.luau`];
    const exact = isRelative ? ends.filter((end) => context.has(end)) : [];
    const found = isRelative ? exact : ends.flatMap((end) => filesEndingWith(context, end));
    return resolvedOr(nearestTo(`${folder}/`, found), isRelative ? { kind: 'unresolved' } : EXTERNAL);
  });
  return (from, { specifier }) => resolve(from, specifier);
};
