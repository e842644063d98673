import type { SymbolDefinition } from '../../model/symbol.ts';

/** Some symbols of a file as a list of their own; what stands in one that is not kept moves up to the next that is. */
export function keepSymbols(
  symbols: readonly SymbolDefinition[],
  kept: ReadonlySet<number>,
): SymbolDefinition[] {
  const places = new Map<number, number>();
  const list: SymbolDefinition[] = [];
  symbols.forEach((symbol, index) => {
    let container = symbol.container;
    while (container >= 0 && !kept.has(container)) container = symbols[container]!.container;
    if (!kept.has(index)) return;
    places.set(index, list.length);
    list.push({ ...symbol, container: places.get(container) ?? -1 });
  });
  return list;
}
