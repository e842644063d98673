import type { LinkContext } from '../../model/import-resolver.ts';
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
}

const DEPENDENCIES = /(^|\.)(dev-|build-)?dependencies$/;

/** Every crate of the repository, by the folder of its manifest. */
export function readCrates(context: LinkContext): ReadonlyMap<string, Crate> {
  const crates = new Map<string, Crate>();
  for (const file of context.named('Cargo.toml')) {
    const folder = folderOf(file);
    const strings = readTomlStrings(context.readText(file) ?? '');
    const valueOf = (table: string, key: string) =>
      strings.find((one) => one.table === table && one.key === key)?.value;
    const name = valueOf('lib', 'name') ?? valueOf('package', 'name');
    if (name === undefined) continue;
    const renamed = new Map<string, string>();
    for (const { table, key, value } of strings) {
      const inline = /^([\w-]+)\.package$/.exec(key)?.[1];
      if (inline && DEPENDENCIES.test(table)) renamed.set(codeName(inline), codeName(value));
      const own = /dependencies\.([\w-]+)$/.exec(table)?.[1];
      if (own && key === 'package') renamed.set(codeName(own), codeName(value));
    }
    const library = joinWithin(folder, valueOf('lib', 'path') ?? 'src/lib.rs');
    if (library !== null) crates.set(folder, { folder, name: codeName(name), libraryRoot: library, renamed });
  }
  return crates;
}

function codeName(name: string): string {
  return name.replaceAll('-', '_');
}
