// Imports of Go, by the `go.mod` and `go.work` files of the repository, its vendor folders, and the old GOPATH layout.
import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { folderOf, foldersUpward, joinWithin } from './repository-path.ts';
import { cachePerFolder, EXTERNAL, nearestAbove, nearestTo, UNRESOLVED } from './resolution.ts';

/** The manifests of the repository: folders of modules by name, and local replacements. */
interface Modules {
  /** By module path; more than one folder when fixtures repeat a name. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** Local replacements, by the folder of their manifest. They apply only to the files of that module. */
  readonly ofModule: ReadonlyMap<string, Replacements>;
  readonly ofWorkspace: ReadonlyMap<string, Replacements>;
}

/** Module path to the folder that replaces it. */
type Replacements = ReadonlyMap<string, string>;

/** An import names a package, which is all files of a folder but the tests. */
export const goResolver: ImportResolver = (context) => {
  const modules = readModules(context);
  const packageFiles = createPackageFiles(context);

  /** The folder of a module, as files of `folder` see it. */
  function moduleFolder(folder: string, name: string): string | undefined {
    const replaced =
      nearestAbove(modules.ofModule, folder)?.get(name) ??
      nearestAbove(modules.ofWorkspace, folder)?.get(name);
    if (replaced !== undefined) return replaced;
    const holders = modules.holders.get(name);
    if (!holders || holders.length < 2) return holders?.[0];
    const above = foldersUpward(folder).find((one) => holders.includes(one));
    if (above !== undefined) return above;
    const nearest = nearestTo(
      `${folder}/`,
      holders.map((one) => `${one}/`),
    );
    return nearest?.slice(0, -1);
  }

  /** The module with the longest name that the import starts with. */
  function inModule(folder: string, specifier: string): Resolution | null {
    for (const prefix of foldersUpward(specifier)) {
      const base = prefix === '' ? undefined : moduleFolder(folder, prefix);
      if (base === undefined) continue;
      const place = joinWithin(base, specifier.slice(prefix.length));
      return (place === null ? null : packageFiles(place)) ?? UNRESOLVED;
    }
    return null;
  }

  /** The copy in a `vendor` folder at or above the importer. */
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
    if (modules.holders.size > 0 || !/^[^/]+\.[^/]+\//.test(specifier)) return null;
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

/** All files of a folder but its tests; null for a folder without Go files. */
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
/** `name => ../folder`, alone or in a `replace (` block. Only local targets matter. */
const REPLACE =
  /^[ \t]*(?:replace[ \t]+)?"?([^\s"()]+)"?(?:[ \t]+v\S+)?[ \t]*=>[ \t]*"?(\.\.?(?:\/[^\s"]*)?)"?[ \t]*(?:\/\/.*)?$/gm;

/** Reads all manifests once, when the first import is resolved. */
function readModules(context: LinkContext): Modules {
  const holders = new Map<string, string[]>();
  const ofModule = new Map<string, Replacements>();
  for (const file of context.named('go.mod')) {
    const folder = folderOf(file);
    const text = context.readText(file) ?? '';
    const name = MODULE.exec(text)?.[1];
    const known = name === undefined ? undefined : holders.get(name);
    if (known) known.push(folder);
    else if (name !== undefined) holders.set(name, [folder]);
    ofModule.set(folder, readReplacements(context, folder, text));
  }
  const ofWorkspace = new Map(
    context
      .named('go.work')
      .map((file) => [
        folderOf(file),
        readReplacements(context, folderOf(file), context.readText(file) ?? ''),
      ]),
  );
  return { holders, ofModule, ofWorkspace };
}

function readReplacements(context: LinkContext, folder: string, manifest: string): Replacements {
  const replacements = new Map<string, string>();
  for (const [, name, target] of manifest.matchAll(REPLACE)) {
    const place = joinWithin(folder, target!);
    if (place !== null && context.hasFolder(place)) replacements.set(name!, place);
  }
  return replacements;
}
