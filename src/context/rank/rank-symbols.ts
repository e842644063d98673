// Ranks the definitions of some files: which of them, and which lines of long ones, does the task seem to need?
import { DOCUMENT } from '../../model/index-view.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import type { LineSpan, RankedSymbol } from '../../model/ranking.ts';
import { kindsWith, type SymbolDefinition } from '../../model/symbol.ts';
import { wordParts } from '../../model/word-parts.ts';
import { type DefinitionEvidence, likelihoodOf } from './definition-model.ts';
import { innermostUnits, type SymbolUnit, symbolUnits } from './definition-units.ts';
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
/** BM25 over the definitions of a file, found on changes of public repositories: which lines did they touch? */
const SATURATION = 1;
const LENGTH_SHARE = 0.75;
const USUAL_LINES = 25;
/** A value on one line names more than it does. */
const ONE_LINE = 0.7;
/** A name that the task mentions outweighs any number of matching lines. */
const MENTIONED = 2;
/** Further terms are common words: they take most of the time and change nothing. */
const MAX_TERMS = 60;
const MAX_SYMBOLS = 12;
/** Definitions that are less likely than this share of the best one of their file are not listed. */
const SMALLEST_SCORE = 0.08;
/** Definitions of later files are compared with the best one of these. */
const FIRST_FILES = 10;
/** Words that are named as the reason for a definition. */
const MAX_WORDS = 3;

const VALUES = kindsWith('value');
const CONTAINERS = kindsWith('container');

interface RankedLines {
  readonly symbols: readonly RankedSymbol[];
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
    const symbols = table ? listed(table, judged.byFile.get(file)!) : [];
    const spans = symbols.map(({ startLine, endLine }) => ({ startLine, endLine }));
    const lineCount = segment < 0 ? 0 : index.segment(segment).document(document, DOCUMENT.lineCount);
    const isPlain = table !== undefined && spans.length === 0;
    ranked.set(file, {
      symbols,
      spans: isPlain ? bestLines(table.gains, lineCount) : spans,
      names: table?.names ?? [],
    });
  }
  return ranked;
}

/** A definition, or a stretch of a long one, with what is known about it. */
interface JudgedUnit {
  readonly unit: SymbolUnit;
  readonly evidence: DefinitionEvidence;
  readonly likelihood: number;
}

interface JudgedDefinitions {
  readonly tables: ReadonlyMap<number, UnitTable>;
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
  const tables = new Map<number, UnitTable>();
  for (const file of files) {
    const { segment, document } = index.snapshot.files[file]!;
    if (segment < 0 || tables.has(twinOf[file]!)) continue;
    tables.set(twinOf[file]!, new UnitTable(index.segment(segment).symbols(document)));
  }
  countTerms(context, terms, tables);
  // Add the definitions whose very name the task mentions.
  const mentioned = mentionedSymbols(context);
  for (const [file, table] of tables) table.close(mentioned.get(file) ?? NO_MENTIONS);
  // Compare each definition with the best of its file and of the first files, and ask the model.
  const wholeGain = sum(terms.map(({ gain }) => gain)) || 1;
  const titleGain = sum(terms.map(({ titleGain: own }) => own)) || 1;
  const bestOfAll = Math.max(
    ...files.slice(0, FIRST_FILES).map((file) => tables.get(twinOf[file]!)?.bestText ?? 0),
  );
  const weighName = nameWeigher(terms);
  const bestScore = scoreOf(files[0] ?? 0) || 1;
  const byFile = new Map<number, readonly JudgedUnit[]>();
  files.forEach((file, fileRank) => {
    const isTest = index.snapshot.files[file]!.classification.role === 'test';
    const inFile = { fileRank, fileShare: scoreOf(file) / bestScore, isTest };
    const inTask = { wholeGain, titleGain, bestOfAll, weighName };
    byFile.set(file, tables.get(twinOf[file]!)?.judge(inFile, inTask) ?? []);
  });
  return { tables, byFile };
}

/** The best definitions of a file. Of a definition and one inside it, the likelier stays. */
function listed(table: UnitTable, judged: readonly JudgedUnit[]): RankedSymbol[] {
  const sorted = [...judged].sort(
    (a, b) => b.likelihood - a.likelihood || a.unit.startLine - b.unit.startLine,
  );
  const most = sorted[0]?.likelihood ?? 0;
  return withoutNested(sorted.filter(({ likelihood }) => likelihood >= most * SMALLEST_SCORE))
    .slice(0, MAX_SYMBOLS)
    .map(({ unit, likelihood }) => ({
      name: table.nameOf(unit),
      startLine: unit.startLine,
      endLine: unit.endLine,
      score: rounded(likelihood / most),
      likelihood: rounded(likelihood),
      isMentioned: table.isMentioned(unit),
      words: table.wordsOf(unit),
    }));
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const NO_MENTIONS: ReadonlyMap<number, number> = new Map();

/** What every definition is compared with. */
interface InTask {
  readonly wholeGain: number;
  readonly titleGain: number;
  readonly bestOfAll: number;
  readonly weighName: (name: string) => Pick<DefinitionEvidence, 'nameWeight' | 'titleNameWeight'>;
}

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
      nameWeight: sum(weights.map(({ gain }) => gain)) / (parts.length || 1),
      titleNameWeight: sum(weights.map(({ titleGain }) => titleGain)) / (parts.length || 1),
    };
  };
}

