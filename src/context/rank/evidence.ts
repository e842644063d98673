import type { CommitHistory } from '../../model/commit-history.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SymbolMention, TaskAnalysis } from '../../model/task-analysis.ts';
import { type FoundCompound, findCompounds, scoreCompounds } from './compound-words.ts';
import { type Corpus, corpusOf } from './corpus.ts';
import type { GivenEvidence } from './given-evidence.ts';
import { type HistoryReason, historyScores } from './history-signal.ts';
import { scorePastPlaces } from './past-places.ts';
import { scoreFrames, scoreMentions, scorePathWords } from './path-signals.ts';
import { type QueryTerm, queryTerms } from './query-terms.ts';
import { scorePastScopes, scorePlaces } from './scope-signals.ts';
import { type Scope, scopesOf } from './scopes.ts';
import { bestTwo, type PassageScores, scorePassages } from './score-passages.ts';
import { type FieldWeights, rarity, scoreTerms } from './score-terms.ts';
import { strongestFiles } from './strongest-files.ts';
import {
  definersOf,
  type FoundDefinition,
  findMentioned,
  scoreMentioned,
  scoreNames,
} from './symbol-signals.ts';
import { findWords, TermCounter, type TermHits, type TermWords } from './term-hits.ts';

/** What each kind of look at the files says, by file number, 0..1: each divided by its best unless it is so already. */
type Evidence = Readonly<Record<EvidenceName, Float64Array>>;

const EVIDENCE = [
  'words',
  'titleWords',
  'definitionWords',
  'commentWords',
  'stringWords',
  'passage',
  'secondPassage',
  'pathWords',
  'titlePath',
  'names',
  'titleNames',
  'titleCompounds',
  'mentionedNames',
  'mentionedUses',
  'mentionedPaths',
  'frames',
  'scopePlaces',
  'history',
  'pastScopes',
  'pastPlaces',
  'recentlyChanged',
  'oftenChanged',
  'meaning',
] as const;

export type EvidenceName = (typeof EVIDENCE)[number];

interface LookedUpTerm extends QueryTerm {
  readonly words: TermWords;
  readonly hits: TermHits;
  /** Rarity times weight. */
  readonly gain: number;
  readonly titleGain: number;
}

export interface Gathered {
  readonly corpus: Corpus;
  readonly terms: readonly LookedUpTerm[];
  readonly evidence: Evidence;
  readonly mentioned: readonly FoundDefinition[];
  readonly uses: readonly FoundUse[];
  readonly compounds: readonly FoundCompound[];
  /** The places that the task begins with. */
  readonly scopes: readonly Scope[];
  readonly passages: ReadonlyMap<number, PassageScores>;
  /** By file: the commits that count most for it, best first. */
  readonly commits: ReadonlyMap<number, readonly HistoryReason[]>;
  /** By file: the word of the task that led commits to its place. */
  readonly leadingWords: ReadonlyMap<number, string>;
}

export const ALL_FIELDS: FieldWeights = { fields: [1, 1, 1, 3], lengthShare: 0.75, saturation: 1.2 };
export const onlyField = (field: number): FieldWeights => ({
  fields: [0, 0, 0, 0].map((_, at) => (at === field ? 1 : 0)),
  lengthShare: 0.6,
  saturation: 1.2,
});

/** Files whose passages are looked at; further down nothing comes up again. */
const PASSAGE_CANDIDATES = 300;

