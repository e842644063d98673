import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { sourcesOfOutput } from './build-output.ts';
import { cachePerFolder } from './cache-per-folder.ts';
import { createModuleFinder } from './module-files.ts';
import { nearestAbove } from './nearest.ts';
import { packageEntries, packageImports } from './package-entry.ts';
import { readPackages, splitPackageName } from './package-manifest.ts';
import { matchPatterns } from './path-pattern.ts';
import { foldersUpward, joinWithin } from './repository-path.ts';
import { EXTERNAL, UNRESOLVED } from './resolution.ts';
import { type ProjectConfig, readProjectConfigs } from './tsconfig.ts';

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

  /** A file, or the source of a build output that is not here. */
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

  /** The first place that exists; hand-written declarations only when no code is found. */
  function locateAny(places: readonly string[]): Found {
    let declaration: Found = null;
    for (const place of places) {
      const found = locateFile(place);
      if (found && !DECLARATION.test(found[0]!)) return found;
      declaration ??= found;
    }
    return declaration;
  }

  /** Like `locateFile`; a folder with a manifest of its own stands for what that names. */
  function locate(path: string): Found {
    const owner = path === '' ? undefined : packages.byFolder.get(path);
    return locateFile(path) ?? (owner ? locateAny(packageEntries(owner, '')) : null);
  }

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

  function byHash(folder: string, specifier: string): Resolution {
    const owner = nearestAbove(packages.byFolder, folder);
    const targets = owner ? packageImports(owner, specifier) : [];
    const places = targets.filter((target) => target.startsWith('.'));
    const found = locateAny(places.flatMap((target) => joinWithin(owner!.folder, target) ?? []));
    const other = targets.find((target) => !/^[.#]/.test(target));
    return found || other === undefined ? answer(found) : byName(folder, other);
  }

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
    // bundlers put loaders in front (`raw!./x`) and ways of loading behind (`./x?url`)
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
