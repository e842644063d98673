import type { CommitHistory } from '../../model/commit-history.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { RankedFile, RankedSymbol, Signal } from '../../model/ranking.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { gatherEvidence } from './evidence.ts';
import { type FileHint, hintedFiles } from './file-hints.ts';
import { filePrior } from './file-prior.ts';
import { type EvidenceColumns, type SideSums, signalsOf, sumSides } from './fuse.ts';
import type { GivenEvidence } from './given-evidence.ts';
import { gatherGraphEvidence } from './graph-evidence.ts';
import { rankSymbols } from './rank-symbols.ts';
import { EVIDENCE_WEIGHTS } from './ranking-weights.ts';
import { createReasonDetails, type ReasonDetails, type ShownTexts } from './reason-details.ts';

export interface RankOptions {
  /** How much structure and text count; divided by their sum. */
  readonly weights: { readonly ast: number; readonly semantic: number };
  /** Files that may be returned; all if absent. */
  readonly allow?: (path: string) => boolean;
  /** Told of each file that has something to do with the task and may not be returned, with how much. */
  readonly onLeftOut?: (path: string, strength: number) => void;
  /** Found for this repository by `loadout eval --tune`; the neighbours are found as always. */
  readonly multipliers?: Readonly<Record<Signal, number>>;
  /** What is known from elsewhere to matter for tasks like this one. */
  readonly hints?: readonly FileHint[];
  /** Looks at the text that a knowledge store has taken; the index itself is asked where it says nothing. */
  readonly given?: GivenEvidence;
  readonly limit: number;
  /** Takes secrets out of what is shown, before it is cut. */
  readonly shown?: ShownTexts;
  /** Files with a lower combined score are not returned. */
  readonly minRelevance: number;
}

const AS_THEY_ARE: ShownTexts = { name: (name) => name, message: (text) => text };

/** The balance that the weights of the evidence were found at: other settings shift from here. */
const LEARNED = { ast: 0.6, semantic: 0.4 };

/** Below 1: weak files come closer to the best one, without passing each other. */
const BEND = 0.6;

/** What a hint can add, as a share of the best file: enough to be seen, too little to lead by itself. */
const HINT_SHARE = 0.25;

/** Ranks the files of an index by how much a task needs them, best first. */
export function rankFiles(
  index: IndexView,
  task: TaskAnalysis,
  history: CommitHistory,
  options: RankOptions,
): RankedFile[] {
  const { files } = index.snapshot;
  const gathered = gatherEvidence(index, task, history, options.given);
  const first = sumSides(gathered.evidence, files.length);
  const strength = first.structure.map((value, file) => value + first.text[file]!);
  const columns: EvidenceColumns = {
    ...gathered.evidence,
    ...gatherGraphEvidence(files, index.links, strength),
  };
  const sums = sumSides(columns, files.length, options.multipliers);
  const hinted = hintedFiles(gathered.corpus, options.hints ?? []);
  addHints(sums, hinted);
  files.forEach((file, number) => {
    if (sums.structure[number] === 0 && sums.text[number] === 0) return;
    const isLeftOut = options.allow?.(file.path) === false;
    if (isLeftOut) options.onLeftOut?.(file.path, sums.structure[number]! + sums.text[number]!);
    // there is nothing to see in an empty file: only a word about the file itself brings it in
    const isNamed =
      columns.mentionedPaths![number]! > 0 || columns.frames![number]! > 0 || hinted.has(number);
    const isOut = file.segment < 0 || isLeftOut || (file.size === 0 && !isNamed);
    const prior = isOut ? 0 : filePrior(file, task);
    sums.structure[number]! *= prior;
    sums.text[number]! *= prior;
  });
  const scores = toScores(sums, options.weights);
  // what a reader sees decides: equal scores go by path, and the least relevance holds for the printed number
  const combined = scores.combined.map(round);
  const order = [...files.keys()]
    .filter((file) => combined[file]! > 0 && combined[file]! >= options.minRelevance)
    .sort((a, b) => combined[b]! - combined[a]! || (files[a]!.path < files[b]!.path ? -1 : 1))
    .slice(0, options.limit);
  const lines = rankSymbols(gathered, order);
  const mayName = (path: string) => options.allow?.(path) !== false;
  const namesIn = (file: number) => lines.get(file)!.names;
  const { shown = AS_THEY_ARE } = options;
  const sources = { gathered, frames: task.frames, places: task.places, strength, namesIn, mayName, shown };
  const details = createReasonDetails(sources, order);
  return order.map((file) => {
    const signals = signalsOf(columns, file);
    const { symbols: found, spans } = lines.get(file)!;
    const symbols = found.map((symbol) => ({ ...symbol, name: shown.name(symbol.name) }));
    const hint = hinted.get(file);
    const reasons = explain(columns, file, symbols, details);
    return {
      path: files[file]!.path,
      combinedScore: combined[file]!,
      astScore: round(scores.ast[file]!),
      semanticScore: round(scores.semantic[file]!),
      signals: mapValues(signals, round),
      symbols,
      spans,
      reasons: hint ? [...reasons, shown.message(hint.reason)] : reasons,
    };
  });
}

function addHints({ structure, text }: SideSums, hinted: ReturnType<typeof hintedFiles>): void {
  if (hinted.size === 0) return;
  const best = structure.reduce((most, value, file) => Math.max(most, value + text[file]!), 0);
  for (const [file, { strength }] of hinted) structure[file]! += HINT_SHARE * strength * best;
}

/**
 * Scores of a task's files in 0..1. A file's score is its summed evidence as a share of the best file's, bent so that
 * a fifth of the best still counts as relevant, and split between the sides as the evidence is. With the default
 * weights the order is that of the sums; no side goes above 1.
 */
