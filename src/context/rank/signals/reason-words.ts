import type { LineSpan } from '../../../model/ranking.ts';
import { isFiller } from '../../../model/stop-words.ts';
import { formWeight, type WordForms, wordForms } from '../query-terms.ts';
import { type LookedUpTerm, remember, strongestTerms } from '../ranking-context.ts';
import { eachOccurrence } from '../search-words.ts';
import { MAX_NAMED, type ReasonContext, shownName } from './signal.ts';

// The words that reasons name: which of them say something, and where a file has them.

/** Terms that can be a reason; the rest of a long task says too little. */
const MAX_TERMS = 40;

/** The terms that a reason may name, strongest first. */
export function namedTerms({ ranking }: ReasonContext): readonly LookedUpTerm[] {
  return strongestTerms(ranking).slice(0, MAX_TERMS);
}

/** Parts of contractions, beside the words that say little in any task: "won't", "can't". */
const PIECES = new Set(['wo', 'ca', 'ain', 'hasn', 'hadn', 'mustn', 'needn', 'mightn', 'comes', 'coming']);

/** Whether a word says something about a task, so that a reason may name it. */
export const isTelling = (word: string): boolean => !isFiller(word) && !PIECES.has(word);

/** Words in quotation marks, each once, without those that say nothing; empty when no word is left. */
export function quotedWords(words: readonly string[]): string {
  return distinct(words.filter(isTelling), wordForms)
    .map((word) => `“${word}”`)
    .join(', ');
}

/** `contains “expired” 4x, “ttl” in parse_token, lines 140-161`: the words at the best place of a file. */
export function contentReason(file: number, context: ReasonContext): string {
  const found = occurrencesByFile(context).get(context.ranking.corpus.twinOf[file]!) ?? [];
  const { symbols, spans } = context.placesIn(file);
  const [symbol] = symbols;
  const [span] = spans;
  const inSymbol = symbol ? countWithin(found, symbol) : '';
  if (symbol && inSymbol !== '')
    return `contains ${inSymbol} in ${shownName(context, symbol.name)}, ${linesOf(symbol)}`;
  const inSpan = span ? countWithin(found, span) : '';
  if (span && inSpan !== '') return `contains ${inSpan} in ${linesOf(span)}`;
  const anywhere = countWithin(found, { startLine: 1, endLine: Number.POSITIVE_INFINITY });
  return anywhere === '' ? '' : `contains ${anywhere}`;
}

const linesOf = ({ startLine, endLine }: LineSpan): string =>
  startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;

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

/** Terms whose places in a file are looked up: each takes time. */
const MAX_LOOKED_UP = 20;
/** A word counts less where only another form of it is there. */
const WEIGHT_OF_EXACT = 0.65;

/** The strongest words of the task in each file that is returned. */
const occurrencesByFile = remember((context: ReasonContext): Map<number, FoundTerm[]> => {
  const { corpus } = context.ranking;
  const wanted = new Set(context.order.map((file) => corpus.twinOf[file]!));
  const byFile = new Map<number, FoundTerm[]>();
  const terms = namedTerms(context).filter(({ part }) => isTelling(part));
  for (const term of terms.slice(0, MAX_LOOKED_UP))
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
