// Resolves import statements to listed files. Resolvers know one language each; this file asks them, keeps only files
// that the repository lists, and counts the results.

import type { ImportResolver, LinkContext, Resolution, ResolveImport } from '../../model/import-resolver.ts';
import type { ImportReference } from '../../model/parsed-file.ts';
import type { LanguageLinks } from '../../model/snapshot.ts';
import { withoutRenames } from './find-definers.ts';

/** A file as the link stage needs it. */
export interface LinkInput {
  readonly path: string;
  /** `id` in the language table, or null. */
  readonly language: string | null;
  readonly imports: readonly ImportReference[];
  readonly isTest: boolean;
}

/** One import statement and the listed files that it means. */
export interface ResolvedImport {
  /** With the names that the other file has. */
  readonly reference: ImportReference;
  /** With local names as well, as in `a as b`. */
  readonly written: ImportReference;
  readonly targets: readonly string[];
}

/**
 * One import statement, by its number in its file, and all files that it may mean. No targets: it leads out of the
 * repository.
 */
export interface StatementMeaning {
  readonly statement: number;
  readonly targets: readonly string[];
}

/** The resolved imports of all files. */
export interface ImportGraph {
  /** Only files that import something of the repository, in the order of their statements. */
  readonly byFile: ReadonlyMap<string, readonly ResolvedImport[]>;
  /** All targets, before the imported names narrow them down. */
  readonly meanings: ReadonlyMap<string, readonly StatementMeaning[]>;
  readonly links: readonly LanguageLinks[];
}

/** More targets than this for one import are a package, not a module. */
const WHOLE_PACKAGE = 8;
/** Longer specifiers are not real imports, and the patterns of resolvers would take long on them. */
const MAX_SPECIFIER = 1_000;

/** How many imports of a language were resolved. */
export interface LinkCount {
  /** All imports of files in the repository; those of libraries are in `external`. */
  imports: number;
  resolved: number;
  external: number;
}

/** Resolves every import once. A resolver may answer anything; only files that the repository lists count. */
export function buildImportGraph(
  files: readonly LinkInput[],
  context: LinkContext,
  resolverOf: (language: string) => ImportResolver | null,
  exportsOf: (path: string) => ReadonlySet<string>,
): ImportGraph {
  const meaningOf = createMeaningOf(context, resolverOf);
  const counts = new Map<string, LinkCount>();
  const byFile = new Map<string, readonly ResolvedImport[]>();
  const meanings = new Map<string, readonly StatementMeaning[]>();

  for (const file of files) {
    const { path, language, imports } = file;
    if (language === null || imports.length === 0) continue;
    const count = counts.get(language) ?? { imports: 0, resolved: 0, external: 0 };
    const found = meaningOf(file, count);
    if (!found) continue;
    counts.set(language, count);
    if (found.length > 0) meanings.set(path, found);
    const resolved = resolveImports(imports, found, exportsOf);
    if (resolved.length > 0) byFile.set(path, resolved);
  }

  const links = [...counts]
    .map(([language, count]) => ({ language, ...count }))
    .sort((left, right) => (left.language < right.language ? -1 : 1));
  return { byFile, meanings, links };
}

/** The targets of a file's statements, narrowed down by the names that they import. */
export function resolveImports(
  imports: readonly ImportReference[],
  meanings: readonly StatementMeaning[],
  exportsOf: (path: string) => ReadonlySet<string>,
): readonly ResolvedImport[] {
  const resolved: ResolvedImport[] = [];
  for (const { statement, targets: all } of meanings) {
    const written = imports[statement]!;
    const reference = withoutRenames(written);
    const targets = all.length > 1 ? narrowed(all, reference.names, exportsOf) : all;
    if (targets.length > 0) resolved.push({ reference, written, targets });
  }
  return resolved;
}

