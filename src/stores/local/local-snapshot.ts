// An index on disk, seen from a store: as a snapshot that can be searched where it is, and as an update that
// sends its findings to another store.

import { DEFINITION_COLUMNS, DOCUMENT, type IndexView, type SegmentView } from '../../model/index-view.ts';
import type {
  EdgeKind,
  LexicalSearch,
  ManifestEntry,
  StoredFile,
  StoredPassage,
  StoredSymbol,
  StoreEdge,
  StoreSnapshot,
  StoreUpdate,
  WordCount,
  WordFieldName,
} from '../../model/knowledge-store.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import type { EdgeList, FileLinks } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import type { SnapshotReader } from '../knowledge-store/search-snapshots.ts';

/** Scores the files of an index by their words; by file number. The caller passes its own ranking function. */
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

/** The edges of an index under the names that stores use. */
function edgeLists({ imports, definers, tests }: FileLinks): readonly (readonly [EdgeKind, EdgeList])[] {
  return [
    ['import', imports],
    ['reference', definers],
    ['test', tests],
  ];
}

/** The files that one file leads to, by number. */
function targetsOf({ starts, targets }: EdgeList, file: number): Uint32Array {
  return targets.subarray(starts[file] ?? 0, starts[file + 1] ?? 0);
}

/** Documents that define a name. Null when every document may: a name of several words has no row in the table. */
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

/** A definition without its offsets: they mean nothing without the text. */
function storedSymbol(symbol: SymbolDefinition): StoredSymbol {
  const { name, kind, signature, doc, startLine, endLine, container } = symbol;
  return { name, kind, signature, doc, line: startLine, endLine, container };
}

/** The name of the snapshot to make, and the vectors of its files. */
export interface IndexUpdateOptions extends Pick<StoreUpdate, 'repository' | 'branch' | 'commit' | 'model'> {
  /** Of the file with this number. */
  readonly passages?: (file: number) => readonly StoredPassage[];
}

/**
 * An index as an update for another store: it passes on the findings of a scan, and nothing is parsed again. Words and
 * signatures are as the files have them: secrets among them have not been taken out.
 */
export function indexUpdate(index: IndexView, options: IndexUpdateOptions): StoreUpdate {
  const { passages, ...head } = options;
  const all = index.snapshot.files;
  const numbers = new Map(all.map(({ path }, number) => [path, number]));
  const lists = edgeLists(index.links);
  const files = all.flatMap(({ path, hash, language, segment }, number): ManifestEntry[] => {
    if (segment < 0) return [];
    const edges = lists.flatMap(([kind, list]) =>
      Array.from(targetsOf(list, number), (target): StoreEdge => ({ to: all[target]!.path, kind })),
    );
    return [{ path, contentHash: hash, language, edges: edges.filter(({ to }) => isRead(to)) }];
  });
  function isRead(path: string): boolean {
    return all[numbers.get(path)!]!.segment >= 0;
  }
  const words = new Map<number, DocumentWords>();
  return {
    ...head,
    files,
    load: ({ path, contentHash, language }): StoredFile => {
      const number = numbers.get(path)!;
      const { segment, document } = all[number]!;
      const view = index.segment(segment);
      const known = words.get(segment) ?? wordsByDocument(view);
      words.set(segment, known);
      return {
        path,
        contentHash,
        language,
        lineCount: view.document(document, DOCUMENT.lineCount),
        words: known.get(document) ?? noWords(),
        // exact, while the counts of frequent words are worked out from the first places
        lengths: lengthsOf(view, document),
        symbols: view.symbols(document).map(storedSymbol),
        imports: view.imports(document),
        passages: passages?.(number) ?? [],
      };
    },
  };
}

/** Words in each field of a document. */
function lengthsOf(view: SegmentView, document: number): Record<WordFieldName, number> {
  const lengthIn = (name: WordFieldName) => view.document(document, DOCUMENT.codeWords + WORD_FIELD[name]);
  return {
    code: lengthIn('code'),
    comment: lengthIn('comment'),
    string: lengthIn('string'),
    definition: lengthIn('definition'),
  };
}

/** Words of one document by field. */
type FieldWords = Record<WordFieldName, WordCount[]>;
type DocumentWords = ReadonlyMap<number, FieldWords>;

/** In the order of their numbers in the index. */
const FIELDS = Object.keys(WORD_FIELD) as WordFieldName[];
const noWords = (): FieldWords => ({ code: [], comment: [], string: [], definition: [] });

/** Turns the lists of a segment around: from words to documents becomes from documents to words. */
function wordsByDocument(view: SegmentView): DocumentWords {
  const documents = new Map<number, FieldWords>();
  const counts = FIELDS.map(() => 0);
  for (let word = 0; word < view.words.length; word++) {
    const text = view.words.at(word);
    view.eachPosting(word, (document, count, positions, kept) => {
      counts.fill(0);
      // only the first places of a very frequent word are kept, and they represent the rest
      for (let at = 0; at < kept; at++) counts[positions[at]! & 3]! += count / kept;
      const words = documents.get(document) ?? noWords();
      documents.set(document, words);
      for (const name of FIELDS) {
        const inField = counts[WORD_FIELD[name]]!;
        if (inField > 0) words[name].push([text, inField]);
      }
    });
  }
  return documents;
}
