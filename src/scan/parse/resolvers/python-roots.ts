import type { LinkContext } from '../../../model/import-resolver.ts';
import { fileNameOf, folderOf, joinWithin } from './repository-path.ts';

/** A folder that may be on the module path, as a place for one top-level name. */
export interface PythonRoot {
  readonly folder: string;
  /** Any file may import from here; else only files below it. */
  readonly isStrong: boolean;
  /** The name is a module or a package with `__init__`, not just a folder with Python files somewhere below. */
  readonly isRegular: boolean;
}

const EXTENSIONS = ['.py', '.pyx', '.pyi', '.pxd'];
const SOURCE = /\.py[xi]?$/;
const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg'];
/** Packages below these are samples for something else; their names often equal those of installed packages. */
const SAMPLES =
  /(^|\/)(tests?|testing|testdata|fixtures?|examples?|samples?|docs?|templates?|\.[^/]*)(\/|$)/i;

/** The file of the module at `place` (a path without extension). */
export function pythonFile(context: LinkContext, place: string): string | null {
  for (const stem of [place, `${place}/__init__`])
    for (const extension of EXTENSIONS) if (context.has(stem + extension)) return stem + extension;
  return null;
}

/** For a top-level name, the roots that hold it: strong ones first, then by path. */
export function findPythonRoots(context: LinkContext): (topLevel: string) => readonly PythonRoot[] {
  const packages = new Set<string>();
  const folders = new Set<string>();
  for (const path of context.paths) {
    if (!SOURCE.test(path)) continue;
    const folder = folderOf(path);
    if (fileNameOf(path).startsWith('__init__.')) packages.add(folder);
    for (let above = folder; !folders.has(above); above = folderOf(above)) folders.add(above);
  }

  const strength = new Map<string, boolean>();
  const strong = ['', ...PROJECT_FILES.flatMap((name) => context.named(name)).map(folderOf)];
  for (const folder of strong)
    for (const root of [folder, joinWithin(folder, 'src')!, joinWithin(folder, 'lib')!])
      if (folders.has(root) && !packages.has(root)) strength.set(root, true);
  for (const folder of packages) {
    const parent = folderOf(folder);
    if (folder !== '' && !packages.has(parent) && !strength.has(parent))
      strength.set(parent, !SAMPLES.test(parent));
  }

  const byName = new Map<string, PythonRoot[]>();
  const add = (folder: string, name: string, isRegular: boolean) => {
    const known = byName.get(name) ?? [];
    const same = known.findIndex((root) => root.folder === folder);
    const root = { folder, isStrong: strength.get(folder)!, isRegular };
    if (same < 0) known.push(root);
    else if (isRegular) known[same] = root;
    byName.set(name, known);
  };
  for (const root of strength.keys())
    for (const path of context.within(root))
      if (SOURCE.test(path)) add(root, fileNameOf(path).replace(SOURCE, ''), true);
  for (const folder of folders) {
    const parent = folderOf(folder);
    if (folder !== '' && strength.has(parent)) add(parent, fileNameOf(folder), packages.has(folder));
  }
  for (const roots of byName.values())
    roots.sort((a, b) => Number(b.isStrong) - Number(a.isStrong) || (a.folder < b.folder ? -1 : 1));
  return (topLevel) => byName.get(topLevel) ?? [];
}