function toScores({ structure, text }: SideSums, weights: RankOptions['weights']) {
  const sums = structure.map((value, file) => value + text[file]!);
  const best = sums.reduce((most, value) => Math.max(most, value), 0) || 1;
  const bend = sums.map((sum) => (sum > 0 ? (sum / best) ** BEND / sum : 0));
  const ast = structure.map((value, file) => (value * bend[file]!) / LEARNED.ast);
  const semantic = text.map((value, file) => (value * bend[file]!) / LEARNED.semantic);
  const largest = Math.max(1, highest(ast), highest(semantic));
  const whole = weights.ast + weights.semantic || 1;
  for (let file = 0; file < sums.length; file++) {
    ast[file]! /= largest;
    semantic[file]! /= largest;
  }
  const combined = ast.map(
    (value, file) => (weights.ast * value + weights.semantic * semantic[file]!) / whole,
  );
  return { ast, semantic, combined };
}

function highest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function mapValues<Key extends string>(
  values: Readonly<Record<Key, number>>,
  change: (value: number) => number,
): Record<Key, number> {
  const entries = Object.entries<number>(values).map(([key, value]) => [key, change(value)]);
  return Object.fromEntries(entries) as Record<Key, number>;
}

type Kind = keyof typeof EVIDENCE_WEIGHTS;

/** Looks that a person would call the same reason: under whose name they are told. */
const TOLD_AS: Readonly<Partial<Record<Kind, Kind>>> = {
  titleWords: 'words',
  secondPassage: 'passage',
  titlePath: 'pathWords',
  titleNames: 'names',
  oftenChanged: 'recentlyChanged',
};

const MAX_REASONS = 3;
const WORTH_SAYING = 0.1;

/** Why a file is where it is, strongest reason first. */
function explain(
  columns: EvidenceColumns,
  file: number,
  symbols: readonly RankedSymbol[],
  details: ReasonDetails,
): readonly string[] {
  const reasons = strongestKinds(columns, file).map((kind) => wordingOf(kind, file, details));
  const top = symbols[0];
  return top ? [...reasons, `see ${top.name}, line ${top.startLine}`] : reasons;
}

function strongestKinds(columns: EvidenceColumns, file: number): Kind[] {
  const worths = new Map<Kind, number>();
  for (const name of Object.keys(EVIDENCE_WEIGHTS) as Kind[]) {
    const worth = EVIDENCE_WEIGHTS[name].weight * (columns[name]?.[file] ?? 0);
    const kind = toldAs(name, columns, file);
    worths.set(kind, (worths.get(kind) ?? 0) + worth);
  }
  return [...worths]
    .filter(([, worth]) => worth >= WORTH_SAYING)
    .sort(([a, worthA], [b, worthB]) => worthB - worthA || (a < b ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(([kind]) => kind);
}

/** Who defines a name also has it: the definition is what there is to say. */
function toldAs(name: Kind, { mentionedNames }: EvidenceColumns, file: number): Kind {
  if (name === 'mentionedUses' && (mentionedNames?.[file] ?? 0) > 0) return 'mentionedNames';
  return TOLD_AS[name] ?? name;
}

/** What a kind of evidence means to a person; with the thing itself where it can be named. */
function wordingOf(kind: Kind, file: number, details: ReasonDetails): string {
  switch (kind) {
    case 'definitionWords':
      return (
        told('defines names with', details.words(file, 'definition')) ?? 'defines names like the task’s words'
      );
    case 'commentWords':
      return told('comments contain', details.words(file, 'comment')) ?? 'comments contain words of the task';
    case 'stringWords':
      return told('strings contain', details.words(file, 'string')) ?? 'strings contain words of the task';
    case 'passage':
      return told('best match in', details.passage(file)) ?? 'one passage matches the task';
    case 'meaning':
      return 'close to the task in meaning';
    case 'pathWords':
      return told('path contains', details.pathWords(file)) ?? 'path contains words of the task';
    case 'mentionedPaths':
      return 'the task names this file';
    case 'frames':
      return told('the stack trace has its', details.frame(file)) ?? 'it is in the stack trace';
    case 'names':
      return named('defines', details.definition(file), ', named like the task');
    case 'mentionedNames':
      return named('defines', details.mentioned(file), ', which the task mentions');
    case 'mentionedUses':
      return named('contains', details.uses(file), ', which the task mentions');
    case 'titleCompounds':
      return named('contains', details.compounds(file), ', made of words of the title');
    case 'scopePlaces':
      return (
        told('it is in', details.domainFolder(file), 'of the domain that was named') ??
        `it is at ${details.scopes()}, with which the task begins`
      );
    case 'pastScopes':
      return `changed by commits that begin with ${details.scopes()}`;
    case 'pastPlaces':
      return (
        told('commits mentioning', details.leadingWord(file), 'changed this place') ??
        'commits with words of the task changed this place'
      );
    case 'history':
      return told('changed by', details.commit(file)) ?? 'commits like this task changed it';
    case 'recentlyChanged':
      return 'changed recently';
    case 'usedByStrong':
      return told('used by', details.user(file)) ?? 'used by top matches';
    case 'usesStrong':
      return told('uses', details.used(file)) ?? 'uses top matches';
    case 'testedByStrong':
      return told('covered by', details.test(file)) ?? 'tests that match the task cover it';
    case 'besideStrong':
      return told('same folder as', details.neighbour(file)) ?? 'same folder as top matches';
    default:
      return told('contains', details.words(file, 'any')) ?? 'contains many words of the task';
  }
}

function named(front: string, names: string, behind: string): string {
  return `${front} ${names || 'something'}${behind}`;
}

function told(front: string, thing: string, behind = ''): string | null {
  return thing === '' ? null : `${front} ${thing} ${behind}`.trimEnd();
}
