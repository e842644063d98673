import type { ImportResolver, LinkContext, Resolution } from '../../model/import-resolver.ts';
import { cachePerFolder } from './cache-per-folder.ts';
import { nearestTo } from './nearest.ts';
import { folderOf, foldersUpward, joinWithin } from './repository-path.ts';
import { EXTERNAL, UNRESOLVED } from './resolution.ts';

/** Module path to the folders that hold it; more than one when fixtures repeat a name. */
type Modules = ReadonlyMap<string, readonly string[]>;

/** An import names a package, which is all files of a folder but the tests. */
export const goResolver: ImportResolver = (context) => {
  const modules = readModules(context);
  const packageFiles = createPackageFiles(context);

  function inModule(folder: string, specifier: string): Resolution | null {
    for (const prefix of foldersUpward(specifier)) {
      const holders = prefix === '' ? undefined : modules.get(prefix);
      if (!holders) continue;
      const base =
        holders.length > 1
          ? nearestTo(
              `${folder}/`,
              holders.map((one) => `${one}/`),
            )
          : holders[0]!;
      const place = joinWithin(base ?? '', specifier.slice(prefix.length));
      return (place === null ? null : packageFiles(place)) ?? UNRESOLVED;
    }
    return null;
  }

  function vendored(folder: string, specifier: string): Resolution | null {
    for (const above of foldersUpward(folder)) {
      const vendor = above === '' ? 'vendor' : `${above}/vendor`;
      const found = context.hasFolder(vendor) ? packageFiles(`${vendor}/${specifier}`) : null;
      if (found) return found;
    }
    return null;
  }

  /** Before modules, a repository lay at its import path: `github.com/owner/name/pkg` is `pkg` here. */
  function byGopath(specifier: string): Resolution | null {
    if (modules.size > 0 || !/^[^/]+\.[^/]+\//.test(specifier)) return null;
    const segments = specifier.split('/');
    for (let start = 2; start < segments.length; start++) {
      const found = packageFiles(segments.slice(start).join('/'));
      if (found) return found;
    }
    return null;
  }

  const resolve = cachePerFolder((folder, specifier): Resolution => {
    if (/^\.\.?(\/|$)/.test(specifier)) {
      const place = joinWithin(folder, specifier);
      return (place === null ? null : packageFiles(place)) ?? UNRESOLVED;
    }
    return inModule(folder, specifier) ?? vendored(folder, specifier) ?? byGopath(specifier) ?? EXTERNAL;
  });
  return (from, { specifier }) => resolve(from, specifier);
};

function createPackageFiles(context: LinkContext): (folder: string) => Resolution | null {
  const known = new Map<string, Resolution | null>();
  return (folder) => {
    let answer = known.get(folder);
    if (answer === undefined) {
      const files = context
        .within(folder)
        .filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
      answer = files.length > 0 ? { kind: 'resolved', paths: files } : null;
      known.set(folder, answer);
    }
    return answer;
  };
}

const MODULE = /^[ \t]*module[ \t]+"?([^\s"]+)/m;
const REPLACE =
  /^[ \t]*(?:replace[ \t]+)?"?([^\s"()]+)"?(?:[ \t]+v\S+)?[ \t]*=>[ \t]*"?(\.\.?(?:\/[^\s"]*)?)"?[ \t]*(?:\/\/.*)?$/gm;

function readModules(context: LinkContext): Modules {
  const modules = new Map<string, string[]>();
  const add = (path: string, folder: string) => {
    const known = modules.get(path);
    if (!known) modules.set(path, [folder]);
    else if (!known.includes(folder)) known.push(folder);
  };
  for (const file of context.named('go.mod')) {
    const name = MODULE.exec(context.readText(file) ?? '')?.[1];
    if (name) add(name, folderOf(file));
  }
  for (const file of [...context.named('go.mod'), ...context.named('go.work')])
    for (const [, name, target] of (context.readText(file) ?? '').matchAll(REPLACE)) {
      const folder = joinWithin(folderOf(file), target!);
      if (folder !== null && context.hasFolder(folder)) add(name!, folder);
    }
  return modules;
}
