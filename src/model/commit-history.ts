// The commit history as ranking uses it.

import type { Diagnostic } from './diagnostic.ts';

/** A commit that changes more files than this says nothing about any of them. */
export const MAX_FILES_OF_A_COMMIT = 200;

/**
 * Facts about files from past commits: the commits that `HEAD` reaches, without merges, newest first. All lists
 * have one entry per commit unless they say otherwise; `starts` lists have one more, so that the part of entry
 * `i` is `starts[i]..starts[i + 1]`.
 */
export interface CommitHistory {
  readonly ids: readonly string[];
  /** First lines of the messages. */
  readonly subjects: readonly string[];
  /** How many files each commit changed, whether or not `files` names them. */
  readonly fileCounts: Uint32Array;
  /** Files that some commit changed: what they are called today, below the root, in order of their last change. */
  readonly paths: readonly string[];
  readonly fileStarts: Uint32Array;
  /** Places in `paths`; none for a commit that changed more than `MAX_FILES_OF_A_COMMIT`. */
  readonly files: Uint32Array;
  /** Words that messages answer to (see `wordParts`), sorted by UTF-16 code units. */
  readonly words: readonly string[];
  /** One part per word. */
  readonly postingStarts: Uint32Array;
  /** Commits whose message has the word, newest first. */
  readonly postingCommits: Uint32Array;
  /** How often: `inSubject << 4 | inBody`, each at most 15. */
  readonly postingCounts: Uint8Array;
  readonly subjectLengths: Uint32Array;
  readonly bodyLengths: Uint32Array;
  readonly diagnostics: readonly Diagnostic[];
}

/** The history of a folder without commits. */
export function emptyHistory(diagnostics: readonly Diagnostic[] = []): CommitHistory {
  const none = new Uint32Array(0);
  const starts = new Uint32Array(1);
  return {
    ids: [],
    subjects: [],
    fileCounts: none,
    paths: [],
    fileStarts: starts,
    files: none,
    words: [],
    postingStarts: starts,
    postingCommits: none,
    postingCounts: new Uint8Array(0),
    subjectLengths: none,
    bodyLengths: none,
    diagnostics,
  };
}
