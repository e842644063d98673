import type { FileLinks } from '../../model/file-links.ts';
import { DEFINITION_COLUMNS, type IndexView, TOP_LEVEL } from '../../model/index-view.ts';
import { kindsWith, SYMBOL_KINDS } from '../../model/symbol.ts';

/** Weighted edges from each file to the files whose definitions it uses, laid out by file number. */
export interface WeightedEdges {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

/** A name that more files define says nothing about which of them is meant. */
const MAX_DEFINERS = 6;

/** Shorter names are loop variables and type parameters; a member needs a name that is not an everyday word. */
const MIN_LENGTH = 3;
const MIN_MEMBER_LENGTH = 8;
const COMPOUND = /[a-z][A-Z]|[a-zA-Z0-9]_[a-zA-Z0-9]/;

/** Kinds that say something about their file when another file uses their name. */
const TELLING = kindsWith('telling');

function isTelling(name: string, kindCode: number): boolean {
  if (!TELLING.has(SYMBOL_KINDS[kindCode & ~TOP_LEVEL]!)) return false;
  if ((kindCode & TOP_LEVEL) !== 0) return name.length >= MIN_LENGTH;
  return name.length >= MIN_MEMBER_LENGTH && COMPOUND.test(name);
}

/** Which files define a name, for all names that few enough define. */
function collectDefiners(index: IndexView, fileOf: readonly Int32Array[]): Map<string, number[]> {
  const definers = new Map<string, number[]>();
  index.snapshot.segments.forEach((_, number) => {
    const segment = index.segment(number);
    const rows = segment.definitions;
    let word = -1;
    let name = '';
    for (let at = 0; at < rows.length; at += DEFINITION_COLUMNS) {
      if (rows[at] !== word) {
        word = rows[at]!;
        name = segment.words.at(word);
      }
      const file = fileOf[number]![rows[at + 1]!] ?? -1;
      if (file < 0 || !isTelling(name, rows[at + 3]!)) continue;
      const known = definers.get(name);
      if (!known) definers.set(name, [file]);
      else if (known.at(-1) !== file && known.length <= MAX_DEFINERS) known.push(file);
    }
  });
  for (const [name, files] of definers) if (files.length > MAX_DEFINERS) definers.delete(name);
  return definers;
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

/** A use without an import, or a shared folder, is often a namesake. */
const UNLINKED = 0.1;

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Files that a file imports, directly or through barrels. */
function linkedFiles({ imports, definers }: FileLinks, file: number): ReadonlySet<number> {
  return new Set([
    ...imports.targets.subarray(imports.starts[file], imports.starts[file + 1]),
    ...definers.targets.subarray(definers.starts[file], definers.starts[file + 1]),
  ]);
}

/**
 * Uses of names that few files define, from the user to the definer: the rarer the definition, the stronger the
 * edge; many uses count little more than one.
 */
export function referenceEdges(index: IndexView): WeightedEdges {
  const { files, segments } = index.snapshot;
  const fileOf = filesByDocument(index);
  const definers = collectDefiners(index, fileOf);
  const known = segments.map((_, number) => {
    const { words } = index.segment(number);
    return Array.from({ length: words.length }, (__, word) => definers.get(words.at(word)));
  });
  const starts = new Uint32Array(files.length + 1);
  const targets: number[] = [];
  const weights: number[] = [];
  files.forEach(({ path, segment, document }, file) => {
    if (segment >= 0) {
      const sums = new Map<number, number>();
      const linked = linkedFiles(index.links, file);
      const folder = folderOf(path);
      index.segment(segment).eachUse(document, (word, count) => {
        const defining = known[segment]![word];
        if (!defining) return;
        const weight = Math.sqrt(count) / defining.length;
        for (const target of defining) {
          if (target === file) continue;
          const near = linked.has(target) || folderOf(files[target]!.path) === folder;
          sums.set(target, (sums.get(target) ?? 0) + (near ? weight : weight * UNLINKED));
        }
      });
      for (const [target, weight] of [...sums].sort(([a], [b]) => a - b)) {
        targets.push(target);
        weights.push(weight);
      }
    }
    starts[file + 1] = targets.length;
  });
  return { starts, targets: Uint32Array.from(targets), weights: Float64Array.from(weights) };
}
