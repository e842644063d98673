import type { CommitHistory } from '../../model/commit-history.ts';

export interface HistoryReason {
  readonly commit: string;
  readonly subject: string;
  /** 0..1: 1 is the commit that resembles the task most. */
  readonly similarity: number;
}

export interface HistoryScores {
  /** By file number; only files that some resembling commit changed. */
  readonly scores: ReadonlyMap<number, number>;
  /** The commits that count most for the file, best first. */
  readonly reasons: ReadonlyMap<number, readonly HistoryReason[]>;
}

/**
 * Okapi BM25; messages are short, so that a word which comes twice says more than in a file. This value, the power
 * and the way of sharing were chosen on the development sets of the relevance bench.
 */
const SATURATION = 3;
const LENGTH_INFLUENCE = 0.75;
/** Many commits resemble a task a little: only a high power keeps their sum below the few that resemble it much. */
const POWER = 4;
/** A word in the first line counts this many times. */
const SUBJECT_WEIGHT = 2;
/** Whose message IS the task must not silence all others: nobody is taken to be much more like it than the third. */
const OUTLIER_RANK = 3;
const OUTLIER_FACTOR = 1.4;
const MAX_REASONS = 3;

/**
 * Files that past commits like this task have changed. Each commit gives a power of its message's likeness to the task;
 * the more files it changed, the less each of them gets.
 */
export function historyScores(
  history: CommitHistory,
  words: ReadonlyMap<string, number>,
  fileOf: (path: string) => number,
): HistoryScores {
  const likeness = relativeToBest(likenessToTask(history, words));
  const scores = new Map<number, number>();
  const reasons = new Map<number, HistoryReason[]>();
  const numbers = history.paths.map(fileOf);
  for (const { commit, share } of sharesByCommit(history, likeness)) {
    const reason: HistoryReason = {
      commit: history.ids[commit]!,
      subject: history.subjects[commit]!,
      similarity: likeness[commit]!,
    };
    for (let at = history.fileStarts[commit]!; at < history.fileStarts[commit + 1]!; at++) {
      const file = numbers[history.files[at]!]!;
      if (file < 0) continue;
      scores.set(file, (scores.get(file) ?? 0) + share);
      const known = reasons.get(file);
      if (known === undefined) reasons.set(file, [reason]);
      else if (known.length < MAX_REASONS) known.push(reason);
    }
  }
  return { scores, reasons };
}

/** BM25 of each commit's message, the first line counting more. */
function likenessToTask(history: CommitHistory, words: ReadonlyMap<string, number>): Float64Array {
  const count = history.ids.length;
  const likeness = new Float64Array(count);
  const lengths = Float64Array.from(
    history.subjectLengths,
    (length, commit) => length * SUBJECT_WEIGHT + history.bodyLengths[commit]!,
  );
  const meanLength = lengths.reduce((total, length) => total + length, 0) / Math.max(count, 1) || 1;
  const damping = lengths.map(
    (length) => SATURATION * (1 - LENGTH_INFLUENCE + (LENGTH_INFLUENCE * length) / meanLength),
  );
  for (const [word, weight] of words) {
    const place = findWord(history.words, word);
    if (place === -1 || !(weight > 0)) continue;
    const [start, end] = [history.postingStarts[place]!, history.postingStarts[place + 1]!];
    const rarity = Math.log(1 + (count - (end - start) + 0.5) / (end - start + 0.5));
    for (let at = start; at < end; at++) {
      const commit = history.postingCommits[at]!;
      const counts = history.postingCounts[at]!;
      const frequency = (counts >> 4) * SUBJECT_WEIGHT + (counts & 15);
      likeness[commit]! += (weight * rarity * frequency * (SATURATION + 1)) / (frequency + damping[commit]!);
    }
  }
  return likeness;
}

/** Where a word stands in a sorted list, or -1. */
export function findWord(words: readonly string[], word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word ? low : -1;
}

/** 0..1, with the outliers among them held down. */
function relativeToBest(likeness: Float64Array): Float64Array {
  const sorted = likeness.slice().sort();
  const best = sorted.at(-1) ?? 0;
  const reference = sorted.at(-OUTLIER_RANK) ?? 0;
  const most = reference > 0 ? Math.min(best, reference * OUTLIER_FACTOR) : best;
  return most > 0 ? likeness.map((value) => Math.min(value / most, 1)) : likeness;
}

interface CommitShare {
  readonly commit: number;
  /** What each file of the commit gets. */
  readonly share: number;
}

/** Largest share first; of equal ones the newer. */
function sharesByCommit(history: CommitHistory, likeness: Float64Array): CommitShare[] {
  const shares: CommitShare[] = [];
  for (let commit = 0; commit < likeness.length; commit++) {
    if (likeness[commit] === 0 || history.fileStarts[commit] === history.fileStarts[commit + 1]) continue;
    shares.push({
      commit,
      share: likeness[commit]! ** POWER / Math.sqrt(history.fileCounts[commit]!),
    });
  }
  return shares.sort((a, b) => b.share - a.share || a.commit - b.commit);
}
