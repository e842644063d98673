// The result of a scan: the state of a work tree, the links between its files, and the figures of the scan.

import type { Diagnostic } from './diagnostic.ts';
import type { FileClass, SkipReason, StatHint } from './file-entry.ts';

/** One file of a snapshot: its class, its content hash, and where the index keeps its findings. */
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
  /** The state that the list of files was made from; null when comparing it again would be expensive. */
  readonly basis: ListingBasis | null;
}

/**
 * The answers of git and the file system when the files of a repository were listed. As long as they stay the same, so
 * does the list, and only files that may have changed are looked at. Paths are relative to the root.
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
  /** Entries that git does not list: pipes and the like, and folders that cannot be read. */
  readonly hidden: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Directed edges between files of a snapshot by number: those of file `i` are `targets[starts[i]..starts[i + 1])`. */
export interface EdgeList {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
}

/**
 * The files that each import statement means, before the names it takes narrow them down. Linking a few files anew
 * starts from here. Statements of file `i` are `starts[i]..starts[i + 1]`; one with an empty list means something
 * outside of the repository.
 */
export interface StatementTargets {
  readonly starts: Uint32Array;
  /** Number of the statement among the imports of its file. */
  readonly statements: Uint32Array;
  /** Number of its list of files; equal lists are kept once. */
  readonly lists: Uint32Array;
  readonly listStarts: Uint32Array;
  readonly listTargets: Uint32Array;
}

/** How the files of a snapshot refer to each other. */
export interface FileLinks {
  /** File to the files it imports, as written. */
  readonly imports: EdgeList;
  /** File to the files that define what it imports, barrels followed. */
  readonly definers: EdgeList;
  /** Test to the sources it covers. */
  readonly tests: EdgeList;
  readonly languages: readonly LanguageLinks[];
  readonly statements?: StatementTargets;
  /** The state that the links were made from; the same basis gives the same links. */
  readonly basis: LinkBasis;
}

export interface LinkBasis {
  /** Hash over paths, languages, test roles and interfaces. */
  readonly files: string;
  /** Manifests that resolvers read, with the hash of their content. */
  readonly manifests: readonly (readonly [path: string, hash: string])[];
}

/** `full` reads every file; `incremental` only those that may have changed. */
export const SCAN_MODES = ['full', 'incremental'] as const;
export type ScanMode = (typeof SCAN_MODES)[number];

/** How many imports of a language were resolved. */
export interface LanguageLinks {
  readonly language: string;
  /** Imports that name something inside the repository or that could. */
  readonly imports: number;
  readonly resolved: number;
  /** Imports of the standard library or of installed packages: nothing to resolve here. */
  readonly external: number;
}

/** The figures of one scan, for people and for `--json`. */
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
