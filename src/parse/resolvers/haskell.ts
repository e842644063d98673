import type { ImportResolver } from '../../model/import-resolver.ts';
import { filesEndingWith, nearestTo } from './nearest.ts';
import { EXTERNAL, resolvedOr } from './resolution.ts';

const EXTENSIONS = ['.hs', '.lhs', '.hsc', '.hs-boot'];

/** `Data.Map.Lazy` is the file that declares it, else `Data/Map/Lazy.hs` below any source folder. */
export const haskellResolver: ImportResolver =
  (context) =>
  (from, { specifier }) => {
    const declared = context.declaring(specifier);
    if (declared.length > 0) return resolvedOr(nearestTo(from, declared), EXTERNAL);
    const place = specifier.replaceAll('.', '/');
    const found = EXTENSIONS.flatMap((extension) => filesEndingWith(context, place + extension));
    return resolvedOr(nearestTo(from, found), EXTERNAL);
  };