/** Looks at the files of an index from all sides; `given` stands for looks that somebody else has taken. */
export function gatherEvidence(
  index: IndexView,
  task: TaskAnalysis,
  history: CommitHistory,
  given: GivenEvidence = {},
): Gathered {
  const { files } = index.snapshot;
  const corpus = corpusOf(index);
  const terms = lookUp(corpus, queryTerms(task));
  const whole = terms.map(({ hits, weight }) => ({ hits, weight }));
  const title = terms.map(({ hits, titleWeight }) => ({ hits, weight: titleWeight }));
  const words = given.words ?? scoreTerms(corpus, whole, ALL_FIELDS);
  const titleWords = given.titleWords ?? scoreTerms(corpus, title, ALL_FIELDS);
  const candidates = strongest(files, words, titleWords);
  const passages = scorePassages(corpus, candidates, terms);
  const best = passages.map(bestTwo);
  const perCandidate = (value: (at: number) => number) => {
    const column = new Float64Array(files.length);
    candidates.forEach((file, at) => {
      column[file] = value(at);
    });
    return column;
  };
  const mentioned = findMentioned(corpus, task.symbols);
  const uses = findUses(corpus, task.symbols);
  const scopes = scopesOf(task.text);
  const past = lookBack(files, history, terms, scopes);
  const titleTerms = terms
    .filter(({ titleWeight }) => titleWeight > 0)
    .map(({ words: found, titleGain }) => ({ words: found, gain: titleGain }));
  const compounds = findCompounds(corpus, titleTerms);
  const columns: Record<EvidenceName, Float64Array> = {
    words,
    titleWords,
    definitionWords: given.definitionWords ?? scoreTerms(corpus, whole, onlyField(3)),
    commentWords: given.commentWords ?? scoreTerms(corpus, whole, onlyField(1)),
    stringWords: given.stringWords ?? scoreTerms(corpus, whole, onlyField(2)),
    passage: perCandidate((at) => best[at]!.first),
    secondPassage: perCandidate((at) => best[at]!.second),
    pathWords: scorePathWords(files, terms),
    titlePath: scorePathWords(
      files,
      terms.map(({ forms, titleWeight }) => ({ forms, weight: titleWeight })),
    ),
    names: scoreNames(corpus, terms),
    titleNames: scoreNames(corpus, titleTerms),
    titleCompounds: scoreCompounds(corpus, compounds),
    mentionedNames: scoreMentioned(corpus, mentioned),
    mentionedUses: scoreUses(corpus, uses),
    mentionedPaths: scoreMentions(files, task.paths),
    frames: scoreFrames(files, task.frames, (name) => definersOf(corpus, name).map(({ file }) => file)),
    scopePlaces: scorePlaces(files, scopes, task.places),
    ...past.columns,
    meaning: given.meaning ?? new Float64Array(files.length),
  };
  for (const name of CONTENT_EVIDENCE) giveToTwins(corpus, columns[name]);
  silenceUnasked(columns);
  for (const name of EVIDENCE) if (name !== 'scopePlaces') normalise(columns[name]);
  return {
    corpus,
    terms,
    evidence: columns,
    mentioned,
    uses,
    compounds,
    scopes,
    passages: new Map(candidates.map((file, at) => [file, passages[at]!])),
    commits: past.commits,
    leadingWords: past.leadingWords,
  };
}

/** What is found in the content holds for every path that has it. */
const CONTENT_EVIDENCE: readonly EvidenceName[] = [
  'words',
  'titleWords',
  'definitionWords',
  'commentWords',
  'stringWords',
  'passage',
  'secondPassage',
  'names',
  'titleNames',
  'titleCompounds',
  'mentionedNames',
  'mentionedUses',
];

/** What is known of a file whatever the task is. */
const ACTIVITY: readonly EvidenceName[] = ['recentlyChanged', 'oftenChanged'];

function lookUp(corpus: Corpus, terms: readonly QueryTerm[]): LookedUpTerm[] {
  const counter = new TermCounter(corpus);
  return terms.map((term) => {
    const words = findWords(corpus, term.forms);
    const hits = counter.count(words);
    const rare = rarity(corpus.size, hits.files.length);
    return { ...term, words, hits, gain: term.weight * rare, titleGain: term.titleWeight * rare };
  });
}

function strongest(files: readonly SnapshotFile[], words: Float64Array, title: Float64Array): number[] {
  const strength = new Float64Array(words.length);
  for (let file = 0; file < words.length; file++)
    if (words[file]! > 0 && isCandidate(files[file]!)) strength[file] = words[file]! + title[file]!;
  return strongestFiles(strength, PASSAGE_CANDIDATES);
}

function isCandidate({ classification }: SnapshotFile): boolean {
  return classification.role !== 'docs' && classification.role !== 'data';
}

