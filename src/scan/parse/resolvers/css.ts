// Imports of style sheets, and of pages that link files.

import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { readPackages, splitPackageName } from './package-manifest.ts';
import { fileNameOf, folderOf, joinWithin } from './repository-path.ts';
import { cachePerFolder, EXTERNAL, nearestAbove, resolvedTo, UNRESOLVED } from './resolution.ts';

/** In this order: sources before the CSS that is made from them. */
const EXTENSIONS = ['', '.scss', '.sass', '.less', '.css', '.styl'];

/** Style sheets (and pages that link files): relative paths, partials, `~` and packages of the repository. */
export const cssResolver: ImportResolver = (context) => {
  const packages = readPackages(context);

  function inPackage(folder: string, specifier: string): string | null {
    const { name, subpath } = splitPackageName(specifier);
    const owner = packages.named(name, `${folder}/`);
    return owner && subpath !== '' ? styleFile(context, owner.folder, subpath) : null;
  }

  const resolve = cachePerFolder((folder, written): Resolution => {
    const specifier = written.replace(/[?#].*$/, '');
    if (specifier === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(specifier)) return EXTERNAL;
    const owner = nearestAbove(packages.byFolder, folder)?.folder ?? '';
    const alias = /^[~@]?\/(.*)$/.exec(specifier)?.[1];
    if (alias !== undefined) {
      const bases = ['src', '.', 'public', 'static'].flatMap((base) => joinWithin(owner, base) ?? []);
      const found = [...bases, '']
        .map((base) => styleFile(context, base, alias))
        .find((path) => path !== null);
      return found ? resolvedTo(found) : UNRESOLVED;
    }
    const bare = specifier.replace(/^~/, '');
    const found = styleFile(context, folder, bare) ?? inPackage(folder, bare);
    if (found !== null) return resolvedTo(found);
    return specifier.startsWith('.') ? UNRESOLVED : EXTERNAL;
  });
  return (from, { specifier }) => resolve(from, specifier);
};

/**
 * A style sheet may be written without its extension and without the `_` of a partial, and a folder means its index.
 */
function styleFile(context: LinkContext, folder: string, relative: string): string | null {
  const place = joinWithin(folder, relative);
  if (!place) return null;
  const parent = folderOf(place);
  const partial = `${parent === '' ? '' : `${parent}/`}_${fileNameOf(place)}`;
  for (const stem of [place, partial, `${place}/_index`, `${place}/index`])
    for (const extension of EXTENSIONS) if (context.has(stem + extension)) return stem + extension;
  return null;
}
