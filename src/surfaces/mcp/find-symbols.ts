import { eachDefinition, kindWeight } from '../../context/rank/definitions.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';

export interface FoundSymbol {
  readonly file: SnapshotFile;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** `Foo.bar` for the method `bar` of `Foo`. */
export function qualifiedName(symbols: readonly SymbolDefinition[], at: number): string {
  const { name, container } = symbols[at]!;
  return container >= 0 ? `${qualifiedName(symbols, container)}.${name}` : name;
}

/** Whether `Foo.bar` is what somebody means who says `bar`, `Foo.bar` or `Foo::bar`. */
export function answersTo(qualified: string, asked: string): boolean {
  const wanted = asked.replaceAll(/::|#|->/g, '.').replace(/\(\)$/, '');
  return qualified === wanted || qualified.endsWith(`.${wanted}`);
}

/** Where a name is defined; what files are made of first, then by path. */
export function findSymbols(index: IndexView, asked: string): readonly FoundSymbol[] {
  const last = asked
    .replace(/\(\)$/, '')
    .split(/\.|::|#|->/)
    .at(-1)!;
  const filesOf = new Map<string, SnapshotFile>();
  for (const file of index.snapshot.files)
    if (file.segment >= 0) filesOf.set(`${file.segment} ${file.document}`, file);
  const found: (FoundSymbol & { readonly weight: number })[] = [];
  index.snapshot.segments.forEach((_, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(last);
    if (word < 0) return;
    eachDefinition(segment, word, (document, symbol, kind) => {
      const file = filesOf.get(`${number} ${document}`);
      if (!file) return;
      const symbols = segment.symbols(document);
      const name = qualifiedName(symbols, symbol);
      if (!answersTo(name, asked)) return;
      const { startLine, endLine } = symbols[symbol]!;
      found.push({ file, name, startLine, endLine, weight: kindWeight(kind) });
    });
  });
  return found.sort(
    (a, b) =>
      b.weight - a.weight ||
      (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.startLine - b.startLine),
  );
}
