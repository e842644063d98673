import type { Diagnostic } from './diagnostic.ts';
import type { FileClass, SkipReason, StatHint } from './file-entry.ts';

/** One file of a snapshot: what it is, what it held, and where the index keeps what was found in it. */
export interface SnapshotFile {
  readonly path: string;
  readonly language: string | null;
  readonly classification: FileClass;
  readonly skip: SkipReason | null;
  /** Content hash, the same as git's blob id; empty when the file was not read. */
  readonly hash: string;
  readonly size: number;
  /** Null when the file changed too close to the scan for the hint to be trusted. */
  readonly hint: StatHint | null;
  /** Blob id in git's index at the time of the scan, when the file was clean. */
  readonly gitBlob: string | null;
  /** Number of the segment in the snapshot's list, or -1. */
  readonly segment: number;
  readonly document: number;
  readonly symbolCount: number;
  /** Changes when what the file imports or offers changes; see `Snapshot.links`. */
  readonly interfaceHash: number;
  /** The content itself says that it is generated; `classification` adds what the path says. */
  readonly saysGenerated: boolean;
}

/** The state of one work tree at one scan. Files are sorted by path. */
export interface Snapshot {
  /** Hash over paths, contents and classes: equal ids mean equal answers. */
  readonly id: string;
  readonly root: string;
  /** Commit that `HEAD` named, or an empty string. */
  readonly gitSha: string;
  /** File names of the segments that `SnapshotFile.segment` counts. */
  readonly segments: readonly string[];
  readonly files: readonly SnapshotFile[];
  /** File name of the edges between these files. */
  readonly links: string;
  /** What the list of files rests on; null when it cannot be told cheaply whether that still holds. */
  readonly basis: ListingBasis | null;
}

/**
 * What git and the file system said when the files of a repository were listed. As long as they say the same, the
 * list is the same, and only the files that may have changed have to be looked at. Paths are relative to the root.
 */
export interface ListingBasis {
  /** State of git's index: which files are tracked, and what git remembers of each. */
  readonly gitIndex: string;
  /** Files with rules that git does not list, each with its time and size. */
  readonly rules: string;
  readonly untracked: readonly string[];
  /** Tracked files whose state on disk is not that of the index. */
  readonly modified: readonly string[];
  /** Tracked files that git was told not to look at, or that are in conflict. */
  readonly unwatched: readonly string[];
  /** Files that `.gitattributes` say something about. */
  readonly attributed: readonly string[];
  /** Folders that could have something that git does not list, with the time of their last change. */
  readonly folders: readonly (readonly [folder: string, changedMs: number])[];
  /** What git does not list: pipes and the like, and folders that cannot be read. */
  readonly hidden: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