function lookBack(
  files: readonly SnapshotFile[],
  history: CommitHistory,
  terms: readonly QueryTerm[],
  scopes: readonly Scope[],
) {
  const numbers = new Map<string, number>();
  for (let file = 0; file < files.length; file++) numbers.set(files[file]!.path, file);
  const fileOf = (path: string) => numbers.get(path) ?? -1;
  const words = new Map(terms.map(({ part, weight, titleWeight }) => [part, weight + titleWeight]));
  const column = new Float64Array(files.length);
  const { scores, reasons } = historyScores(history, words, fileOf);
  for (const [file, score] of scores) column[file] = score;
  const { recently, often } = changeActivity(history, files.length, fileOf);
  const places = scorePastPlaces(history, terms, files, fileOf);
  const columns = {
    history: column,
    pastScopes: scorePastScopes(history, scopes, files.length, fileOf),
    pastPlaces: places.scores,
    recentlyChanged: recently,
    oftenChanged: often,
  };
  return { columns, commits: reasons, leadingWords: places.words };
}

function giveToTwins({ twinOf, twins }: Corpus, column: Float64Array): void {
  for (const file of twins) column[file] = column[twinOf[file]!]!;
}

/** How lively a file is counts only where something in the task speaks for it: else every task matches. */
function silenceUnasked(columns: Record<EvidenceName, Float64Array>): void {
  const { recentlyChanged, oftenChanged } = columns;
  const asked = EVIDENCE.filter((name) => !ACTIVITY.includes(name)).map((name) => columns[name]);
  for (let file = 0; file < recentlyChanged.length; file++) {
    if (recentlyChanged[file] === 0 && oftenChanged[file] === 0) continue;
    if (asked.some((column) => column[file] !== 0)) continue;
    recentlyChanged[file] = 0;
    oftenChanged[file] = 0;
  }
}

function normalise(column: Float64Array): void {
  let most = 0;
  for (const value of column) if (value > most) most = value;
  if (most > 0) for (let file = 0; file < column.length; file++) column[file]! /= most;
}

/** After this many commits a change counts half as much. */
const RECENT_HALF = 200;
const OFTEN_HALF = 500;

interface ChangeActivity {
  /** By file: how lately it was changed. */
  readonly recently: Float64Array;
  /** By file: how often, large commits and old ones counting less. */
  readonly often: Float64Array;
}

/** How much work goes on in each file: where much was changed lately, more is going to be. */
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

/** A name that a task mentions, as written, with the files that have it. */
interface FoundUse {
  readonly name: string;
  /** Rarity times what the place of the mention counts. */
  readonly gain: number;
  /** How often each file has it. */
  readonly files: ReadonlyMap<number, number>;
}

const ZONE_WEIGHT: Readonly<Record<SymbolMention['zone'], number>> = {
  title: 1.5,
  lead: 1,
  prose: 1,
  code: 0.5,
  trace: 0.5,
  boilerplate: 0,
};
/** The third use in a file says little more than the second. */
const SATURATION = 1.5;
/** A pasted log names thousands of things. */
const MAX_NAMES = 100;

/** Where the names of a task stand, whoever defines them; a capital letter alone makes no name. */
export function findUses(corpus: Corpus, mentions: readonly SymbolMention[]): FoundUse[] {
  const weights = new Map<string, number>();
  for (const { name, form, zone } of mentions) {
    const weight = form === 'capitalized' ? 0 : ZONE_WEIGHT[zone];
    if (weight > 0 && (weights.has(name) || weights.size < MAX_NAMES))
      weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  const found: FoundUse[] = [];
  for (const [name, weight] of weights) {
    const files = filesWith(corpus, name);
    if (files.size > 0) found.push({ name, gain: weight * rarity(corpus.size, files.size), files });
  }
  return found;
}

function filesWith({ index, fileOf }: Corpus, name: string): Map<number, number> {
  const files = new Map<number, number>();
  fileOf.forEach((documents, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(name);
    if (word < 0) return;
    segment.eachPosting(word, (document, count) => {
      const file = documents[document] ?? -1;
      if (file >= 0) files.set(file, (files.get(file) ?? 0) + count);
    });
  });
  return files;
}

/** Files that have the rare ones of these names. */
export function scoreUses(corpus: Corpus, found: readonly FoundUse[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { gain, files } of found)
    for (const [file, count] of files) scores[file]! += (gain * count) / (count + SATURATION);
  return scores;
}
