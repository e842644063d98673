import type { LinkContext } from '../../../model/import-resolver.ts';
import { folderOf, joinWithin } from './repository-path.ts';
import { readTomlStrings } from './toml-strings.ts';

export interface Crate {
  readonly folder: string;
  /** As code names it, with `_`. */
  readonly name: string;
  /** The file at the root of the library's module tree. */
  readonly libraryRoot: string;
  /** Name used in code to the crate it means, where the manifest renames one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Edition 2015: paths of `use` start at the root of the crate. */
  readonly isFirstEdition: boolean;
}

const DEPENDENCIES = /(^|\.)(dev-|build-)?dependencies$/;

/** Every crate of the repository, by the folder of its manifest. */
export function readCrates(context: LinkContext): ReadonlyMap<string, Crate> {
  const crates = new Map<string, Crate>();
  for (const file of context.named('Cargo.toml')) {
    const folder = folderOf(file);
    const text = context.readText(file) ?? '';
    const strings = readTomlStrings(text);
    const stringAt = (table: string, key: string) =>
      strings.find((one) => one.table === table && one.key === key)?.value;
    const name = stringAt('lib', 'name') ?? stringAt('package', 'name');
    if (name === undefined) continue;
    const renamed = new Map<string, string>();
    for (const { table, key, value } of strings) {
      const inline = /^([\w-]+)\.package$/.exec(key)?.[1];
      if (inline && DEPENDENCIES.test(table)) renamed.set(codeName(inline), codeName(value));
      const own = /dependencies\.([\w-]+)$/.exec(table)?.[1];
      if (own && key === 'package') renamed.set(codeName(own), codeName(value));
    }
    const libraryRoot = joinWithin(folder, stringAt('lib', 'path') ?? 'src/lib.rs');
    // no edition at all means 2015; one that is not a string here comes from the workspace
    const edition = stringAt('package', 'edition');
    const isFirstEdition = edition === '2015' || !/^[ \t]*edition\b/m.test(text);
    if (libraryRoot !== null)
      crates.set(folder, { folder, name: codeName(name), libraryRoot, renamed, isFirstEdition });
  }
  return crates;
}

function codeName(name: string): string {
  return name.replaceAll('-', '_');
}
