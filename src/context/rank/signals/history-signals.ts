import type { CommitHistory } from '../../../model/commit-history.ts';
import { type RankingContext, remember } from '../ranking-context.ts';
import { onOneLine, type ReasonContext, type SignalDefinition, told } from './signal.ts';

/** Commits whose message is like the task changed the file. */
export const history: SignalDefinition = {
  name: 'history',
  group: 'history',
  score: (context) => {
    const column = new Float64Array(context.files.length);
    for (const [file, score] of resemblingCommits(context).scores) column[file] = score;
    return column;
  },
  reason: (file, context) =>
    told('changed by', bestCommit(file, context), 'commits like this task changed it'),
};

/** The file was changed a short time ago. */
export const recentlyChanged: SignalDefinition = {
  name: 'recentlyChanged',
  group: 'history',
  needsAnother: true,
  score: (context) => activityOf(context).recently,
  reason: () => 'changed recently',
};

/** The file is changed often. */
export const oftenChanged: SignalDefinition = {
  ...recentlyChanged,
  name: 'oftenChanged',
  toldAs: 'recentlyChanged',
  score: (context) => activityOf(context).often,
};

const resemblingCommits = remember((context: RankingContext) => {
  const words = context.terms.map(({ part, weight, titleWeight }) => [part, weight + titleWeight] as const);
  return historyScores(context.history, new Map(words), context.fileAt);
});

const activityOf = remember((context: RankingContext) =>
  changeActivity(context.history, context.files.length, context.fileAt),
);

function bestCommit(file: number, { ranking, shown }: ReasonContext): string {
  const best = resemblingCommits(ranking).reasons.get(file)?.[0];
  return best ? `commit ${best.commit.slice(0, 7)}: ${onOneLine(shown.message(best.subject))}` : '';
}

