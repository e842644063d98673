// Names of packages outside of the repository, for imports that lead out. Context packages and `scan --ast-context` use them.
import { builtinModules } from 'node:module';
import type { ImportResolver } from '../../../model/import-resolver.ts';
import type { IndexView } from '../../../model/index-view.ts';
import { languageById } from '../languages/table.ts';
import { csharpResolver } from './csharp.ts';
import { dartResolver } from './dart.ts';
import { goResolver } from './go.ts';
import { javascriptResolver } from './javascript.ts';
import { jvmResolver } from './jvm.ts';
import { phpResolver } from './php.ts';
import { PYTHON_STANDARD_LIBRARY, pythonResolver } from './python.ts';
import { rubyResolver } from './ruby.ts';
import { rustResolver } from './rust.ts';

/** The name of the package; null when the import is part of the language. */
type PackageOf = (specifier: string) => string | null;

/** Modules that come with Node and with Ruby. They are not packages. */
const NODE_MODULES: ReadonlySet<string> = new Set(builtinModules);
const RUBY_LIBRARY: ReadonlySet<string> = new Set(
  `json set time date uri net pathname yaml fileutils securerandom digest openssl stringio tempfile logger erb csv
  bigdecimal forwardable singleton ostruct optparse open3 socket timeout benchmark zlib english delegate monitor
  objspace etc io open-uri shellwords strscan tmpdir weakref psych rbconfig ripper tsort find observer`.split(
    /\s+/,
  ),
);
/** Hosts whose modules have an owner and a name. */
const OWNED = /^(?:github\.com|gitlab\.com|bitbucket\.org|golang\.org)\//;

/** The rule of each ecosystem, by its resolver. */
const PACKAGE_OF = new Map<ImportResolver, PackageOf>([
  [
    javascriptResolver,
    (specifier) => {
      if (!/^@?[a-z\d]/i.test(specifier) || /^[a-z]+:/i.test(specifier)) return null;
      const name = firstOf(specifier, '/', specifier.startsWith('@') ? 2 : 1);
      return NODE_MODULES.has(name) ? null : name;
    },
  ],
  [
    pythonResolver,
    (specifier) => {
      const name = firstOf(specifier, '.', 1);
      return name === '' || PYTHON_STANDARD_LIBRARY.has(name) ? null : name;
    },
  ],
  [
    goResolver,
    (specifier) =>
      firstOf(specifier, '/', 1).includes('.')
        ? firstOf(specifier, '/', OWNED.test(specifier) ? 3 : 2)
        : null,
  ],
  [
    rustResolver,
    (specifier) => {
      const name = firstOf(specifier.replace(/^::/, ''), '::', 1);
      return /^(?:std|core|alloc|crate|self|super|proc_macro)?$/.test(name) ? null : name;
    },
  ],
  [
    jvmResolver,
    (specifier) => {
      if (/^(?:java|javax|jdk|sun|kotlin|scala)\b/.test(specifier)) return null;
      const folders = specifier.split('.').filter((part) => /^[a-z]/.test(part));
      return folders.slice(0, 3).join('.') || null;
    },
  ],
  [csharpResolver, (specifier) => (/^System\b/.test(specifier) ? null : firstOf(specifier, '.', 2))],
  [
    phpResolver,
    (specifier) => (specifier.includes('\\') ? firstOf(specifier.replace(/^\\/, ''), '\\', 2) : null),
  ],
  [dartResolver, (specifier) => /^package:([^/]+)/.exec(specifier)?.[1] ?? null],
  [
    rubyResolver,
    (specifier) => {
      const name = firstOf(specifier, '/', 1);
      return name === '' || name.startsWith('.') || RUBY_LIBRARY.has(name.toLowerCase()) ? null : name;
    },
  ],
]);

/** The first parts of a specifier: `@scope/name` of `@scope/name/sub/path`. */
function firstOf(specifier: string, separator: string, count: number): string {
  return specifier.split(separator, count).join(separator);
}

/** The package that an external import names; null when it names none. */
export function externalPackage(language: string | null, specifier: string): string | null {
  const resolver = languageById(language)?.resolver;
  return (resolver && PACKAGE_OF.get(resolver)?.(specifier)) ?? null;
}

/** The packages outside of the repository that a file imports, each once, in the order of its imports. */
export function externalPackages(
  index: Pick<IndexView, 'snapshot' | 'links' | 'segmentOf'>,
  number: number,
): string[] {
  const { snapshot, links } = index;
  const file = snapshot.files[number]!;
  const table = links.statements;
  if (!table || file.document < 0) return [];
  // Statements without targets lead out of the repository, see `StatementTargets`.
  const external = new Set<number>();
  for (let at = table.starts[number]!; at < table.starts[number + 1]!; at++) {
    const list = table.lists[at]!;
    if (table.listStarts[list] === table.listStarts[list + 1]) external.add(table.statements[at]!);
  }
  if (external.size === 0) return [];
  const imports = index.segmentOf(file).imports(file.document);
  const names = imports.flatMap(({ specifier }, at) =>
    external.has(at) ? (externalPackage(file.language, specifier) ?? []) : [],
  );
  return [...new Set(names)];
}
