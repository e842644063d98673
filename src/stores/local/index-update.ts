import { DOCUMENT, type IndexView, type SegmentView } from '../../model/index-view.ts';
import type {
  ManifestEntry,
  StoredFile,
  StoredPassage,
  StoreEdge,
  StoreUpdate,
  WordCount,
  WordFieldName,
} from '../../model/knowledge-store.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import { edgeLists, storedSymbol, targetsOf } from './local-snapshot.ts';

export interface IndexUpdateOptions extends Pick<StoreUpdate, 'repository' | 'branch' | 'commit' | 'model'> {
  /** Of the file with this number. */
  readonly passages?: (file: number) => readonly StoredPassage[];
}

/**
 * An index as an update for another store: what a scan has found is handed on, nothing is parsed again. Words and
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

function lengthsOf(view: SegmentView, document: number): Record<WordFieldName, number> {
  const lengthIn = (name: WordFieldName) => view.document(document, DOCUMENT.codeWords + WORD_FIELD[name]);
  return {
    code: lengthIn('code'),
    comment: lengthIn('comment'),
    string: lengthIn('string'),
    definition: lengthIn('definition'),
  };
}

type FieldWords = Record<WordFieldName, WordCount[]>;
type DocumentWords = ReadonlyMap<number, FieldWords>;

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
      // of a word that comes very often only the first places are kept: they stand for the rest
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
