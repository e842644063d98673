// The contract of import resolvers, one for each ecosystem.

import type { ImportReference } from './parsed-file.ts';

/** The repository as a resolver may see it: listed paths and small manifests, never the file system itself. */
export interface LinkContext {
  /** Every listed file, skipped ones included, sorted. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** True when some listed file is below this folder. */
  hasFolder(folder: string): boolean;
  /** Files whose last path segment is exactly this, sorted. */
  named(fileName: string): readonly string[];
  /** Files directly inside a folder (`''` is the root), sorted. */
  within(folder: string): readonly string[];
  /** Text of a small file such as a manifest; null when it cannot be read. */
  readText(path: string): string | null;
  /** Files that declare this package or namespace themselves (`ImportKind` `package`), sorted. */
  declaring(packageName: string): readonly string[];
}

export type Resolution =
  | { readonly kind: 'resolved'; readonly paths: readonly string[] }
  /** Standard library or an installed package: nothing in this repository is meant. */
  | { readonly kind: 'external' }
  | { readonly kind: 'unresolved' };

export type ResolveImport = (from: string, reference: ImportReference) => Resolution;

/** Reads the manifests it needs once, then answers import by import. */
export type ImportResolver = (context: LinkContext) => ResolveImport;
