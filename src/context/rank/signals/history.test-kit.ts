import { type CommitHistory, emptyHistory } from '../../../model/commit-history.ts';

export interface HistoryCommit {
  readonly subject: string;
  readonly body?: string;
  readonly files: readonly string[];
  readonly fileCount?: number;
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** A history of these commits, newest first. */
export function historyOf(commits: readonly HistoryCommit[]): CommitHistory {
  const texts = commits.map(({ subject, body = '' }) => [wordsOf(subject), wordsOf(body)] as const);
  const words = [...new Set(texts.flat(2))].sort();
  const paths = [...new Set(commits.flatMap(({ files }) => files))];
  const times = (list: readonly string[], word: string) =>
    Math.min(list.filter((one) => one === word).length, 15);
  const postings = words.map((word) =>
    texts.flatMap(([subject, body], commit) => {
      const counts = (times(subject, word) << 4) | times(body, word);
      return counts === 0 ? [] : [{ commit, counts }];
    }),
  );
  return {
    ...emptyHistory(),
    ids: commits.map((_, at) => at.toString(16).padStart(40, '0')),
    subjects: commits.map(({ subject }) => subject),
    fileCounts: Uint32Array.from(commits, ({ files, fileCount }) => fileCount ?? files.length),
    paths,
    fileStarts: startsOf(commits.map(({ files }) => files.length)),
    files: Uint32Array.from(commits.flatMap(({ files }) => files.map((file) => paths.indexOf(file)))),
    words,
    postingStarts: startsOf(postings.map(({ length }) => length)),
    postingCommits: Uint32Array.from(postings.flat(), ({ commit }) => commit),
    postingCounts: Uint8Array.from(postings.flat(), ({ counts }) => counts),
    subjectLengths: Uint32Array.from(texts, ([subject]) => subject.length),
    bodyLengths: Uint32Array.from(texts, ([, body]) => body.length),
  };
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [at, length] of lengths.entries()) starts[at + 1] = starts[at]! + length;
  return starts;
}