/** The definitions of a file with what the words of a task say about each. */
class UnitTable {
  /** By line: the gain of its words; for files without definitions. */
  readonly gains = new Map<number, number>();
  readonly names: readonly string[];
  /** The highest text score of a definition, without mentions. */
  bestText = 0;
  readonly #symbols: readonly SymbolDefinition[];
  readonly #units: readonly SymbolUnit[];
  readonly #innermost: Int32Array;
  readonly #scores: Float64Array;
  readonly #counts: Float64Array;
  readonly #covered: Float64Array;
  readonly #titleCovered: Float64Array;
  readonly #words: (readonly { readonly word: string; readonly worth: number }[])[];
  readonly #touched: number[] = [];
  #mentioned: ReadonlyMap<number, number> = NO_MENTIONS;

  constructor(symbols: readonly SymbolDefinition[]) {
    this.#symbols = symbols;
    this.names = symbols.map(({ name }) => name);
    this.#units = symbolUnits(symbols);
    this.#innermost = innermostUnits(this.#units);
    this.#scores = new Float64Array(this.#units.length);
    this.#counts = new Float64Array(this.#units.length);
    this.#covered = new Float64Array(this.#units.length);
    this.#titleCovered = new Float64Array(this.#units.length);
    this.#words = this.#units.map(() => []);
  }

  addLine(line: number, count: number, gain: number): void {
    this.gains.set(line, (this.gains.get(line) ?? 0) + count * gain);
    for (let unit = this.#innermost[line] ?? -1; unit >= 0; unit = this.#units[unit]!.parent) {
      if (this.#counts[unit] === 0) this.#touched.push(unit);
      this.#counts[unit]! += count;
    }
  }

  /** To be called after the last line of each term. */
  closeTerm({ gain, titleGain, part }: LookedUpTerm): void {
    for (const unit of this.#touched) {
      const { startLine, endLine } = this.#units[unit]!;
      const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * (endLine - startLine + 1)) / USUAL_LINES;
      const count = this.#counts[unit]! / norm;
      const worth = (gain * count * (SATURATION + 1)) / (count + SATURATION);
      this.#scores[unit]! += worth;
      this.#covered[unit]! += gain;
      this.#titleCovered[unit]! += titleGain;
      // Terms come strongest first, so the first words of a definition are its best ones, or nearly so.
      if (this.#words[unit]!.length < MAX_WORDS)
        this.#words[unit] = [...this.#words[unit]!, { word: part, worth }];
      this.#counts[unit] = 0;
    }
    this.#touched.length = 0;
  }

  /** To be called after the last term. */
  close(mentioned: ReadonlyMap<number, number>): void {
    this.#mentioned = mentioned;
    this.#units.forEach(({ startLine, endLine }, at) => {
      if (startLine === endLine) this.#scores[at]! *= ONE_LINE;
    });
    this.bestText = this.#scores.reduce((most, score) => Math.max(most, score), 0);
  }

  /** What the model says about each definition that has anything of the task. */
  judge(
    inFile: Pick<DefinitionEvidence, 'fileRank' | 'fileShare' | 'isTest'>,
    { wholeGain, titleGain, bestOfAll, weighName }: InTask,
  ): JudgedUnit[] {
    const best = this.bestText || 1;
    const strengths = this.#units.map((unit, at) => {
      return this.#scores[at]! + MENTIONED * best * this.#mention(unit);
    });
    const strongest = Math.max(...strengths, 0);
    if (strongest === 0) return [];
    return this.#units.flatMap((unit, at): JudgedUnit[] => {
      if (strengths[at] === 0) return [];
      const { kind, name } = this.#symbols[unit.symbol]!;
      const evidence: DefinitionEvidence = {
        ...inFile,
        siblings: this.#units.length,
        shareOfFile: strengths[at]! / strongest,
        shareOfAll: bestOfAll === 0 ? 0 : this.#scores[at]! / bestOfAll,
        titleCovered: this.#titleCovered[at]! / titleGain,
        taskCovered: this.#covered[at]! / wholeGain,
        ...weighName(name),
        mention: this.#mention(unit),
        lines: unit.endLine - unit.startLine + 1,
        isValue: VALUES.has(kind),
        isContainer: CONTAINERS.has(kind),
      };
      return [{ unit, evidence, likelihood: likelihoodOf(evidence) }];
    });
  }

  /** With what encloses it: `Foo.bar`. */
  nameOf({ symbol }: SymbolUnit): string {
    const names: string[] = [];
    for (let one = symbol; one >= 0 && names.length < 4; one = this.#symbols[one]!.container)
      names.unshift(this.#symbols[one]!.name);
    return names.join('.');
  }

  isMentioned(unit: SymbolUnit): boolean {
    return this.#mention(unit) > 0;
  }

  /** The words of the task that it has, the most telling first. */
  wordsOf(unit: SymbolUnit): string[] {
    const words = [...this.#words[this.#units.indexOf(unit)]!];
    return words.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1)).map(({ word }) => word);
  }

  #mention({ symbol, isWhole }: SymbolUnit): number {
    return isWhole ? (this.#mentioned.get(symbol) ?? 0) : 0;
  }
}

function countTerms(
  context: RankingContext,
  terms: readonly LookedUpTerm[],
  tables: ReadonlyMap<number, UnitTable>,
): void {
  for (const term of terms) {
    const touched = new Set<UnitTable>();
    eachOccurrence(context.corpus, term.words, (file, weight, _count, positions, kept) => {
      const table = tables.get(file);
      if (!table) return;
      touched.add(table);
      for (let at = 0; at < kept; at++)
        table.addLine(positions[at]! >>> 2, weight * FIELD_GAIN[positions[at]! & 3]!, term.gain);
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
