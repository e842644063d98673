// Ranks the definitions of some files: which of them, and which lines of long ones, does the task seem to need?
import { DOCUMENT } from '../../model/index-view.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import type { LineSpan, RankedBlock, RankedSymbol } from '../../model/ranking.ts';
import { wordParts } from '../../model/word-parts.ts';
import { DefinitionTable, type InTask, type JudgedUnit } from './definition-table.ts';
import { formWeight } from './query-terms.ts';
import { type LookedUpTerm, type RankingContext, strongestTerms } from './ranking-context.ts';
import { eachOccurrence } from './search-words.ts';
import { mentionedIn } from './signals/name-signals.ts';

/** The weight of a word, by its field. */
const FIELD_GAIN: Readonly<Record<number, number>> = {
  [WORD_FIELD.code]: 1,
  [WORD_FIELD.comment]: 0.8,
  [WORD_FIELD.string]: 1,
  [WORD_FIELD.definition]: 3,
};
/** Further terms are common words: they take most of the time and change nothing. */
const MAX_TERMS = 60;
const MAX_SYMBOLS = 40;
const MAX_BLOCKS = 6;
/** Definitions that are less likely than this share of the best one of their file are not listed. */
const SMALLEST_SCORE = 0.03;

interface RankedLines {
  readonly symbols: readonly RankedSymbol[];
  readonly blocks: readonly RankedBlock[];
  readonly spans: readonly LineSpan[];
  /** Names of all definitions of the file. */
  readonly names: readonly string[];
}

/** For the files of a ranking, best first: the definitions and lines that the task seems to need. */
export function rankSymbols(
  context: RankingContext,
  files: readonly number[],
  scoreOf: (file: number) => number = () => 1,
): ReadonlyMap<number, RankedLines> {
  const { index, twinOf } = context.corpus;
  const judged = judgeDefinitions(context, files, scoreOf);
  const ranked = new Map<number, RankedLines>();
  for (const file of files) {
    const { segment, document } = index.snapshot.files[file]!;
    const table = judged.tables.get(twinOf[file]!);
    const { symbols, blocks } = table ? listed(table, judged.byFile.get(file)!) : NOTHING;
    const spans = symbols.map(({ startLine, endLine }) => ({ startLine, endLine }));
    const lineCount = segment < 0 ? 0 : index.segment(segment).document(document, DOCUMENT.lineCount);
    const isPlain = table !== undefined && spans.length === 0;
    ranked.set(file, {
      symbols,
      blocks,
      spans: isPlain ? bestLines(table.gains, lineCount) : spans,
      names: table?.names ?? [],
    });
  }
  return ranked;
}

interface JudgedDefinitions {
  readonly tables: ReadonlyMap<number, DefinitionTable>;
  /** By file: every definition that has anything of the task. */
  readonly byFile: ReadonlyMap<number, readonly JudgedUnit[]>;
}

/** Gathers the evidence of every definition of these files, and asks the model about each. */
export function judgeDefinitions(
  context: RankingContext,
  files: readonly number[],
  scoreOf: (file: number) => number,
): JudgedDefinitions {
  const { index, twinOf } = context.corpus;
  const terms = strongestTerms(context).slice(0, MAX_TERMS);
  // Count the words of the task in every definition.
  const tables = new Map<number, DefinitionTable>();
  for (const file of files) {
    const { segment, document } = index.snapshot.files[file]!;
    if (segment < 0 || tables.has(twinOf[file]!)) continue;
    const view = index.segment(segment);
    const lineCount = view.document(document, DOCUMENT.lineCount);
    tables.set(twinOf[file]!, new DefinitionTable(view.symbols(document), lineCount));
  }
  countTerms(context, terms, tables);
  // Add the definitions whose very name the task mentions.
  const mentioned = mentionedSymbols(context);
  for (const [file, table] of tables) table.close(mentioned.get(file));
  // Compare each definition with the best of its file, and ask the model.
  const wholeGain = sum(terms.map(({ gain }) => gain)) || 1;
  const weighName = nameWeigher(terms);
  const bestScore = scoreOf(files[0] ?? 0) || 1;
  const byFile = new Map<number, readonly JudgedUnit[]>();
  files.forEach((file, fileRank) => {
    const inFile = { fileRank, fileShare: scoreOf(file) / bestScore };
    byFile.set(file, tables.get(twinOf[file]!)?.judge(inFile, { wholeGain, weighName }) ?? []);
  });
  return { tables, byFile };
}

