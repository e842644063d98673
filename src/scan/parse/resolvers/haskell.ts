// Imports of Haskell, by declared modules and by paths.

import type { ImportResolver, Resolution } from '../../../model/import-resolver.ts';
import {
  cachePerFolder,
  createDeclaring,
  EXTERNAL,
  filesEndingWith,
  nearestTo,
  resolvedOr,
} from './resolution.ts';

const EXTENSIONS = ['.hs', '.lhs', '.hsc', '.hs-boot'];

/** `Data.Map.Lazy` is the file that declares it, else `Data/Map/Lazy.hs` below any source folder. */
export const haskellResolver: ImportResolver = (context) => {
  const declaring = createDeclaring(context, EXTENSIONS);
  const resolve = cachePerFolder((folder, specifier): Resolution => {
    const declared = declaring(specifier);
    const place = specifier.replaceAll('.', '/');
    const found =
      declared.length > 0
        ? declared
        : EXTENSIONS.flatMap((extension) => filesEndingWith(context, place + extension));
    return resolvedOr(nearestTo(`${folder}/`, found), EXTERNAL);
  });
  return (from, { specifier }) => resolve(from, specifier);
};
