// The definitions of one file, with what the words of a task say about each.
import { WORD_FIELD } from '../../model/parsed-file.ts';
import type { LineSpan, RankedSymbol } from '../../model/ranking.ts';
import { longDocs, type SymbolDefinition } from '../../model/symbol.ts';
import { type DefinitionEvidence, likelihoodOf } from './definition-model.ts';
import type { LookedUpTerm } from './ranking-context.ts';

/** BM25 over the definitions of a file, found on changes of public repositories: which lines did they touch? */
const SATURATION = 1;
const LENGTH_SHARE = 0.75;
const USUAL_LINES = 25;
/** Words that are named as the reason for a definition. */
const MAX_WORDS = 3;

/** A definition, or a stretch of a long one, with what is known about it. */
export interface JudgedUnit {
  readonly unit: SymbolUnit;
  readonly evidence: DefinitionEvidence;
  readonly likelihood: number;
}

/** What every definition is compared with. */
export interface InTask {
  /** The weight of all words of the task. */
  readonly wholeGain: number;
  readonly weighName: (name: string) => Pick<DefinitionEvidence, 'titleNameWeight' | 'nameCovered'>;
}

const NO_MENTIONS: ReadonlyMap<number, number> = new Map();

/** Call `addLine` for the lines of each term, `closeTerm` after each term, `close` after the last one; then `judge`. */
export class DefinitionTable {
  /** By line: the gain of its words; for files without definitions. */
  readonly gains = new Map<number, number>();
  readonly names: readonly string[];
  readonly #symbols: readonly SymbolDefinition[];
  readonly #units: readonly SymbolUnit[];
  readonly #innermost: Int32Array;
  /** By unit: how often it has the words of the term, and in which fields. */
  readonly #counts: Float64Array;
  readonly #fields: Uint8Array;
  /** By unit: the worth of its words; one that few units have is worth more. */
  readonly #rare: Float64Array;
  /** By unit: the gain of the words that it has in its code, and in its comments. */
  readonly #inCode: Float64Array;
  readonly #inComments: Float64Array;
  readonly #words: (readonly { readonly word: string; readonly worth: number }[])[];
  readonly #touched: number[] = [];
  #mentioned: ReadonlyMap<number, number> = NO_MENTIONS;

  constructor(symbols: readonly SymbolDefinition[], lineCount: number) {
    this.#symbols = symbols;
    this.names = symbols.map(({ name }) => name);
    // A file without definitions has no units: its best lines are found by their words alone.
    this.#units = symbols.length === 0 ? [] : symbolUnits(symbols, lineCount);
    this.#innermost = innermostUnits(this.#units);
    this.#counts = new Float64Array(this.#units.length);
    this.#fields = new Uint8Array(this.#units.length);
    this.#rare = new Float64Array(this.#units.length);
    this.#inCode = new Float64Array(this.#units.length);
    this.#inComments = new Float64Array(this.#units.length);
    this.#words = this.#units.map(() => []);
  }

