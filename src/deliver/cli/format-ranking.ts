import type { RankedSymbol, Ranking } from '../../model/ranking.ts';
import { align } from './align.ts';
import type { Colors } from './colors.ts';
import { printable } from './printable.ts';

const MOST_SYMBOLS = 6;

/** A ranking for people: score, path and why; with the definitions that matter below each file if wanted. */
export function formatRanking({ files }: Ranking, colors: Colors, withSymbols: boolean): string[] {
  const rows = align(
    files.map(({ path, combinedScore, reasons }) => [
      combinedScore.toFixed(2),
      printable(path),
      colors.dim(printable(reasons[0] ?? '')),
    ]),
  );
  if (!withSymbols) return rows;
  return rows.flatMap((row, at) => [row, ...symbolLines(files[at]!.symbols, colors)]);
}

/** `10-42  Foo.bar` for each definition, indented below its file. */
export function symbolLines(
  symbols: readonly Pick<RankedSymbol, 'name' | 'startLine' | 'endLine'>[],
  colors: Colors,
): string[] {
  return symbols
    .slice(0, MOST_SYMBOLS)
    .map(({ name, startLine, endLine }) => colors.dim(`        ${startLine}-${endLine}  ${printable(name)}`));
}
