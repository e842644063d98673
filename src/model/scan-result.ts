import type { Diagnostic } from './diagnostic.ts';
import type { SkipReason } from './file-entry.ts';

export const SCAN_MODES = ['full', 'incremental'] as const;
export type ScanMode = (typeof SCAN_MODES)[number];

export interface LanguageLinks {
  readonly language: string;
  /** Imports that name something inside the repository or that could. */
  readonly imports: number;
  readonly resolved: number;
  /** Imports of the standard library or of installed packages: nothing to resolve here. */
  readonly external: number;
}

export interface ScanResult {
  readonly filesScanned: number;
  readonly filesChanged: number;
  readonly filesSkipped: readonly { readonly path: string; readonly reason: SkipReason }[];
  readonly symbolsIndexed: number;
  readonly dependenciesIndexed: number;
  readonly durationSeconds: number;
  /** Commit that `HEAD` names, or an empty string outside git. */
  readonly gitSha: string;
  readonly mode: ScanMode;
  readonly links: readonly LanguageLinks[];
  readonly diagnostics: readonly Diagnostic[];
}
