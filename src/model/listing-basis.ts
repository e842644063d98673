import type { Diagnostic } from './diagnostic.ts';

/**
 * What git and the file system said when the files of a repository were listed. As long as they say the same, the
 * list is the same, and only the files that may have changed have to be looked at. Paths are relative to the root.
 */
export interface ListingBasis {
  /** State of git's index: which files are tracked, and what git remembers of each. */
  readonly gitIndex: string;
  /** Files with rules that stand in no listing, each with its time and size. */
  readonly rules: string;
  readonly untracked: readonly string[];
  /** Tracked files whose state on disk is not that of the index. */
  readonly modified: readonly string[];
  /** Tracked files that git was told not to look at, or that are in conflict. */
  readonly unwatched: readonly string[];
  /** Files that `.gitattributes` say something about. */
  readonly attributed: readonly string[];
  /** Folders in which something that git does not list could lie, with the time of their last change. */
  readonly folders: readonly (readonly [folder: string, changedMs: number])[];
  /** What git does not list: pipes and the like, and folders that cannot be read. */
  readonly hidden: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
