// Cuts the definitions of a file into pieces that can be ranked and shown by themselves.
import type { LineSpan } from '../../model/ranking.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';

/** Lines that can be shown by themselves: a definition, or a stretch of one that is too long to be shown whole. */
export interface SymbolUnit extends LineSpan {
  /** Number of the definition among those of its file. */
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
export function symbolUnits(symbols: readonly SymbolDefinition[]): SymbolUnit[] {
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
    for (const gap of gapsOf(symbols[symbol]!, children[symbol]!))
      for (let line = gap.startLine; line <= gap.endLine; line += STRETCH_LINES) {
        const last = Math.min(gap.endLine, line + STRETCH_LINES - 1);
        units.push({ symbol, startLine: line, endLine: last, parent: -1, isWhole: false });
      }
  });
  return units;
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
