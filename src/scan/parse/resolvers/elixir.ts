// Modules of Elixir, by their declarations and by the naming convention.

import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import {
  cachePerFolder,
  createDeclaring,
  EXTERNAL,
  filesEndingWith,
  nearestTo,
  resolvedTo,
  UNRESOLVED,
} from './resolution.ts';

const EXTENSIONS = ['.ex', '.exs'];
/** Parts of the language. Projects add modules below them (`lib/mix/tasks/`), so their folders prove nothing. */
const TOOLS = new Set(['mix', 'ex_unit', 'i_ex', 'e_ex', 'logger']);

/** The file that declares a module; otherwise `MyApp.Accounts.User` is `lib/my_app/accounts/user.ex` by convention. */
export const elixirResolver: ImportResolver = (context) => {
  const declaring = createDeclaring(context, EXTENSIONS);
  const resolve = cachePerFolder((folder, specifier) => {
    const declared = nearestTo(`${folder}/`, declaring(specifier));
    if (declared !== null) return resolvedTo(declared);
    return moduleNamed(specifier.split('.').map(snakeCase), `${folder}/`, context);
  });
  return (from, { specifier }) => resolve(from, specifier);
};

/** By the path that the naming convention gives a module. */
function moduleNamed(segments: readonly string[], from: string, context: LinkContext): Resolution {
  // A module inside a module is in the file of its parent.
  for (const own of segments.length > 1 ? [segments, segments.slice(0, -1)] : [segments]) {
    const found = fileOf(own, from, context) ?? (own.length > 1 ? inSubfolder(own, from, context) : null);
    if (found !== null) return resolvedTo(found);
  }
  const top = segments[0]!;
  const isOurs = context.hasFolder(`lib/${top}`) || context.hasFolder(`apps/${top}`);
  return isOurs && !TOOLS.has(top) ? UNRESOLVED : EXTERNAL;
}

function fileOf(segments: readonly string[], from: string, context: LinkContext): string | null {
  const suffix = segments.join('/');
  const found = EXTENSIONS.flatMap((extension) => filesEndingWith(context, suffix + extension));
  const rooted = found.filter((path) =>
    /(^|\/)(lib|test|web)\/$/.test(path.slice(0, path.lastIndexOf(suffix))),
  );
  return nearestTo(from, segments.length > 1 && rooted.length === 0 ? found : rooted);
}

/** Phoenix puts `MyAppWeb.UserController` into `lib/my_app_web/controllers/`. */
function inSubfolder(segments: readonly string[], from: string, context: LinkContext): string | null {
  const folder = `/${segments.slice(0, -1).join('/')}/`;
  const found = EXTENSIONS.flatMap((extension) => context.named(segments.at(-1)! + extension));
  return nearestTo(
    from,
    found.filter((path) => `/${path}`.includes(folder)),
  );
}

/** `HTTPClient` becomes `http_client`. */
function snakeCase(name: string): string {
  return name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
