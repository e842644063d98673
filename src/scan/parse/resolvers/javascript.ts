// Imports of TypeScript, JavaScript, Vue and Svelte, by the rules of Node, the compiler and bundlers: relative paths,
// `paths` of tsconfig, packages of the workspace, `exports` and `imports` of manifests.
import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import {
  asRecord,
  asString,
  readPackages,
  splitPackageName,
  type WorkspacePackage,
} from './package-manifest.ts';
import { fileNameOf, folderOf, foldersUpward, isInside, joinWithin } from './repository-path.ts';
import { cachePerFolder, EXTERNAL, nearestAbove, UNRESOLVED } from './resolution.ts';
import {
  matchPatterns,
  type PathPattern,
  type ProjectConfig,
  pathPattern,
  readProjectConfigs,
  sortPatterns,
} from './tsconfig.ts';

/** Files that an import means, several for platform variants; null when there is none. */
type Found = readonly string[] | null;

const RELATIVE = /^\.\.?(\/|$)/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const DECLARATION = /\.d\.[cm]?ts$/;

/** TypeScript, JavaScript and what embeds them, by the rules of Node, of the compiler and of bundlers. */
export const javascriptResolver: ImportResolver = (context) => {
  const resolve = createResolve(context);
  return (from, { specifier }) => resolve(from, specifier);
};

