import type { ImportResolver, Resolution } from '../../../model/import-resolver.ts';
import { cachePerFolder } from './cache-per-folder.ts';
import { filesEndingWith, nearestTo } from './nearest.ts';
import { createFindConstant } from './rails.ts';
import { joinWithin } from './repository-path.ts';
import { EXTERNAL, resolvedOr, UNRESOLVED } from './resolution.ts';

/** Folders on the load path: of gems, of Rails (each folder of `app/`), of tests. */
const LOAD_PATH = /(^|\/)(lib|spec|test|tests|ext|features|app|app\/[^/]+|app\/[^/]+\/concerns)\/$/;

/** `require_relative` (marked `./`) from the file, `require` from any folder that is usually on the load path. */
export const rubyResolver: ImportResolver = (context) => {
  const withExtension = (path: string): string => (/\.(rb|rake|so)$/.test(path) ? path : `${path}.rb`);
  const resolve = cachePerFolder((folder, specifier): Resolution => {
    if (/^\.\.?\//.test(specifier)) {
      const place = joinWithin(folder, specifier);
      const found =
        place === null ? undefined : [withExtension(place), place].find((one) => context.has(one));
      return resolvedOr(found, UNRESOLVED);
    }
    const suffix = withExtension(specifier.replace(/^\/+/, ''));
    const found = filesEndingWith(context, suffix).filter((path) => {
      const root = path.slice(0, -suffix.length);
      return root === '' || LOAD_PATH.test(root);
    });
    return resolvedOr(nearestTo(`${folder}/`, found), EXTERNAL);
  });
  const findConstant = createFindConstant(context);
  return (from, { kind, specifier, names }) => {
    if (kind !== 'autoload') return resolve(from, specifier);
    const found = findConstant ? names.map((name) => findConstant(from, name)) : [];
    const paths = [...new Set(found.filter((path) => path !== null && path !== from))] as string[];
    return paths.length > 0 ? { kind: 'resolved', paths: paths.sort() } : EXTERNAL;
  };
};
