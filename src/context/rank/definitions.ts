import { DEFINITION_COLUMNS, type SegmentView, TOP_LEVEL } from '../../model/index-view.ts';
import { kindsWith, SYMBOL_KINDS } from '../../model/symbol.ts';

/** Calls back for each definition that a word of a segment names. */
export function eachDefinition(
  { definitions }: SegmentView,
  word: number,
  visit: (document: number, symbol: number, kind: number) => void,
): void {
  let low = 0;
  let high = definitions.length / DEFINITION_COLUMNS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (definitions[middle * DEFINITION_COLUMNS]! < word) low = middle + 1;
    else high = middle;
  }
  for (let at = low * DEFINITION_COLUMNS; definitions[at] === word; at += DEFINITION_COLUMNS)
    visit(definitions[at + 1]!, definitions[at + 2]!, definitions[at + 3]!);
}

const STRUCTURAL = kindsWith('structural');
const VALUES = kindsWith('value');

/** 1 for what a file is made of, less for members and values, little for keys and headings. */
export function kindWeight(kind: number): number {
  const name = SYMBOL_KINDS[kind & ~TOP_LEVEL]!;
  if (STRUCTURAL.has(name)) return (kind & TOP_LEVEL) !== 0 ? 1 : 0.8;
  if (VALUES.has(name)) return (kind & TOP_LEVEL) !== 0 ? 0.6 : 0.4;
  return 0.1;
}
