import type { CommitHistory } from '../../model/commit-history.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { type Corpus, corpusOf } from './corpus.ts';
import type { GivenEvidence } from './given-evidence.ts';
import { type QueryTerm, queryTerms } from './query-terms.ts';
import { findWords, rarity, TermCounter, type TermHits, type TermWords } from './search-words.ts';

/** Everything that signals score files from: one task, one index, its history. */
export interface RankingContext extends Remembering {
  readonly index: IndexView;
  /** Every file of the index; its place here is its number. */
  readonly files: readonly SnapshotFile[];
  readonly corpus: Corpus;
  readonly task: TaskAnalysis;
  readonly history: CommitHistory;
  /** The number of the file at a path, or -1. */
  readonly fileAt: (path: string) => number;
  /** The words of the task, looked up in the index. */
  readonly terms: readonly LookedUpTerm[];
  /** The words of the title alone. */
  readonly titleTerms: readonly { readonly words: TermWords; readonly gain: number }[];
  /** Columns that a knowledge store has scored already. */
  readonly given: GivenEvidence;
}

/** A word of the task, and where the index has it. */
export interface LookedUpTerm extends QueryTerm {
  readonly words: TermWords;
  readonly hits: TermHits;
  /** Rarity times weight. */
  readonly gain: number;
  readonly titleGain: number;
}

/** Looks the words of a task up in an index. */
export function createRankingContext(
  index: IndexView,
  task: TaskAnalysis,
  history: CommitHistory,
  given: GivenEvidence = {},
): RankingContext {
  const { files } = index.snapshot;
  const corpus = corpusOf(index);
  const terms = lookUp(corpus, queryTerms(task));
  const titleTerms = terms
    .filter(({ titleWeight }) => titleWeight > 0)
    .map(({ words, titleGain }) => ({ words, gain: titleGain }));
  const numbers = new Map<string, number>();
  for (let file = 0; file < files.length; file++) numbers.set(files[file]!.path, file);
  const fileAt = (path: string) => numbers.get(path) ?? -1;
  return { index, files, corpus, task, history, fileAt, terms, titleTerms, given, remembered: new Map() };
}

function lookUp(corpus: Corpus, terms: readonly QueryTerm[]): LookedUpTerm[] {
  const counter = new TermCounter(corpus);
  return terms.map((term) => {
    const words = findWords(corpus, term.forms);
    const hits = counter.count(words);
    const rare = rarity(corpus.size, hits.files.length);
    return { ...term, words, hits, gain: term.weight * rare, titleGain: term.titleWeight * rare };
  });
}

/** Keeps values that were made once, for as long as the context lives. */
export interface Remembering {
  readonly remembered: Map<unknown, object>;
}

/** A value that several signals, or a score and its reason, have in common: it is made once for each context. */
export function remember<Context extends Remembering, Rest extends readonly unknown[], Value extends object>(
  make: (context: Context, ...rest: Rest) => Value,
): (context: Context, ...rest: Rest) => Value {
  return (context, ...rest) => {
    const known = context.remembered.get(make) as Value | undefined;
    if (known !== undefined) return known;
    const value = make(context, ...rest);
    context.remembered.set(make, value);
    return value;
  };
}

/** The rarity of a word that no file has, in a repository of usual size. */
const USUAL_RARITY = 8;

/**
 * The weight of all words that at least one file has: the more a task says about a repository, the larger. Words of a
 * small repository cannot be rare, so weights are brought to the scale of a usual one.
 */
export function knownWeight({ terms, corpus }: RankingContext): number {
  const known = terms.reduce((sum, { gain, hits }) => sum + (hits.files.length > 0 ? gain : 0), 0);
  return (known * USUAL_RARITY) / rarity(corpus.size, 0);
}

/** The terms that say most, strongest first. */
export const strongestTerms = remember((context: RankingContext) =>
  [...context.terms].sort((a, b) => b.gain - a.gain || (a.part < b.part ? -1 : 1)),
);

/** The files with the largest values, largest first; of equal ones the first. Files with 0 are left out. */
export function strongestFiles(strength: Float64Array, most: number): number[] {
  let found: number[] = [];
  for (let file = 0; file < strength.length; file++) if (strength[file]! > 0) found.push(file);
  if (found.length > 4 * most) {
    // numbers alone sort much faster: files below the last wanted value need no place
    const sorted = Float64Array.from(found, (file) => strength[file]!).sort();
    const least = sorted[sorted.length - most]!;
    found = found.filter((file) => strength[file]! >= least);
  }
  return found.sort((a, b) => strength[b]! - strength[a]! || a - b).slice(0, most);
}
