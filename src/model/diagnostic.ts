/** A note about a result, which a user should be able to see. */
export interface Diagnostic {
  /** Stable, kebab-case, for programs: `file-skipped`, `index-rebuilt`, `parser-crashed`. */
  readonly code: string;
  readonly severity: 'info' | 'warning';
  readonly message: string;
  /** Relative to the repository root, with `/`. */
  readonly path?: string;
}
