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
  files.forEach(({ segment, document }, file) => {
    if (segment < 0) return;
    twinOf[file] = fileOf[segment]![document]!;
    if (twinOf[file] !== file) return;
    size++;
    const view = index.segment(segment);
    for (const field of Object.values(WORD_FIELD)) {
      const words = view.document(document, DOCUMENT.codeWords + field);
      lengths[file * FIELD_COUNT + field] = words;
      sums[field]! += words;
    }
  });
  const averages = sums.map((sum) => Math.max(1, sum / Math.max(1, size)));
  return { index, fileCount: files.length, fileOf, twinOf, lengths, averages, size };
}
