import type { LineSpan, RankedFile, RankedSymbol, Signal } from '../../model/ranking.ts';
import { isFiller } from '../../model/stop-words.ts';
import { type Evidence, type EvidenceColumns, signalsOf } from './evidence.ts';
import { formWeight, type WordForms, wordForms } from './query-terms.ts';
import { rankSymbols } from './rank-symbols.ts';
import { type LookedUpTerm, type RankingContext, remember } from './ranking-context.ts';
import { type FileScores, type RankOptions, round } from './score-files.ts';
import { eachOccurrence } from './search-words.ts';
import { isBelow, scopePlaces } from './signals/scope-signals.ts';
import {
  MAX_NAMED,
  type RankingSignal,
  type ReasonContext,
  type ShownTexts,
  shownName,
} from './signals/signal.ts';
import { RANKING_SIGNALS } from './signals/table.ts';
import { namedTerms } from './signals/word-signals.ts';

const AS_THEY_ARE: ShownTexts = { name: (name) => name, message: (text) => text };

/** The files to return, with the definitions and lines that matter and the reasons, as people read them. */
export function describeFiles(
  context: RankingContext,
  evidence: Evidence,
  scores: FileScores,
  order: readonly number[],
  { allow, shown = AS_THEY_ARE }: RankOptions,
): RankedFile[] {
  const lines = rankSymbols(context, order, (file) => scores.combined[file]!);
  const reasoning: ReasonContext = {
    ranking: context,
    order,
    strength: evidence.strength,
    namesIn: (file) => lines.get(file)!.names,
    mayName: (path) => allow?.(path) !== false,
    shown,
    remembered: new Map(),
  };
  return order.map((file) => {
    const { symbols: found, blocks, spans } = lines.get(file)!;
    const symbols = found.map((symbol) => ({
      ...symbol,
      name: shown.name(symbol.name),
      words: symbol.words.filter(isTelling).map(shown.name),
    }));
    const hint = scores.hinted.get(file);
    const reasons = explain(evidence.columns, file, { symbols, spans }, reasoning);
    return {
      path: context.files[file]!.path,
      combinedScore: scores.combined[file]!,
      astScore: round(scores.ast[file]!),
      semanticScore: round(scores.semantic[file]!),
      signals: mapValues(signalsOf(evidence.columns, file), round),
      symbols,
      blocks: blocks.map((block) => ({ ...block, words: block.words.map(shown.name) })),
      spans,
      reasons: hint ? [...reasons, shown.message(hint.reason)] : reasons,
    };
  });
}

const MAX_REASONS = 3;
/** Characters: a reason is read in a table. */
const MAX_REASON = 160;
const WORTH_SAYING = 0.1;

/** Where to look in a file. */
type Places = Pick<RankedFile, 'symbols' | 'spans'>;

/** Why a file is where it is, strongest reason first. Each thing is said once. */
function explain(
  columns: EvidenceColumns,
  file: number,
  places: Places,
  context: ReasonContext,
): readonly string[] {
  const { files, task } = context.ranking;
  const isNamed = task.places.some((place) => isBelow(files[file]!.path, place));
  const strongest = strongestSignals(columns, file);
  // The caller named the domain, so it comes first: it lifts the file whatever else speaks for it.
  const told = isNamed
    ? [scopePlaces, ...strongest.filter(({ name }) => name !== scopePlaces.name)]
    : strongest;
  const reasons = told.slice(0, MAX_REASONS).flatMap((signal) => {
    if (signal.name === CONTENT) return contentReason(file, places, context);
    return withoutFillers(signal.reason(file, context));
  });
  const [top] = places.symbols;
  const isSaid =
    top === undefined || reasons.some((reason) => reason.includes(` in ${placeName(top, context)}`));
  const all = isSaid ? reasons : [...reasons, `see ${top.name}, line ${top.startLine}`];
  return [...new Set(all.map(bounded))];
}

const bounded = (reason: string): string => {
  const characters = [...reason];
  return characters.length <= MAX_REASON ? reason : `${characters.slice(0, MAX_REASON - 1).join('')}…`;
};

/** The signals about words in the content of a file: people call them all one reason, which goes by the first. */
const CONTENT = 'words';
const ABOUT_CONTENT: ReadonlySet<string> = new Set([
  CONTENT,
  'titleWords',
  'definitionWords',
  'commentWords',
  'stringWords',
  'passage',
  'secondPassage',
]);

/** Parts of contractions, beside the words that say little in any task: "won't", "can't". */
const PIECES = new Set(['wo', 'ca', 'ain', 'hasn', 'hadn', 'mustn', 'needn', 'mightn', 'comes', 'coming']);

const isTelling = (word: string): boolean => !isFiller(word) && !PIECES.has(word);

const QUOTED_WORDS = /“[^”]*”(?:, “[^”]*”)*/;

/** A reason without the words that say nothing; none when no word is left. */
function withoutFillers(reason: string): readonly string[] {
  const [found] = QUOTED_WORDS.exec(reason) ?? [];
  if (found === undefined) return [reason];
  const words = found.split(', ').map((word) => word.slice(1, -1));
  const kept = distinct(words.filter(isTelling), (word) => wordForms(word)).map((word) => `“${word}”`);
  return kept.length === 0 ? [] : [reason.replace(found, () => kept.join(', '))];
}