  /** `field` is the code of a `WORD_FIELD`. */
  addLine(line: number, count: number, gain: number, field: number): void {
    this.gains.set(line, (this.gains.get(line) ?? 0) + count * gain);
    for (let unit = this.#innermost[line] ?? -1; unit >= 0; unit = this.#units[unit]!.parent) {
      if (this.#counts[unit] === 0) this.#touched.push(unit);
      this.#counts[unit]! += count;
      this.#fields[unit]! |= 1 << field;
    }
  }

  /** To be called after the last line of each term. */
  closeTerm({ gain, part }: LookedUpTerm): void {
    // A word that half of the definitions have does not tell one from the others.
    const rarity =
      Math.log((1 + this.#units.length) / this.#touched.length) / Math.log(1 + this.#units.length);
    for (const unit of this.#touched) {
      const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * this.#units[unit]!.codeLines) / USUAL_LINES;
      const count = this.#counts[unit]! / norm;
      const worth = (gain * count * (SATURATION + 1)) / (count + SATURATION);
      this.#rare[unit]! += worth * rarity;
      if (this.#fields[unit]! & (1 << WORD_FIELD.code)) this.#inCode[unit]! += gain;
      if (this.#fields[unit]! & (1 << WORD_FIELD.comment)) this.#inComments[unit]! += gain;
      // Terms come strongest first, so the first words of a definition are its best ones, or nearly so.
      if (this.#words[unit]!.length < MAX_WORDS)
        this.#words[unit] = [...this.#words[unit]!, { word: part, worth }];
      this.#counts[unit] = 0;
      this.#fields[unit] = 0;
    }
    this.#touched.length = 0;
  }

  /** To be called after the last term, with the definitions whose very name the task mentions. */
  close(mentioned: ReadonlyMap<number, number> = NO_MENTIONS): void {
    this.#mentioned = mentioned;
  }

  /** What the model says about each definition that has anything of the task. */
  judge(
    inFile: Pick<DefinitionEvidence, 'fileRank' | 'fileShare'>,
    { wholeGain, weighName }: InTask,
  ): JudgedUnit[] {
    const hasAny = this.#words.some((words) => words.length > 0) || this.#mentioned.size > 0;
    if (!hasAny) return [];
    const rarest = this.#rare.reduce((most, worth) => Math.max(most, worth), 0) || 1;
    return this.#units.flatMap((unit, at): JudgedUnit[] => {
      if (this.#words[at]!.length === 0 && this.#mention(unit) === 0 && !isHead(unit)) return [];
      const evidence: DefinitionEvidence = {
        ...inFile,
        siblings: this.#units.length,
        rareShare: this.#rare[at]! / rarest,
        codeCovered: this.#inCode[at]! / wholeGain,
        commentCovered: this.#inComments[at]! / wholeGain,
        ...weighName(this.#symbols[unit.symbol]?.name ?? ''),
        mention: this.#mention(unit),
        containerMention: this.#mentionAround(unit),
        codeLines: unit.codeLines,
        docLines: unit.endLine - unit.startLine + 1 - unit.codeLines,
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

  /** The reasons to list it. */
  reasonsFor(unit: SymbolUnit): Pick<RankedSymbol, 'isMentioned' | 'words'> {
    const words = [...this.#words[this.#units.indexOf(unit)]!];
    words.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1));
    return { isMentioned: this.#mention(unit) > 0, words: words.map(({ word }) => word) };
  }

  #mention({ symbol, isWhole }: SymbolUnit): number {
    return isWhole ? (this.#mentioned.get(symbol) ?? 0) : 0;
  }

  /** The strongest mention of a definition around it. */
  #mentionAround({ symbol }: SymbolUnit): number {
    let strongest = 0;
    for (let one = this.#symbols[symbol]?.container ?? -1; one >= 0; one = this.#symbols[one]!.container)
      strongest = Math.max(strongest, this.#mentioned.get(one) ?? 0);
    return strongest;
  }
}

/** The lines in front of the first definition. A change often adds an import there, whatever words they have. */
function isHead({ symbol, startLine }: SymbolUnit): boolean {
  return symbol < 0 && startLine === 1;
}

/**
 * Lines that can be shown by themselves: a definition, a stretch of one that is too long to be shown whole, or lines
 * between definitions.
 */
export interface SymbolUnit extends LineSpan {
  /** Number of the definition among those of its file; -1 for lines outside of all. */
  readonly symbol: number;
  /** Number of the unit around it, or -1. */
  readonly parent: number;
  /** False for a stretch. */
  readonly isWhole: boolean;
  /** Its lines without those of long doc comments, which no reader is shown. */
  readonly codeLines: number;
}

/** A definition with more lines is entered only by its parts. */
const MAX_WHOLE = 80;
const STRETCH_LINES = 40;
/** Fewer lines between two definitions are brackets and blanks. */
const MIN_STRETCH = 4;

/** The units of a file, what is around before what is inside; two of them overlap only when one is in the other. */
export function symbolUnits(symbols: readonly SymbolDefinition[], lineCount = 0): SymbolUnit[] {
  const units: SymbolUnit[] = [];
  const unitOf = new Int32Array(symbols.length).fill(-1);
  const spans = symbols.map(withDoc);
  const children = childrenOf(symbols, spans);
  const docs = longDocs(symbols);
  symbols.forEach(({ container }, symbol) => {
    const span = spans[symbol]!;
    const codeLines = codeLinesIn(span, docs);
    if (codeLines > MAX_WHOLE) {
      addStretches(symbol, gapsOf(span, children[symbol]!));
      return;
    }
    unitOf[symbol] = units.length;
    const parent = container < 0 ? -1 : unitOf[container]!;
    units.push({ symbol, ...span, parent, isWhole: true, codeLines });
  });
  const outermost = spans.filter((_, symbol) => symbols[symbol]!.container < 0);
  addStretches(-1, gapsOf({ startLine: 1, endLine: lineCount }, outermost));
  return units;

  function addStretches(symbol: number, gaps: readonly LineSpan[]): void {
    for (const gap of gaps)
      for (let line = gap.startLine; line <= gap.endLine; ) {
        const endLine = Math.min(gap.endLine, stretchEnd(line, docs));
        const span = { startLine: line, endLine };
        units.push({ symbol, ...span, parent: -1, isWhole: false, codeLines: codeLinesIn(span, docs) });
        line = endLine + 1;
      }
  }
}

/** A definition begins with the comment above it. */
function withDoc({ startLine, endLine, docLines }: SymbolDefinition): LineSpan {
  return { startLine: Math.min(startLine, docLines?.startLine ?? startLine), endLine };
}

function codeLinesIn({ startLine, endLine }: LineSpan, docs: readonly LineSpan[]): number {
  let lines = endLine - startLine + 1;
  for (const doc of docs)
    if (doc.startLine >= startLine && doc.endLine <= endLine) lines -= doc.endLine - doc.startLine + 1;
  return Math.max(1, lines);
}

/** The last line of a stretch; the lines of a long doc comment are not counted. */
function stretchEnd(line: number, docs: readonly LineSpan[]): number {
  const last = line + STRETCH_LINES - 1;
  const doc = docs.find(({ startLine }) => startLine >= line && startLine <= last);
  return doc === undefined ? last : last + doc.endLine - doc.startLine + 1;
}

function childrenOf(symbols: readonly SymbolDefinition[], spans: readonly LineSpan[]): readonly LineSpan[][] {
  const children = symbols.map((): LineSpan[] => []);
  symbols.forEach(({ container }, symbol) => {
    if (container >= 0) children[container]!.push(spans[symbol]!);
  });
  return children;
}

/** The lines of a definition that belong to none of those inside it. */
function gapsOf({ startLine, endLine }: LineSpan, children: readonly LineSpan[]): LineSpan[] {
  const gaps: LineSpan[] = [];
  let from = startLine;
  const close = (last: number) => {
    if (last - from + 1 >= MIN_STRETCH) gaps.push({ startLine: from, endLine: last });
  };
  for (const child of children) {
    close(child.startLine - 1);
    from = Math.max(from, child.endLine + 1);
  }
  close(endLine);
  return gaps;
}

/** By line: number of the innermost unit, or -1. */
export function innermostUnits(units: readonly SymbolUnit[]): Int32Array {
  const length = units.reduce((most, { endLine }) => Math.max(most, endLine), 0);
  const innermost = new Int32Array(length + 1).fill(-1);
  units.forEach(({ startLine, endLine }, unit) => {
    innermost.fill(unit, startLine, endLine + 1);
  });
  return innermost;
}
