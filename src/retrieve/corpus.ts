import { WORD_FIELD } from '../model/file-words.ts';
import { DOCUMENT, type IndexView } from '../model/index-view.ts';
import { filesByDocument } from './reference-edges.ts';

export const FIELD_COUNT = 4;

/**
 * The files of a snapshot as documents to be searched. Files with equal content are one document, which goes by
 * the number of its first file; `twinOf` leads the others there.
 */
export interface Corpus {
  readonly index: IndexView;
  readonly fileCount: number;
  /** By segment and document: number of the file, or -1. */
  readonly fileOf: readonly Int32Array[];
  readonly twinOf: Int32Array;
  /** Words of each file by field, `file * FIELD_COUNT + field`. */
  readonly lengths: Uint32Array;
  /** Mean of `lengths` by field, over the files that have words at all. */
  readonly averages: readonly number[];
  /** Distinct documents. */
  readonly size: number;
}

const corpora = new WeakMap<IndexView, Corpus>();

/** Made once for an opened index. */
export function corpusOf(index: IndexView): Corpus {
  const known = corpora.get(index);
  if (known) return known;
  const made = makeCorpus(index);
  corpora.set(index, made);
  return made;
}

function makeCorpus(index: IndexView): Corpus {
  const { files } = index.snapshot;
  const fileOf = filesByDocument(index);
  const twinOf = new Int32Array(files.length).fill(-1);
  const lengths = new Uint32Array(files.length * FIELD_COUNT);
  const sums = new Array<number>(FIELD_COUNT).fill(0);
  let size = 0;
  const firstWith = new Map<string, number>();
  files.forEach(({ segment, document, hash, language }, file) => {
    if (segment < 0) return;
    const view = index.segment(segment);
    const words = Object.values(WORD_FIELD).map((field) =>
      view.document(document, DOCUMENT.codeWords + field),
    );
    // equal content may lie in several segments, and be kept in part only where it is data
    const key = `${hash} ${language} ${words.join()}`;
    const twin = firstWith.get(key) ?? file;
    twinOf[file] = twin;
    if (twin !== file) {
      if (fileOf[segment]![document] === file) fileOf[segment]![document] = -1;
      return;
    }
    firstWith.set(key, file);
    size++;
    words.forEach((count, field) => {
      lengths[file * FIELD_COUNT + field] = count;
      sums[field]! += count;
    });
  });
  const averages = sums.map((sum) => Math.max(1, sum / Math.max(1, size)));
  return { index, fileCount: files.length, fileOf, twinOf, lengths, averages, size };
}