/** `contains “expired” 4x, “ttl” in parse_token, lines 140-161`: the words at the best place of a file. */
function contentReason(file: number, { symbols, spans }: Places, context: ReasonContext): readonly string[] {
  const found = occurrencesByFile(context).get(context.ranking.corpus.twinOf[file]!) ?? [];
  const [symbol] = symbols;
  const [span] = spans;
  const inSymbol = symbol ? countWithin(found, symbol) : '';
  if (symbol && inSymbol !== '')
    return [`contains ${inSymbol} in ${placeName(symbol, context)}, ${linesOf(symbol)}`];
  const inSpan = span ? countWithin(found, span) : '';
  if (span && inSpan !== '') return [`contains ${inSpan} in ${linesOf(span)}`];
  const anywhere = countWithin(found, { startLine: 1, endLine: Number.POSITIVE_INFINITY });
  return anywhere === '' ? [] : [`contains ${anywhere}`];
}

const linesOf = ({ startLine, endLine }: LineSpan): string =>
  startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;

const placeName = ({ name }: RankedSymbol, context: ReasonContext): string => shownName(context, name);

/** Each word once: “expire” and “expired” are one word to a reader, and “token” is in “tokenstore”. */
function distinct<Found>(found: readonly Found[], formsOf: (one: Found) => WordForms): Found[] {
  return found.filter((one, at) => {
    const { word } = formsOf(one);
    const before = found.slice(0, at).map(formsOf);
    return !before.some((forms) => forms.word.includes(word) || formWeight(forms, word) > 0);
  });
}

/** A word of the task in a file. */
interface FoundTerm {
  readonly term: LookedUpTerm;
  /** Lines of the word itself, and of its other forms. */
  readonly exact: number[];
  readonly variants: number[];
}

/** Words that a reason may name; the rest of a long task says too little. */
const MAX_TERMS = 20;
/** A word counts less where only another form of it is there. */
const WEIGHT_OF_EXACT = 0.65;

/** The strongest words of the task in each file that is returned. */
const occurrencesByFile = remember((context: ReasonContext): Map<number, FoundTerm[]> => {
  const { corpus } = context.ranking;
  const wanted = new Set(context.order.map((file) => corpus.twinOf[file]!));
  const byFile = new Map<number, FoundTerm[]>();
  const terms = namedTerms(context).filter(({ part }) => isTelling(part));
  for (const term of terms.slice(0, MAX_TERMS))
    eachOccurrence(corpus, term.words, (file, weight, _count, positions, kept) => {
      if (!wanted.has(file)) return;
      const known = byFile.get(file) ?? [];
      if (known.length === 0) byFile.set(file, known);
      const last = known.at(-1);
      const found = last?.term === term ? last : { term, exact: [], variants: [] };
      if (found !== last) known.push(found);
      const lines = weight > WEIGHT_OF_EXACT ? found.exact : found.variants;
      for (let at = 0; at < kept; at++) lines.push(positions[at]! >>> 2);
    });
  return byFile;
});

/** The words between two lines with how often they come, the most telling first; empty when there is none. */
function countWithin(found: readonly FoundTerm[], { startLine, endLine }: LineSpan): string {
  const inside = (lines: readonly number[]) =>
    lines.filter((line) => line >= startLine && line <= endLine).length;
  const counted = found
    .map(({ term, exact, variants }) => {
      const count = inside(exact) || inside(variants);
      return { term, count, worth: (term.gain * count) / (count + 1) };
    })
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.worth - a.worth || (a.term.part < b.term.part ? -1 : 1));
  return distinct(counted, ({ term }) => term.forms)
    .slice(0, MAX_NAMED)
    .map(({ term, count }) => `“${term.part}”${count > 1 ? ` ${count}x` : ''}`)
    .join(', ');
}

const BY_NAME: ReadonlyMap<string, RankingSignal> = new Map(
  RANKING_SIGNALS.map((signal) => [signal.name, signal]),
);

/** The signals that gave a file most; signals that people would call the same reason count together. */
function strongestSignals(columns: EvidenceColumns, file: number): RankingSignal[] {
  const worths = new Map<RankingSignal, number>();
  for (const signal of RANKING_SIGNALS) {
    const worth = signal.weight * (columns[signal.name]?.[file] ?? 0);
    const other = signal.toldAs === undefined ? undefined : BY_NAME.get(signal.toldAs);
    const told = other && (columns[other.name]?.[file] ?? 0) > 0 ? other : signal;
    worths.set(told, (worths.get(told) ?? 0) + worth);
  }
  // Many signals look at the content: the best of them says how strong the one reason for all is.
  const content = BY_NAME.get(CONTENT)!;
  for (const [signal, worth] of [...worths])
    if (ABOUT_CONTENT.has(signal.name) && signal !== content) {
      worths.delete(signal);
      worths.set(content, Math.max(worth, worths.get(content) ?? 0));
    }
  return [...worths]
    .filter(([, worth]) => worth >= WORTH_SAYING)
    .sort(([a, worthA], [b, worthB]) => worthB - worthA || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(([signal]) => signal);
}

function mapValues(
  values: Readonly<Record<Signal, number>>,
  change: (value: number) => number,
): Record<Signal, number> {
  const entries = Object.entries(values).map(([key, value]) => [key, change(value)]);
  return Object.fromEntries(entries) as Record<Signal, number>;
}
