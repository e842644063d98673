// Imports of Ruby: `require` along the usual load path, and constants that Rails loads by their names.
import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { folderOf, foldersUpward, joinWithin } from './repository-path.ts';
import {
  cachePerFolder,
  EXTERNAL,
  filesBelow,
  filesEndingWith,
  nearestTo,
  resolvedOr,
  UNRESOLVED,
} from './resolution.ts';

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

/** Folders of `app/` that hold no classes. */
const NO_CLASSES: ReadonlySet<string> = new Set(['assets', 'javascript', 'views']);
/** The place of a class below a folder that Rails loads from, in an application or in an engine inside it. */
const LOADED_FILE = /^(?:.*?\/)??(?:app\/([^/]+)\/(?:concerns\/)?|lib\/)(.+)\.rb$/;
/** Folders whose files are loaded otherwise. */
const NOT_LOADED = /(?:^|\/)(?:spec|test|features|vendor|node_modules)\//;
/** A test lies where its class does, below a folder for its kind. */
const TEST_FILE = /^(?:.*?\/)??(?:spec|test)\/[^/]+\/(.+)\.rb$/;
/** `config.autoload_paths << Rails.root.join('extras')`, `%W(#{config.root}/extras)`. */
const LOAD_PATHS = /^[^#\n]*\b(?:autoload|eager_load)_paths\b[^\n]*/gm;
const OWN_FOLDER = /(?:join\(\s*|root\}?\/)(?:["'])?([\w./-]+)/g;

/** The file that a constant names, as a file of the repository sees it; null for constants of other code. */
type FindConstant = (from: string, constant: string) => string | null;

/** One application: the names of its constants, and where they are defined. */
type Application = ReadonlyMap<string, readonly string[]>;

/**
 * Finds constants of Rails applications by the rules of their loader: `Admin::UsersController` is
 * `admin/users_controller.rb` in one of the loaded folders. Applications define their own acronyms (`OAuth`), so names
 * are compared without case and underscores. Null when the repository has no such application.
 */
function createFindConstant(context: LinkContext): FindConstant | null {
  const applications = new Map(
    applicationFolders(context).map((folder) => [folder, readApplication(context, folder)]),
  );
  if (applications.size === 0) return null;

  function search(application: Application, from: string, constant: string): string | null {
    const scope = scopeOf(from);
    const isAbsolute = constant.startsWith('::');
    const names = constant.replace(/^::/, '').split('::').map(keyOf);
    // `Account::LIMIT` is in the file of `Account`
    for (let count = names.length; count > 0; count--)
      for (let depth = isAbsolute ? 0 : scope.length; depth >= 0; depth--) {
        const found = application.get([...scope.slice(0, depth), ...names.slice(0, count)].join('/'));
        if (found) return nearestTo(from, found);
      }
    return null;
  }

  return (from, constant) => {
    const folder = foldersUpward(folderOf(from)).find((one) => applications.has(one));
    return folder === undefined ? null : search(applications.get(folder)!, from, constant);
  };
}

/** An application has a `config/application.rb`, or a Gemfile that names Rails. */
function applicationFolders(context: LinkContext): readonly string[] {
  const configured = context
    .named('application.rb')
    .filter((path) => path === 'config/application.rb' || path.endsWith('/config/application.rb'))
    .map((path) => folderOf(folderOf(path)));
  const bundled = context
    .named('Gemfile')
    .filter((path) => /^\s*gem\s*\(?\s*["']rails["']/m.test(context.readText(path) ?? ''))
    .map(folderOf);
  return [...new Set([...configured, ...bundled])];
}

function readApplication(context: LinkContext, folder: string): Application {
  const application = new Map<string, string[]>();
  const add = (place: string, path: string) => {
    const key = place.split('/').map(keyOf).join('/');
    const files = application.get(key);
    if (!files) application.set(key, [path]);
    else if (!files.includes(path)) files.push(path);
  };
  for (const path of filesBelow(context, folder)) {
    const [, kind, place] =
      path.endsWith('.rb') && !NOT_LOADED.test(path) ? (LOADED_FILE.exec(path) ?? []) : [];
    if (place !== undefined && !NO_CLASSES.has(kind ?? '')) add(place, path);
  }
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const own of ownFolders(context.readText(`${prefix}config/application.rb`) ?? ''))
    for (const path of filesBelow(context, `${prefix}${own}`))
      if (path.endsWith('.rb')) add(path.slice(prefix.length + own.length + 1, -'.rb'.length), path);
  return application;
}

function ownFolders(configuration: string): readonly string[] {
  const lines = configuration.match(LOAD_PATHS) ?? [];
  const folders = lines.flatMap((line) => [...line.matchAll(OWN_FOLDER)].map(([, folder]) => folder!));
  return [...new Set(folders.map((folder) => folder.replace(/^\/+|\/+$/g, '')))].filter(
    (folder) => folder !== '',
  );
}

/** The constants that a file is inside of, and its own: `['admin', 'userscontroller']`. */
function scopeOf(path: string): readonly string[] {
  const place = NOT_LOADED.test(path)
    ? TEST_FILE.exec(path)?.[1]?.replace(/_(?:spec|test)$/, '')
    : LOADED_FILE.exec(path)?.[2];
  return place?.split('/').map(keyOf) ?? [];
}

function keyOf(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
