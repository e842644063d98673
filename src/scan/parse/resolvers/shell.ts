// `source` in shell scripts.

import type { ImportResolver, Resolution } from '../../../model/import-resolver.ts';
import { joinWithin } from './repository-path.ts';
import { cachePerFolder, EXTERNAL, filesEndingWith, resolvedTo, UNRESOLVED } from './resolution.ts';

/** Everything up to the last variable or command in a path: `$DIR/`, `"$(dirname "$0")"/`, `${ROOT}/lib/`. */
const COMPUTED = /^.*(?:[)}`]|\$\w+)["']?\/?/;

/** `source x`: from the file, from the root, and after a variable, by the rest of the path. */
export const shellResolver: ImportResolver = (context) => {
  const resolve = cachePerFolder((folder, specifier): Resolution => {
    const isComputed = /[$`]/.test(specifier);
    if (!isComputed && /^[/~]/.test(specifier)) return EXTERNAL;
    const rest = specifier.replace(COMPUTED, '').replace(/["']/g, '');
    if (rest === '') return UNRESOLVED;
    for (const base of [folder, '']) {
      const place = joinWithin(base, rest);
      if (place !== null && context.has(place)) return resolvedTo(place);
    }
    const suffix = joinWithin('', rest.replace(/^(\.{1,2}\/)+/, ''));
    const found = suffix ? filesEndingWith(context, suffix) : [];
    return found.length === 1 ? resolvedTo(found[0]!) : UNRESOLVED;
  });
  return (from, { specifier }) => resolve(from, specifier);
};