interface HistoryReason {
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
/** A commit whose message is the task itself must not silence all others: the third best limits the best. */
const OUTLIER_RANK = 3;
const OUTLIER_FACTOR = 1.4;
const MAX_REASONS = 3;

/**
 * Files that past commits like this task have changed. Each commit gives a power of its message's likeness to the task;
 * the more files it changed, the less each of them gets.
 */
export function historyScores(
  commits: CommitHistory,
  words: ReadonlyMap<string, number>,
  fileOf: (path: string) => number,
): HistoryScores {
  const likeness = relativeToBest(likenessToTask(commits, words));
  const scores = new Map<number, number>();
  const reasons = new Map<number, HistoryReason[]>();
  const numbers = commits.paths.map(fileOf);
  for (const { commit, share } of sharesByCommit(commits, likeness)) {
    const reason: HistoryReason = {
      commit: commits.ids[commit]!,
      subject: commits.subjects[commit]!,
      similarity: likeness[commit]!,
    };
    for (let at = commits.fileStarts[commit]!; at < commits.fileStarts[commit + 1]!; at++) {
      const file = numbers[commits.files[at]!]!;
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
function likenessToTask(commits: CommitHistory, words: ReadonlyMap<string, number>): Float64Array {
  const count = commits.ids.length;
  const likeness = new Float64Array(count);
  const lengths = Float64Array.from(
    commits.subjectLengths,
    (length, commit) => length * SUBJECT_WEIGHT + commits.bodyLengths[commit]!,
  );
  const meanLength = lengths.reduce((total, length) => total + length, 0) / Math.max(count, 1) || 1;
  const damping = lengths.map(
    (length) => SATURATION * (1 - LENGTH_INFLUENCE + (LENGTH_INFLUENCE * length) / meanLength),
  );
  for (const [word, weight] of words) {
    const place = findWord(commits.words, word);
    if (place === -1 || !(weight > 0)) continue;
    const [start, end] = [commits.postingStarts[place]!, commits.postingStarts[place + 1]!];
    const rarity = Math.log(1 + (count - (end - start) + 0.5) / (end - start + 0.5));
    for (let at = start; at < end; at++) {
      const commit = commits.postingCommits[at]!;
      const counts = commits.postingCounts[at]!;
      const frequency = (counts >> 4) * SUBJECT_WEIGHT + (counts & 15);
      likeness[commit]! += (weight * rarity * frequency * (SATURATION + 1)) / (frequency + damping[commit]!);
    }
  }
  return likeness;
}

/** The place of a word in a sorted list, or -1. */
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
function sharesByCommit(commits: CommitHistory, likeness: Float64Array): CommitShare[] {
  const shares: CommitShare[] = [];
  for (let commit = 0; commit < likeness.length; commit++) {
    if (likeness[commit] === 0 || commits.fileStarts[commit] === commits.fileStarts[commit + 1]) continue;
    shares.push({
      commit,
      share: likeness[commit]! ** POWER / Math.sqrt(commits.fileCounts[commit]!),
    });
  }
  return shares.sort((a, b) => b.share - a.share || a.commit - b.commit);
}

/** After this many commits a change counts half as much. */
const RECENT_HALF = 200;
const OFTEN_HALF = 500;

interface ChangeActivity {
  /** By file: how recently it was changed. */
  readonly recently: Float64Array;
  /** By file: how often, large commits and old ones counting less. */
  readonly often: Float64Array;
}

/** How much work goes on in each file: a file that changed often and recently is likely to change again. */
export function changeActivity(
  history: CommitHistory,
  fileCount: number,
  fileOf: (path: string) => number,
): ChangeActivity {
  const activity = { recently: new Float64Array(fileCount), often: new Float64Array(fileCount) };
  const numbers = history.paths.map(fileOf);
  for (let commit = 0; commit < history.ids.length; commit++) {
    const first = history.fileStarts[commit]!;
    const last = history.fileStarts[commit + 1]!;
    for (let at = first; at < last; at++) {
      const file = numbers[history.files[at]!]!;
      if (file < 0) continue;
      activity.recently[file] = Math.max(activity.recently[file]!, 1 / (1 + commit / RECENT_HALF));
      activity.often[file]! += 1 / (1 + commit / OFTEN_HALF) / (last - first);
    }
  }
  return activity;
}

/** A commit that the task names, or whose subject has the number of an issue of the task, changed the file. */
export const numberedCommits: SignalDefinition = {
  name: 'numberedCommits',
  group: 'history',
  isShare: true,
  score: (context) => numberedOf(context).scores,
  reason: (file, context) => {
    const { history } = context.ranking;
    const commit = numberedOf(context.ranking).commits.get(file);
    if (commit === undefined) return '';
    const subject = onOneLine(context.shown.message(history.subjects[commit]!));
    return told('the task names commit', `${history.ids[commit]!.slice(0, 7)}: ${subject}`, '');
  },
};

const numberedOf = remember(({ task, history, files, fileAt }: RankingContext) =>
  scoreNumbered(history, referencesOf(task.text), files.length, fileAt),
);

/** Numbers of issues, and the beginnings of commit ids, that a text has. */
export interface TaskReferences {
  readonly numbers: ReadonlySet<string>;
  readonly commits: readonly string[];
}

/** Short numbers are places in a list, and too many issues have them as a part of something else. */
const NUMBERS = [
  /(?:^|[^\w&/#])#(\d{3,7})\b(?!\s{1,4}0x)/g,
  /\/(?:issues?|pulls?|merge_requests|ticket|tickets|bugs?)\/(\d{2,7})\b/g,
  /\b(?:gh|bpo|issue|ticket|bug|pr)[-_ /]#?(\d{3,7})\b/gi,
];
/** With a digit and a letter; a number alone is a number, a word alone a word. */
const COMMIT = /\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b/g;
const MAX_REFERENCES = 30;
/** Of a long text; a pasted log is full of numbers. */
const MAX_CHARACTERS = 20_000;

export function referencesOf(text: string): TaskReferences {
  const read = text.slice(0, MAX_CHARACTERS);
  const numbers = new Set<string>();
  for (const pattern of NUMBERS)
    for (const [, number] of read.matchAll(pattern))
      if (numbers.size < MAX_REFERENCES) numbers.add(number!.replace(/^0+/, ''));
  const commits = new Set<string>();
  for (const [id] of read.matchAll(COMMIT)) if (commits.size < MAX_REFERENCES) commits.add(id);
  return { numbers, commits: [...commits] };
}

export interface NumberedCommits {
  /** By file number, 0..1. */
  readonly scores: Float64Array;
  /** By file: the commit that says most. */
  readonly commits: ReadonlyMap<number, number>;
}

const IN_SUBJECT = /#(\d{2,7})\b|\b(?:gh|bpo)-(\d{2,7})\b/gi;

/** Files that commits with these numbers or ids changed; a commit of many files says little about each. */
export function scoreNumbered(
  history: CommitHistory,
  { numbers, commits: ids }: TaskReferences,
  fileCount: number,
  fileOf: (path: string) => number,
): NumberedCommits {
  const scores = new Float64Array(fileCount);
  const commits = new Map<number, number>();
  if (numbers.size === 0 && ids.length === 0) return { scores, commits };
  const known = new Map<number, number>();
  const numberOf = (path: number): number => {
    let file = known.get(path);
    if (file === undefined) {
      file = fileOf(history.paths[path]!);
      known.set(path, file);
    }
    return file;
  };
  history.ids.forEach((id, commit) => {
    if (!hasNumber(history.subjects[commit]!, numbers) && !ids.some((start) => id.startsWith(start))) return;
    const share = 1 / Math.sqrt(Math.max(1, history.fileCounts[commit]!));
    for (let at = history.fileStarts[commit]!; at < history.fileStarts[commit + 1]!; at++) {
      const file = numberOf(history.files[at]!);
      if (file < 0 || share <= scores[file]!) continue;
      scores[file] = share;
      commits.set(file, commit);
    }
  });
  return { scores, commits };
}

function hasNumber(subject: string, numbers: ReadonlySet<string>): boolean {
  if (numbers.size === 0) return false;
  for (const [, hash, named] of subject.matchAll(IN_SUBJECT)) if (numbers.has((hash ?? named)!)) return true;
  return false;
}