function createResolve(context: LinkContext): (from: string, specifier: string) => Resolution {
  const packages = readPackages(context);
  const configs = readProjectConfigs(context, (name) => packages.named(name, '')?.folder ?? null);
  const find = createModuleFinder(context);
  const scopes = new Map([...packages.byFolder.keys(), ...configs.keys()].map((folder) => [folder, folder]));

  const packageFolderOf = remember((folder) => nearestAbove(packages.byFolder, folder)?.folder ?? '');
  const configsAbove = remember((folder): readonly ProjectConfig[] =>
    foldersUpward(folder).flatMap((one) => configs.get(one) ?? []),
  );
  /** The closest folder with a manifest or settings: bare names mean the same everywhere below it. */
  const scopeOf = remember((folder) => nearestAbove(scopes, folder) ?? '');

  /** A file, or the source of a build output that is not in the repository. */
  function locateFile(path: string): Found {
    const direct = find(path);
    if (direct) return direct;
    const owner = packageFolderOf(path);
    for (const source of sourcesOfOutput(path, owner, configsAbove(owner))) {
      const found = find(source);
      if (found) return found;
    }
    return null;
  }

  /** The first place that exists. Declarations count only when no code is found. */
  function locateAny(places: readonly string[]): Found {
    let declaration: Found = null;
    for (const place of places) {
      const found = locateFile(place);
      if (found && !DECLARATION.test(found[0]!)) return found;
      declaration ??= found;
    }
    return declaration;
  }

  /** Like `locateFile`; a folder with its own manifest resolves to the entry that the manifest names. */
  function locate(path: string): Found {
    const owner = path === '' ? undefined : packages.byFolder.get(path);
    return locateFile(path) ?? (owner ? locateAny(packageEntries(owner, '')) : null);
  }

  /** `paths` and `baseUrl` of the compiler settings above a folder. */
  function byPaths(folder: string, specifier: string): Found {
    for (const config of configsAbove(folder)) {
      const places = matchPatterns(config.patterns, specifier);
      if (config.baseUrl !== null) places.push(joinWithin(config.baseUrl, specifier) ?? '');
      for (const place of places) {
        const found = place === '' ? null : locate(place);
        if (found) return found;
      }
    }
    return null;
  }

  /** `@/x` and `~/x` where no readable setting declares them (a bundler's may): `src/` by convention. */
  function byConvention(folder: string, specifier: string): Found {
    const rest = specifier.slice(2);
    const owner = packageFolderOf(folder);
    for (const base of [joinWithin(owner, 'src'), owner, joinWithin(owner, 'app')]) {
      const place = base === null ? null : joinWithin(base, rest);
      const found = place ? find(place) : null;
      if (found) return found;
    }
    return null;
  }

  /** `#name` of the package's own `imports`. */
  function byHash(folder: string, specifier: string): Resolution {
    const owner = nearestAbove(packages.byFolder, folder);
    const targets = owner ? packageImports(owner, specifier) : [];
    const places = targets.filter((target) => target.startsWith('.'));
    const found = locateAny(places.flatMap((target) => joinWithin(owner!.folder, target) ?? []));
    const other = targets.find((target) => !/^[.#]/.test(target));
    return found || other === undefined ? answer(found) : byName(folder, other);
  }

  /** A package of the repository, by its name. */
  function byName(folder: string, specifier: string): Resolution {
    const { name, subpath } = splitPackageName(specifier);
    const owner = packages.named(name, `${folder}/`);
    return owner ? answer(locateAny(packageEntries(owner, subpath))) : EXTERNAL;
  }

  function bare(folder: string, specifier: string): Resolution {
    const mapped = byPaths(folder, specifier);
    if (mapped) return answer(mapped);
    if (/^[@~]\//.test(specifier)) return answer(byConvention(folder, specifier));
    return specifier.startsWith('#') ? byHash(folder, specifier) : byName(folder, specifier);
  }

  const bareInScope = cachePerFolder(bare);

  function relative(folder: string, specifier: string): Found {
    const place = joinWithin(folder, specifier);
    return place === null ? null : locate(place);
  }

  function absolute(folder: string, specifier: string): Found {
    const owner = packageFolderOf(folder);
    return (
      relative(owner, specifier) ??
      relative(joinWithin(owner, 'public') ?? '', specifier) ??
      relative('', specifier)
    );
  }

  return cachePerFolder((folder, written) => {
    // Bundlers allow loaders before a path (`raw!./x`) and options after it (`./x?url`).
    const query = written.indexOf('?', 1);
    const specifier = written.slice(written.lastIndexOf('!') + 1, query < 0 ? undefined : query);
    if (RELATIVE.test(specifier)) return answer(relative(folder, specifier));
    if (specifier.startsWith('/')) return answer(absolute(folder, specifier));
    if (specifier === '' || SCHEME.test(specifier)) return EXTERNAL;
    return packages.isRepeated(specifier)
      ? bare(folder, specifier)
      : bareInScope(`${scopeOf(folder)}/`, specifier);
  });
}

function remember<Answer>(compute: (folder: string) => Answer): (folder: string) => Answer {
  const known = new Map<string, Answer>();
  return (folder) => {
    let answer = known.get(folder);
    if (answer === undefined) {
      answer = compute(folder);
      known.set(folder, answer);
    }
    return answer;
  };
}

function answer(found: Found): Resolution {
  return found ? { kind: 'resolved', paths: found } : UNRESOLVED;
}

/** Folders that builds write to. */
const OUTPUT_FOLDER = /^(dist|lib|build|out|output|es|esm|cjs|module|types|\.build)$/;
/** Formats that builds put below their output folder: `dist/esm/x.js`. */
const FORMAT_FOLDER = /^(src|es|esm|cjs|mjs|types|commonjs|module|node|browser|development|production)$/;
const COMPILED = /(?:\.d)?\.[cm]?[jt]sx?$/;

/**
 * Where the source of a build output may be, best first and without extension: `src/x` for `dist/x.js`. Outputs are
 * rarely in the repository, and manifests name little else.
 */
function sourcesOfOutput(path: string, packageFolder: string, configs: readonly ProjectConfig[]): string[] {
  const stem = path.replace(COMPILED, '');
  return [...new Set([...byConfig(stem, configs), ...byConvention(stem, packageFolder)])];
}

function byConfig(stem: string, configs: readonly ProjectConfig[]): string[] {
  const found: string[] = [];
  for (const { folder, outputs } of configs)
    for (const { outDir, rootDir } of outputs) {
      if (stem === outDir || !isInside(stem, outDir) || outDir === '') continue;
      const rest = stem.slice(outDir.length + 1);
      const roots = rootDir === null ? [under(folder, 'src'), folder] : [rootDir];
      for (const root of roots) found.push(under(root, rest));
    }
  return found;
}

function byConvention(stem: string, packageFolder: string): string[] {
  if (!isInside(stem, packageFolder)) return [];
  const rest = stem.slice(packageFolder === '' ? 0 : packageFolder.length + 1).split('/');
  if (rest.length < 2 || !OUTPUT_FOLDER.test(rest[0]!)) return [];
  const inner = rest.slice(1);
  const found = [inner];
  if (inner.length > 1 && FORMAT_FOLDER.test(inner[0]!)) found.push(inner.slice(1));
  if (inner.length > 2 && FORMAT_FOLDER.test(inner[0]!) && FORMAT_FOLDER.test(inner[1]!))
    found.push(inner.slice(2));
  return [
    ...found.map((parts) => under(packageFolder, `src/${parts.join('/')}`)),
    ...found.map((parts) => under(packageFolder, parts.join('/'))),
  ];
}

function under(folder: string, rest: string): string {
  return folder === '' ? rest : `${folder}/${rest}`;
}

/** Conditions of `exports`, best first. Others come after `require` and before `default`. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'require'];
const MAIN_FIELDS = ['source', 'types', 'typings', 'module', 'svelte', 'main', 'browser'];
/** Levels of nested conditions. */
const MAX_DEPTH = 8;

const patternsOf = new WeakMap<object, PathPattern[]>();

/** The places that a package declares for `subpath`, best first, relative to the root. Not all of them need exist. */
function packageEntries(owner: WorkspacePackage, subpath: string): string[] {
  const { manifest, folder } = owner;
  const asked = subpath === '' ? '.' : `./${subpath}`;
  const declared = subpathTargets(manifest.exports, asked, '.');
  if (subpath === '') {
    for (const field of MAIN_FIELDS) {
      const target = asString(manifest[field]);
      if (target !== null) declared.push(target);
    }
    declared.push('index', 'src/index', 'src/main', 'src');
  } else declared.push(subpath, `src/${subpath}`, `lib/${subpath}`);
  return within(folder, declared);
}

/** Where `#name` imports of this package lead: files of its own (`./x`) or other packages. */
function packageImports(owner: WorkspacePackage, specifier: string): string[] {
  return subpathTargets(owner.manifest.imports, specifier, '#');
}

function within(folder: string, targets: readonly string[]): string[] {
  const joined = targets.map((target) => joinWithin(folder, target)).filter((path) => path !== null);
  return [...new Set(joined)];
}

/** `keyStart` is what every key of a subpath table starts with; a table of conditions has other keys. */
function subpathTargets(field: unknown, asked: string, keyStart: '.' | '#'): string[] {
  const table = asRecord(field);
  if (!table || !Object.keys(table).some((key) => key.startsWith(keyStart)))
    return asked === '.' ? leaves(field) : [];
  let patterns = patternsOf.get(table);
  if (!patterns) {
    patterns = sortPatterns(Object.entries(table).map(([key, value]) => pathPattern(key, leaves(value))));
    patternsOf.set(table, patterns);
  }
  return matchPatterns(patterns, asked);
}

function leaves(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one, depth + 1));
  const table = asRecord(value);
  if (!table) return [];
  return Object.entries(table)
    .sort(([left], [right]) => rank(left) - rank(right))
    .flatMap(([, one]) => leaves(one, depth + 1));
}

function rank(condition: string): number {
  if (condition === 'default') return CONDITIONS.length + 1;
  // `@scope/source` and the like: a workspace's own name for its sources
  if (condition.endsWith('source')) return 0;
  const index = CONDITIONS.indexOf(condition);
  return index < 0 ? CONDITIONS.length : index;
}

/** Declarations come last: where there is code beside them, the import means the code. */
const EXTENSIONS = [
  ...['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'],
  ...['.d.ts', '.d.mts', '.d.cts', '.json'],
];

/** Sources that are imported by the name of their output. */
const SOURCES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.jsx']],
  ['.jsx', ['.tsx']],
  ['.mjs', ['.mts', '.ts']],
  ['.cjs', ['.cts', '.ts']],
]);

