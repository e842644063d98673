import type { ContextItem, LineRun } from '../../../model/context-pack.ts';
import type { SymbolDefinition } from '../../../model/symbol.ts';

export interface ItemCut {
  readonly pieces: readonly ContextItem[];
  /** A definition is larger than a piece may be, so that it had to be cut. */
  readonly splitsSymbol: boolean;
}

/**
 * Cuts an item into pieces that fit, between definitions wherever that is possible; null when a single line is too
 * long for any piece.
 */
export function cutItem(
  item: ContextItem,
  symbols: readonly SymbolDefinition[],
  fits: (piece: ContextItem) => boolean,
): ItemCut | null {
  const lines = item.content.replace(/\n$/, '').split('\n');
  const numbers = lineNumbers(item.lineRuns, lines.length);
  const depths = cutDepths(lines, numbers, symbols);
  const pieces: ContextItem[] = [];
  let splitsSymbol = false;
  for (let start = 0; start < lines.length; ) {
    const most = longestFitting(start, lines.length, (end) =>
      fits(pieceOf(item, lines, numbers, start, end)),
    );
    if (most === start) return null;
    const end = most === lines.length ? most : bestCut(depths, start, most);
    splitsSymbol ||= end < lines.length && depths[end]! > 0;
    pieces.push(pieceOf(item, lines, numbers, start, end));
    start = end;
  }
  return { pieces, splitsSymbol };
}

/** The largest end for which `fits` holds, `start` when there is none. */
function longestFitting(start: number, last: number, fits: (end: number) => boolean): number {
  let [low, high] = [start, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last place that cuts through the fewest definitions. */
function bestCut(depths: readonly number[], start: number, most: number): number {
  let best = most;
  for (let at = most; at > start; at--) if (depths[at]! < depths[best]!) best = at;
  return best;
}

/** For each line, how many definitions a cut in front of it would go through. */
function cutDepths(
  lines: readonly string[],
  numbers: readonly (number | null)[],
  symbols: readonly SymbolDefinition[],
): number[] {
  // an outline has no line numbers: what is set in belongs to what stands above it
  if (numbers.every((number) => number === null))
    return lines.map((line) => line.length - line.trimStart().length);
  const changes = new Map<number, number>();
  const change = (line: number, by: number) => changes.set(line, (changes.get(line) ?? 0) + by);
  for (const { startLine, endLine } of symbols) {
    change(startLine + 1, 1);
    change(endLine + 1, -1);
  }
  const last = numbers.reduce<number>((most, number) => Math.max(most, number ?? 0), 0);
  const byLine: number[] = [0];
  for (let line = 1; line <= last; line++) byLine.push(byLine[line - 1]! + (changes.get(line) ?? 0));
  return numbers.map((number) => (number === null ? 0 : byLine[number]!));
}

function lineNumbers(runs: readonly LineRun[], count: number): (number | null)[] {
  const numbers = runs.flatMap(({ startLine, count: length }) =>
    Array.from({ length }, (_, at) => (startLine === null ? null : startLine + at)),
  );
  return Array.from({ length: count }, (_, at) => numbers[at] ?? null);
}

function pieceOf(
  item: ContextItem,
  lines: readonly string[],
  numbers: readonly (number | null)[],
  start: number,
  end: number,
): ContextItem {
  const content = `${lines.slice(start, end).join('\n')}\n`;
  const form = item.form === 'full' ? 'excerpt' : item.form;
  return { ...item, form, content, lineRuns: item.lineRuns.length > 0 ? runsOf(numbers, start, end) : [] };
}

function runsOf(numbers: readonly (number | null)[], start: number, end: number): LineRun[] {
  const runs: { startLine: number | null; count: number }[] = [];
  for (let at = start; at < end; at++) {
    const number = numbers[at]!;
    const last = runs.at(-1);
    const follows =
      last !== undefined &&
      (number === null ? last.startLine === null : last.startLine! + last.count === number);
    if (follows && !(number !== null && last.startLine === null)) last.count++;
    else runs.push({ startLine: number, count: 1 });
  }
  return runs;
}
