/**
 * - `import`: brings names of another module into scope
 * - `reexport`: passes names of another module on (`export * from`, `pub use`)
 * - `include`: textual inclusion (`#include`, `source`)
 * - `module`: declares a child module that lives in another file (`mod foo;`)
 * - `package`: says to which package or namespace this file itself belongs
 * - `autoload`: no statement, but the names of a file that a framework may load by themselves; once for a file
 */
export type ImportKind = 'import' | 'reexport' | 'include' | 'module' | 'package' | 'autoload';

/** Names another module in a line of its own, which can be shown. */
export function isStatement({ kind }: Pick<ImportReference, 'kind'>): boolean {
  return kind !== 'package' && kind !== 'autoload';
}

export interface ImportReference {
  readonly kind: ImportKind;
  /** What the source names, without quotes: `./auth`, `django.db.models`, `crate::net::tcp`, `stdio.h`. */
  readonly specifier: string;
  /**
   * Names taken from there, as the other side calls them, or `theirs as ours`; `*` for all; empty when only the
   * module is named.
   */
  readonly names: readonly string[];
  /** The statement's lines, 1-based and inclusive. */
  readonly line: number;
  readonly endLine: number;
}