const PLATFORM = /^\.(web|native|ios|android|server|client)\.[jt]sx?$/;

type FindModule = (path: string) => readonly string[] | null;

/** Finds the file (or, per platform, the files) that a path without certain extension means. */
function createModuleFinder(context: LinkContext): FindModule {
  const known = new Map<string, readonly string[] | null>();

  function withExtension(path: string): string | null {
    for (const extension of EXTENSIONS) if (context.has(path + extension)) return path + extension;
    return null;
  }

  function sourceOfOutput(path: string): string | null {
    const dot = path.lastIndexOf('.');
    const sources = dot < 0 ? undefined : SOURCES_OF.get(path.slice(dot));
    const stem = path.slice(0, dot);
    for (const extension of sources ?? []) if (context.has(stem + extension)) return stem + extension;
    return null;
  }

  function declarationOf(path: string): string | null {
    const stem = path.replace(/\.[cm]?jsx?$/, '');
    if (stem === path) return null;
    return ['.d.ts', '.d.mts', '.d.cts'].map((end) => stem + end).find((one) => context.has(one)) ?? null;
  }

  function perPlatform(path: string): readonly string[] | null {
    const stem = fileNameOf(path);
    const found = context.within(folderOf(path)).filter((file) => {
      const name = fileNameOf(file);
      return name.startsWith(stem) && PLATFORM.test(name.slice(stem.length));
    });
    return found.length > 0 ? found : null;
  }

  function find(path: string): readonly string[] | null {
    const one =
      sourceOfOutput(path) ??
      (context.has(path) ? path : null) ??
      withExtension(path) ??
      declarationOf(path) ??
      (context.hasFolder(path) ? withExtension(path === '' ? 'index' : `${path}/index`) : null);
    return one === null ? perPlatform(path) : [one];
  }

  return (path) => {
    let answer = known.get(path);
    if (answer === undefined) {
      answer = find(path);
      known.set(path, answer);
    }
    return answer;
  };
}
