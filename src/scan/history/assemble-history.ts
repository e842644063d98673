// Turns stored commits into the history that ranking uses: the commits of each word, and the files of each commit under
// their names of today.
import { type CommitHistory, MAX_FILES_OF_A_COMMIT } from '../../model/commit-history.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type CommitTable, PLAIN, RENAMED } from '../format/index.ts';

/** The history of the files below `prefix` (`''` or `folder/`). The commits of the table are newest first. */
export function assembleHistory(
  table: CommitTable,
  prefix: string,
  diagnostics: readonly Diagnostic[],
): CommitHistory {
  return {
    ids: table.ids,
    subjects: table.subjects,
    fileCounts: table.fileCounts,
    ...filesOf(table, prefix),
    words: table.words,
    postingStarts: table.postings.starts,
    postingCommits: table.postings.commits,
    postingCounts: table.postings.counts,
    subjectLengths: table.subjectLengths,
    bodyLengths: table.bodyLengths,
    diagnostics,
  };
}

/** The files of each commit. Commits that changed very many files say nothing about any of them. */
function filesOf(table: CommitTable, prefix: string): Pick<CommitHistory, 'paths' | 'fileStarts' | 'files'> {
  const names = followRenames(table);
  const count = table.ids.length;
  const paths: string[] = [];
  const places = new Int32Array(table.paths.length).fill(-1);
  const lastCommit = new Int32Array(table.paths.length).fill(-1);
  const fileStarts = new Uint32Array(count + 1);
  const files = new Uint32Array(names.length);
  let length = 0;
  for (let commit = 0; commit < count; commit++) {
    const isBulk = table.fileCounts[commit]! > MAX_FILES_OF_A_COMMIT;
    for (let at = table.changeStarts[commit]!; !isBulk && at < table.changeStarts[commit + 1]!; at++) {
      const name = names[at]!;
      const path = table.paths[name]!;
      // Two former names of the same file.
      if (lastCommit[name] === commit || !path.startsWith(prefix)) continue;
      lastCommit[name] = commit;
      if (places[name] === -1) places[name] = paths.push(path.slice(prefix.length)) - 1;
      files[length++] = places[name]!;
    }
    fileStarts[commit + 1] = length;
  }
  return { paths, fileStarts, files: files.slice(0, length) };
}

/** Steps at most: renames that were undone on another branch could lead in a circle. */
const MAX_CHAIN = 16;

/**
 * The current name of each changed file, as a place in `paths`. Going from new to old commits, a rename says what older
 * commits mean by the former name.
 */
function followRenames(table: CommitTable): Uint32Array {
  const { paths, changeStarts, changedPaths, changeOrigins } = table;
  const today = new Uint32Array(paths.length);
  for (let path = 0; path < today.length; path++) today[path] = path;
  /** Paths that a newer commit has created again. Their name alone does not say which file is meant. */
  const createdLater = new Uint8Array(paths.length);
  /** The current name of a path for commits that do not know a rename on another branch; -1 when there is none. */
  const elsewhere = new Int32Array(paths.length).fill(-1);
  const names = new Uint32Array(changedPaths.length);
  for (let commit = 0; commit + 1 < changeStarts.length; commit++) {
    const [start, end] = [changeStarts[commit]!, changeStarts[commit + 1]!];
    for (let at = start; at < end; at++) {
      names[at] = today[changedPaths[at]!]!;
      if (changeOrigins[at] !== PLAIN) createdLater[changedPaths[at]!] = 1;
    }
    // Only when all names of the commit are known: two files may have swapped their names.
    for (let at = start; at < end; at++) {
      if (changeOrigins[at]! < RENAMED) continue;
      const from = changeOrigins[at]! - RENAMED;
      today[from] = names[at]!;
      if (createdLater[from] === 0) elsewhere[from] = names[at]!;
    }
  }
  for (let at = 0; at < names.length; at++) {
    let name = names[at]!;
    for (let step = 0; step < MAX_CHAIN && elsewhere[name] !== -1; step++) name = elsewhere[name]!;
    names[at] = name;
  }
  return names;
}
