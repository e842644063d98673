import { type CommitHistory, MOST_FILES_OF_A_COMMIT } from '../../model/commit-history.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CommitTable } from '../format/history-codec.ts';
import { followRenames } from './follow-renames.ts';

/** The history that a table of commits, newest first, tells about the files below `prefix` (`''` or `folder/`). */
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
    const isBulk = table.fileCounts[commit]! > MOST_FILES_OF_A_COMMIT;
    for (let at = table.changeStarts[commit]!; !isBulk && at < table.changeStarts[commit + 1]!; at++) {
      const name = names[at]!;
      const path = table.paths[name]!;
      // two former names of one file
      if (lastCommit[name] === commit || !path.startsWith(prefix)) continue;
      lastCommit[name] = commit;
      if (places[name] === -1) places[name] = paths.push(path.slice(prefix.length)) - 1;
      files[length++] = places[name]!;
    }
    fileStarts[commit + 1] = length;
  }
  return { paths, fileStarts, files: files.slice(0, length) };
}
