import type { ImportReference } from '../../model/import-reference.ts';
import type { ImportResolver, LinkContext, Resolution, ResolveImport } from '../../model/import-resolver.ts';
import type { LanguageLinks } from '../../model/scan-result.ts';
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
  /** With the other side's names. */
  readonly reference: ImportReference;
  /** With those of this side, too. */
  readonly written: ImportReference;
  readonly targets: readonly string[];
}

/** One import statement, by its number among those of its file, and all files that it may mean; none for what is outside. */
export interface StatementMeaning {
  readonly statement: number;
  readonly targets: readonly string[];
}

/** The resolved imports of all files. */
export interface ImportGraph {
  /** Only files that import something of the repository, in the order of their statements. */
  readonly byFile: ReadonlyMap<string, readonly ResolvedImport[]>;
  /** Before the names that a statement takes narrow its targets down. */
  readonly meanings: ReadonlyMap<string, readonly StatementMeaning[]>;
  readonly links: readonly LanguageLinks[];
}

/** More files than this for one import: a package, not a module. */
const WHOLE_PACKAGE = 8;
/** Longer specifiers are not real imports, and the patterns of resolvers would take long on them. */
const MAX_SPECIFIER = 1_000;

/** How the imports of a language came out. */
export interface LinkCount {
  imports: number;
  resolved: number;
  external: number;
}

/** Resolves every import once. What a resolver answers counts only if the repository lists it. */
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

/** Of what the statements of a file may mean, what the names they take leave over. */
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
      // what is not found may be of a library or of the language itself
      if (reference.kind !== 'autoload') tally(count, resolution);
      // a statement without targets is one that leads out
      if (resolution.kind === 'external' && reference.kind !== 'autoload')
        found.push({ statement, targets: [] });
      if (resolution.kind !== 'resolved') return;
      const targets = listedTargets(resolution.paths, path);
      if (targets.length > 0) found.push({ statement, targets });
    });
    return found;
  };
}

/** Languages of one ecosystem share a resolver, and with it everything that it has read and found. */
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

function tally(count: LinkCount, resolution: Resolution): void {
  if (resolution.kind === 'external') count.external++;
  else {
    count.imports++;
    if (resolution.kind === 'resolved') count.resolved++;
  }
}

/** The listed strings themselves, so that resolvers' copies can be freed; a file does not import itself. */
function createListedTargets(
  context: LinkContext,
): (paths: readonly string[], self: string) => readonly string[] {
  const listed = new Map<string, readonly string[]>(context.paths.map((path) => [path, [path]]));
  // whole packages are answered with the same list again and again
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
 * Of a whole package named for a few things, the files that define one. When none is known to, all of a small
 * package; in a large one it is generated code that is meant, and any edge would be a guess.
 */
function narrowed(
  targets: readonly string[],
  names: readonly string[],
  exportsOf: (path: string) => ReadonlySet<string>,
): readonly string[] {
  // no more files than names: each name may well have a file of its own
  if (names.length === 0 || targets.length <= names.length || names.includes('*')) return targets;
  const defining = targets.filter((target) => {
    const defined = exportsOf(target);
    return names.some((name) => defined.has(name));
  });
  return defining.length > 0 || targets.length > WHOLE_PACKAGE ? defining : targets;
}
