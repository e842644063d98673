// The definitions of one file, with what the words of a task say about each.
import type { LineSpan, RankedSymbol } from '../../model/ranking.ts';
import { kindsWith, type SymbolDefinition } from '../../model/symbol.ts';
import { type DefinitionEvidence, likelihoodOf } from './definition-model.ts';
import type { LookedUpTerm } from './ranking-context.ts';

/** BM25 over the definitions of a file, found on changes of public repositories: which lines did they touch? */
const SATURATION = 1;
const LENGTH_SHARE = 0.75;
const USUAL_LINES = 25;
/** A value on one line names more than it does. */
const ONE_LINE = 0.7;
/** A name that the task mentions outweighs any number of matching lines. */
const MENTIONED = 2;
/** Words that are named as the reason for a definition. */
const MAX_WORDS = 3;

const VALUES = kindsWith('value');
const CONTAINERS = kindsWith('container');

/** A definition, or a stretch of a long one, with what is known about it. */
export interface JudgedUnit {
  readonly unit: SymbolUnit;
  readonly evidence: DefinitionEvidence;
  readonly likelihood: number;
}

/** What every definition is compared with. */
export interface InTask {
  readonly wholeGain: number;
  readonly titleGain: number;
  /** The best text score in the first files. */
  readonly bestOfAll: number;
  readonly weighName: (name: string) => Pick<DefinitionEvidence, 'nameWeight' | 'titleNameWeight'>;
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
  readonly #scores: Float64Array;
  readonly #counts: Float64Array;
  readonly #covered: Float64Array;
  readonly #titleCovered: Float64Array;
  readonly #words: (readonly { readonly word: string; readonly worth: number }[])[];
  readonly #touched: number[] = [];
  #mentioned: ReadonlyMap<number, number> = NO_MENTIONS;

  constructor(symbols: readonly SymbolDefinition[], lineCount: number) {
    this.#symbols = symbols;
    this.names = symbols.map(({ name }) => name);
    // A file without definitions has no units: its best lines are found by their words alone.
    this.#units = symbols.length === 0 ? [] : symbolUnits(symbols, lineCount);
    this.#innermost = innermostUnits(this.#units);
    this.#scores = new Float64Array(this.#units.length);
    this.#counts = new Float64Array(this.#units.length);
    this.#covered = new Float64Array(this.#units.length);
    this.#titleCovered = new Float64Array(this.#units.length);
    this.#words = this.#units.map(() => []);
  }

  /** The highest text score of a definition, without mentions. */
  get bestText(): number {
    return this.#scores.reduce((most, score) => Math.max(most, score), 0);
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

  /** To be called after the last term, with the definitions whose very name the task mentions. */
  close(mentioned: ReadonlyMap<number, number> = NO_MENTIONS): void {
    this.#mentioned = mentioned;
    this.#units.forEach(({ startLine, endLine }, at) => {
      if (startLine === endLine) this.#scores[at]! *= ONE_LINE;
    });
  }

  /** What the model says about each definition that has anything of the task. */
  judge(
    inFile: Pick<DefinitionEvidence, 'fileRank' | 'fileShare' | 'isTest'>,
    { wholeGain, titleGain, bestOfAll, weighName }: InTask,
  ): JudgedUnit[] {
    const best = this.bestText || 1;
    const strengths = Float64Array.from(this.#units, (unit, at) => {
      return this.#scores[at]! + MENTIONED * best * this.#mention(unit);
    });
    const strongest = strengths.reduce((most, strength) => Math.max(most, strength), 0);
    if (strongest === 0) return [];
    return this.#units.flatMap((unit, at): JudgedUnit[] => {
      if (strengths[at] === 0 && !isHead(unit)) return [];
      const { kind, name } = this.#symbols[unit.symbol] ?? OUTSIDE;
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
        isValue: kind !== null && VALUES.has(kind),
        isContainer: kind !== null && CONTAINERS.has(kind),
        isOutside: unit.symbol < 0,
        isHead: unit.startLine === 1,
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
}

const OUTSIDE = { kind: null, name: '' } as const;

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
  const children = childrenOf(symbols);
  symbols.forEach(({ startLine, endLine, container }, symbol) => {
    if (endLine - startLine < MAX_WHOLE) {
      unitOf[symbol] = units.length;
      units.push({
        symbol,
        startLine,
        endLine,
        parent: container < 0 ? -1 : unitOf[container]!,
        isWhole: true,
      });
      return;
    }
    addStretches(symbol, gapsOf(symbols[symbol]!, children[symbol]!));
  });
  const outermost = symbols.filter(({ container }) => container < 0);
  addStretches(-1, gapsOf({ startLine: 1, endLine: lineCount }, outermost));
  return units;

  function addStretches(symbol: number, gaps: readonly LineSpan[]): void {
    for (const gap of gaps)
      for (let line = gap.startLine; line <= gap.endLine; line += STRETCH_LINES) {
        const last = Math.min(gap.endLine, line + STRETCH_LINES - 1);
        units.push({ symbol, startLine: line, endLine: last, parent: -1, isWhole: false });
      }
  }
}

function childrenOf(symbols: readonly SymbolDefinition[]): readonly SymbolDefinition[][] {
  const children = symbols.map((): SymbolDefinition[] => []);
  for (const symbol of symbols) if (symbol.container >= 0) children[symbol.container]!.push(symbol);
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