/** Answers what the statements of a file mean and adds them to a count; null for a language without a resolver. */
export function createMeaningOf(
  context: LinkContext,
  resolverOf: (language: string) => ImportResolver | null,
): (file: Pick<LinkInput, 'path' | 'language' | 'imports'>, count: LinkCount) => StatementMeaning[] | null {
  const listedTargets = createListedTargets(context);
  const resolveOf = createResolveOf(context, resolverOf);
  return ({ path, language, imports }, count) => {
    const resolve = language === null ? null : resolveOf(language);
    if (!resolve) return null;
    const found: StatementMeaning[] = [];
    imports.forEach((reference, statement) => {
      if (reference.kind === 'package') return;
      const isHostile = reference.specifier.length > MAX_SPECIFIER;
      const resolution: Resolution = isHostile
        ? { kind: 'unresolved' }
        : resolve(path, withoutRenames(reference));
      // A name that is loaded without a statement may belong to a library or to the language, so not finding it is not
      // a failure.
      if (reference.kind !== 'autoload') tally(count, resolution);
      // No targets: the statement leads out of the repository.
      if (resolution.kind === 'external' && reference.kind !== 'autoload')
        found.push({ statement, targets: [] });
      if (resolution.kind !== 'resolved') return;
      const targets = listedTargets(resolution.paths, path);
      if (targets.length > 0) found.push({ statement, targets });
    });
    return found;
  };
}

/** Languages of one ecosystem share a resolver, and with it all manifests that it has read. */
function createResolveOf(
  context: LinkContext,
  resolverOf: (language: string) => ImportResolver | null,
): (language: string) => ResolveImport | null {
  const byLanguage = new Map<string, ResolveImport | null>();
  const byResolver = new Map<ImportResolver, ResolveImport>();
  return (language) => {
    let resolve = byLanguage.get(language);
    if (resolve === undefined) {
      const resolver = resolverOf(language);
      resolve = resolver ? (byResolver.get(resolver) ?? resolver(context)) : null;
      if (resolver && resolve) byResolver.set(resolver, resolve);
      byLanguage.set(language, resolve);
    }
    return resolve;
  };
}

/** External imports are not part of the total: there is nothing in the repository to find. */
function tally(count: LinkCount, resolution: Resolution): void {
  if (resolution.kind === 'external') count.external++;
  else {
    count.imports++;
    if (resolution.kind === 'resolved') count.resolved++;
  }
}

/**
 * Returns listed paths as the strings of the listing, so that the copies of resolvers can be freed. A file does not
 * import itself.
 */
function createListedTargets(
  context: LinkContext,
): (paths: readonly string[], self: string) => readonly string[] {
  const listed = new Map<string, readonly string[]>(context.paths.map((path) => [path, [path]]));
  // Resolvers answer an import of a package with the same list each time.
  const packages = new Map<readonly string[], readonly string[]>();

  function targetsOf(paths: readonly string[]): readonly string[] {
    if (paths.length === 1) return listed.get(paths[0]!) ?? [];
    let targets = packages.get(paths);
    if (!targets) {
      targets = paths.flatMap((path) => listed.get(path) ?? []);
      if (paths.length > WHOLE_PACKAGE) packages.set(paths, targets);
    }
    return targets;
  }

  return (paths, self) => {
    const targets = targetsOf(paths);
    return targets.includes(self) ? targets.filter((path) => path !== self) : targets;
  };
}

/**
 * Of a package that is imported for a few names, the files that define one of them. When no file is known to, all files
 * of a small package; for a large one none, because the name is likely generated and any edge would be a guess.
 */
function narrowed(
  targets: readonly string[],
  names: readonly string[],
  exportsOf: (path: string) => ReadonlySet<string>,
): readonly string[] {
  // No more files than names: each name may have a file of its own.
  if (names.length === 0 || targets.length <= names.length || names.includes('*')) return targets;
  const defining = targets.filter((target) => {
    const defined = exportsOf(target);
    return names.some((name) => defined.has(name));
  });
  return defining.length > 0 || targets.length > WHOLE_PACKAGE ? defining : targets;
}
