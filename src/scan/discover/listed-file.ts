import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileStat } from '../../platform/fs/safe-root.ts';

/** A path as one of the two ways of listing found it. */
export interface ListedFile {
  readonly path: string;
  /** Null when the path is known but cannot be looked at. */
  readonly stat: FileStat | null;
  /** The root of another repository: listed, never entered. */
  readonly isRepository: boolean;
  readonly gitBlob: string | null;
}

export interface FileListing {
  readonly files: readonly ListedFile[];
  readonly diagnostics: readonly Diagnostic[];
}
