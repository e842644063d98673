import { DEFINITION_COLUMNS, DOCUMENT, type IndexView, type SegmentView } from '../../model/index-view.ts';
import type {
  EdgeKind,
  LexicalSearch,
  StoredPassage,
  StoredSymbol,
  StoreEdge,
  StoreSnapshot,
} from '../../model/knowledge-store.ts';
import type { EdgeList, FileLinks } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import type { SnapshotReader } from '../knowledge-store/search-snapshots.ts';

/** Scores the files of an index by their words; by file number. What ranks files brings it along. */
export type WordScorer = (index: IndexView, search: LexicalSearch) => ArrayLike<number>;

/** An index on disk as a snapshot of a store: nothing of it is copied. */
export function localSnapshot(
  head: StoreSnapshot,
  index: IndexView,
  score: WordScorer,
  passagesOf: (place: number) => readonly StoredPassage[],
): SnapshotReader {
  const all = index.snapshot.files;
  const files = all.map(({ path, hash, language }) => ({ path, contentHash: hash, language }));
  return {
    head,
    files,
    scoreWords: (search) => score(index, search),
    passages: (place) => (all[place]!.segment < 0 ? [] : passagesOf(place)),
    symbolsNamed: (name) => {
      const definers = index.snapshot.segments.map((_, number) => definersIn(index.segment(number), name));
      return all.flatMap(({ segment, document }, place) => {
        if (definers[segment]?.has(document) === false || segment < 0) return [];
        const symbols = index.segment(segment).symbols(document).map(storedSymbol);
        return symbols.filter((symbol) => symbol.name === name).map((symbol) => ({ place, symbol }));
      });
    },
    describe: (place) => {
      const { segment, document } = all[place]!;
      if (segment < 0) return { lineCount: 0, symbols: [], imports: [] };
      const view = index.segment(segment);
      return {
        lineCount: view.document(document, DOCUMENT.lineCount),
        symbols: view.symbols(document).map(storedSymbol),
        imports: view.imports(document),
      };
    },
    edgesAround: (place) => {
      const edges: StoreEdge[] = [];
      const usedBy: StoreEdge[] = [];
      for (const [kind, list] of edgeLists(index.links)) {
        for (const target of targetsOf(list, place)) edges.push({ to: all[target]!.path, kind });
        all.forEach(({ path }, other) => {
          if (targetsOf(list, other).includes(place)) usedBy.push({ to: path, kind });
        });
      }
      return { edges, usedBy };
    },
  };
}

export function edgeLists({
  imports,
  definers,
  tests,
}: FileLinks): readonly (readonly [EdgeKind, EdgeList])[] {
  return [
    ['import', imports],
    ['reference', definers],
    ['test', tests],
  ];
}

export function targetsOf({ starts, targets }: EdgeList, file: number): Uint32Array {
  return targets.subarray(starts[file] ?? 0, starts[file + 1] ?? 0);
}

/** Documents that define a name. Null, every one may: a name that is no single word has no row in the table. */
function definersIn({ words, definitions }: SegmentView, name: string): ReadonlySet<number> | null {
  const documents = new Set<number>();
  const word = words.find(name);
  if (word < 0) return /^[\p{L}\p{N}_]*$/u.test(name) ? documents : null;
  let low = 0;
  let high = definitions.length / DEFINITION_COLUMNS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (definitions[middle * DEFINITION_COLUMNS]! < word) low = middle + 1;
    else high = middle;
  }
  for (let at = low * DEFINITION_COLUMNS; definitions[at] === word; at += DEFINITION_COLUMNS)
    documents.add(definitions[at + 1]!);
  return documents;
}

export function storedSymbol(symbol: SymbolDefinition): StoredSymbol {
  const { name, kind, signature, doc, startLine, endLine, container } = symbol;
  return { name, kind, signature, doc, line: startLine, endLine, container };
}