/** The best definitions of a file, likeliest first and none inside another, and the best lines outside of all. */
function listed(
  table: DefinitionTable,
  judged: readonly JudgedUnit[],
): Pick<RankedLines, 'symbols' | 'blocks'> {
  const sorted = [...judged].sort(
    (a, b) => b.likelihood - a.likelihood || a.unit.startLine - b.unit.startLine,
  );
  // A class is always likelier than its methods, because it contains them: of two, the one that says more in fewer lines stays.
  const inside = sorted.filter(({ unit }) => unit.symbol >= 0);
  const outside = sorted.filter(({ unit }) => unit.symbol < 0);
  const most = inside[0]?.likelihood ?? 0;
  const dense = inside
    .filter(({ likelihood }) => likelihood >= most * SMALLEST_SCORE)
    .sort((a, b) => densityOf(b) - densityOf(a) || a.unit.startLine - b.unit.startLine);
  const kept = new Set(withoutNested(dense));
  const symbols = inside
    .filter((one) => kept.has(one))
    .slice(0, MAX_SYMBOLS)
    .map(({ unit, likelihood }) => ({
      name: table.nameOf(unit),
      startLine: unit.startLine,
      endLine: unit.endLine,
      score: rounded(likelihood / most),
      likelihood: rounded(likelihood),
      ...table.reasonsFor(unit),
    }));
  const blocks = outside.slice(0, MAX_BLOCKS).map(({ unit, likelihood }) => ({
    startLine: unit.startLine,
    endLine: unit.endLine,
    likelihood: rounded(likelihood),
    words: table.reasonsFor(unit).words,
  }));
  return { symbols, blocks };
}

/** Long code has to be this much likelier: 1 would weigh every line, 0 none. Found on real changes. */
const WEIGHT_OF_LENGTH = 0.6;

function densityOf({ unit, likelihood }: JudgedUnit): number {
  return likelihood / unit.codeLines ** WEIGHT_OF_LENGTH;
}

const NOTHING: Pick<RankedLines, 'symbols' | 'blocks'> = { symbols: [], blocks: [] };
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Weighs names by the words of the task that they are made of. Files of one repository share many names. */
function nameWeigher(terms: readonly LookedUpTerm[]): InTask['weighName'] {
  const known = new Map<string, { readonly gain: number; readonly titleGain: number }>();
  const weigh = (part: string) => {
    let best = { gain: 0, titleGain: 0 };
    for (const { forms, gain, titleGain } of terms) {
      const weight = formWeight(forms, part);
      if (weight * gain > best.gain) best = { gain: weight * gain, titleGain: weight * titleGain };
    }
    known.set(part, best);
    return best;
  };
  return (name) => {
    const parts = wordParts(name);
    const weights = parts.map((part) => known.get(part) ?? weigh(part));
    return {
      titleNameWeight: sum(weights.map(({ titleGain }) => titleGain)) / (parts.length || 1),
      nameCovered: weights.filter(({ gain }) => gain > 0).length / (parts.length || 1),
    };
  };
}

function countTerms(
  context: RankingContext,
  terms: readonly LookedUpTerm[],
  tables: ReadonlyMap<number, DefinitionTable>,
): void {
  for (const term of terms) {
    const touched = new Set<DefinitionTable>();
    eachOccurrence(context.corpus, term.words, (file, weight, _count, positions, kept) => {
      const table = tables.get(file);
      if (!table) return;
      touched.add(table);
      for (let at = 0; at < kept; at++) {
        const field = positions[at]! & 3;
        table.addLine(positions[at]! >>> 2, weight * FIELD_GAIN[field]!, term.gain, field);
      }
    });
    for (const table of touched) table.closeTerm(term);
  }
}

/** By file: definitions whose very name the task mentions, with the weight of the mention. */
function mentionedSymbols(context: RankingContext): Map<number, Map<number, number>> {
  const byFile = new Map<number, Map<number, number>>();
  for (const { weight, definers } of mentionedIn(context))
    for (const { file, symbol } of definers) {
      const known = byFile.get(file) ?? new Map<number, number>();
      known.set(symbol, Math.max(known.get(symbol) ?? 0, weight / Math.sqrt(definers.length)));
      byFile.set(file, known);
    }
  return byFile;
}

/** Of a definition and one inside it, the better stays. */
function withoutNested<Scored extends { readonly unit: LineSpan }>(scored: readonly Scored[]): Scored[] {
  const kept: Scored[] = [];
  for (const one of scored) {
    const overlaps = kept.some(
      ({ unit }) => unit.startLine <= one.unit.endLine && one.unit.startLine <= unit.endLine,
    );
    if (!overlaps) kept.push(one);
  }
  return kept;
}

const PASSAGE_LINES = 40;
const LINES_BEFORE = 3;

/** For a file without definitions: the stretch of lines with the most to it. */
export function bestLines(gains: ReadonlyMap<number, number>, lineCount: number): LineSpan[] {
  const lines = [...gains.keys()].sort((a, b) => a - b);
  let best: LineSpan | null = null;
  let most = 0;
  let worth = 0;
  let last = 0;
  lines.forEach((line, at) => {
    while (last < lines.length && lines[last]! <= line + PASSAGE_LINES) worth += gains.get(lines[last++]!)!;
    if (worth > most) {
      most = worth;
      const endLine = Math.min(line + PASSAGE_LINES, Math.max(line, lineCount));
      best = { startLine: Math.max(1, line - LINES_BEFORE), endLine };
    }
    worth -= gains.get(lines[at]!)!;
  });
  return best ? [best] : [];
}
