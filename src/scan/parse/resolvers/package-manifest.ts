import type { LinkContext } from '../../../model/import-resolver.ts';
import { asString, type JsonRecord, readJsonRecord } from './json-with-comments.ts';
import { nearestTo } from './nearest.ts';
import { folderOf } from './repository-path.ts';

export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: JsonRecord;
}

export interface WorkspacePackages {
  readonly byFolder: ReadonlyMap<string, WorkspacePackage>;
  /** The package of this name; of several (fixtures, copies) the one nearest to `from`. */
  named(name: string, from: string): WorkspacePackage | null;
  /** True when what a specifier means depends on who asks, because its package is here more than once. */
  isRepeated(specifier: string): boolean;
}

/** Every package.json of the repository: whichever tool links the workspace, its members are among them. */
export function readPackages(context: LinkContext): WorkspacePackages {
  const byFolder = new Map<string, WorkspacePackage>();
  const byName = new Map<string, WorkspacePackage[]>();
  for (const path of context.named('package.json')) {
    if (path.includes('node_modules/')) continue;
    const manifest = readJsonRecord(context.readText(path));
    if (!manifest) continue;
    const found: WorkspacePackage = { folder: folderOf(path), manifest };
    byFolder.set(found.folder, found);
    const name = asString(manifest.name);
    if (name) byName.set(name, [...(byName.get(name) ?? []), found]);
  }
  const repeated = new Set([...byName].filter(([, all]) => all.length > 1).map(([name]) => name));
  return {
    byFolder,
    isRepeated: (specifier) => repeated.size > 0 && repeated.has(splitPackageName(specifier).name),
    named: (name, from) => {
      const all = byName.get(name) ?? [];
      if (all.length < 2) return all[0] ?? null;
      const nearest = nearestTo(
        from,
        all.map((one) => `${one.folder}/package.json`),
      );
      return all.find((one) => `${one.folder}/package.json` === nearest) ?? null;
    },
  };
}

/** `@scope/name/sub/path` as a package name and what is asked of it (`''` for the package itself). */
export function splitPackageName(specifier: string): { readonly name: string; readonly subpath: string } {
  const scope = specifier.startsWith('@') ? specifier.indexOf('/') + 1 : 0;
  const end = specifier.indexOf('/', scope);
  if (end < 0) return { name: specifier, subpath: '' };
  return { name: specifier.slice(0, end), subpath: specifier.slice(end + 1) };
}
