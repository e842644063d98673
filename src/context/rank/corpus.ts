import { DOCUMENT, type IndexView } from '../../model/index-view.ts';

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
  /** The files that are not the first with their content. */
  readonly twins: readonly number[];
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
  const twins: number[] = [];
  const lengths = new Uint32Array(files.length * FIELD_COUNT);
  const sums = new Array<number>(FIELD_COUNT).fill(0);
  let size = 0;
  const withContent = new Map<string, number[]>();
  const isTwin = (a: number, b: number): boolean => {
    if (files[a]!.language !== files[b]!.language) return false;
    for (let field = 0; field < FIELD_COUNT; field++)
      if (lengths[a * FIELD_COUNT + field] !== lengths[b * FIELD_COUNT + field]) return false;
    return true;
  };
  files.forEach(({ segment, document, hash }, file) => {
    if (segment < 0) return;
    const view = index.segment(segment);
    for (let field = 0; field < FIELD_COUNT; field++)
      lengths[file * FIELD_COUNT + field] = view.document(document, DOCUMENT.codeWords + field);
    const others = withContent.get(hash);
    // equal content may be in several segments, and be kept in part only where it is data
    const twin = others?.find((other) => isTwin(other, file)) ?? file;
    twinOf[file] = twin;
    if (twin !== file) {
      twins.push(file);
      lengths.fill(0, file * FIELD_COUNT, (file + 1) * FIELD_COUNT);
      if (fileOf[segment]![document] === file) fileOf[segment]![document] = -1;
      return;
    }
    if (others) others.push(file);
    else withContent.set(hash, [file]);
    size++;
    for (let field = 0; field < FIELD_COUNT; field++) sums[field]! += lengths[file * FIELD_COUNT + field]!;
  });
  const averages = sums.map((sum) => Math.max(1, sum / Math.max(1, size)));
  return { index, fileCount: files.length, fileOf, twinOf, twins, lengths, averages, size };
}

/** Documents of each segment that belong to the snapshot, as file numbers; the first path wins for equal content. */
export function filesByDocument(index: IndexView): readonly Int32Array[] {
  const counts = index.snapshot.segments.map(() => 0);
  for (const { segment, document } of index.snapshot.files)
    if (segment >= 0) counts[segment] = Math.max(counts[segment]!, document + 1);
  const fileOf = counts.map((count) => new Int32Array(count).fill(-1));
  index.snapshot.files.forEach(({ segment, document }, file) => {
    if (segment >= 0 && fileOf[segment]![document] === -1) fileOf[segment]![document] = file;
  });
  return fileOf;
}
