import type { StringList } from '../model/index-view.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import { wordParts } from '../model/word-parts.ts';

/** What a word counts by where in the path it stands: the file's own name says most, its folder less. */
const STEM = 1;
const FOLDER = 0.5;
const ABOVE = 0.25;

interface PathPosting {
  readonly files: number[];
  readonly levels: number[];
}

/** The words of all paths, and the files whose paths have them. */
export interface PathIndex {
  readonly words: StringList;
  posting(word: number): { readonly files: readonly number[]; readonly levels: readonly number[] };
  /** How many words the file's own name has. */
  readonly stemLengths: Uint8Array;
  /** Files by their name with its ending. */
  readonly named: ReadonlyMap<string, readonly number[]>;
  /** Files by the last segment of what they are imported as: no ending, and the folder's name for its index file. */
  readonly modules: ReadonlyMap<string, readonly { readonly file: number; readonly bare: string }[]>;
}

const INDEX_FILE = /\/(?:__init__|index|mod|lib)$/;

const indexes = new WeakMap<readonly SnapshotFile[], PathIndex>();

/** Made once for the files of a snapshot. */
export function pathIndexOf(files: readonly SnapshotFile[]): PathIndex {
  const known = indexes.get(files);
  if (known) return known;
  const made = makePathIndex(files);
  indexes.set(files, made);
  return made;
}

function makePathIndex(files: readonly SnapshotFile[]): PathIndex {
  const postings = new Map<string, PathPosting>();
  const stemLengths = new Uint8Array(files.length);
  const add = (word: string, file: number, level: number) => {
    const posting = postings.get(word);
    if (!posting) postings.set(word, { files: [file], levels: [level] });
    else if (posting.files.at(-1) !== file) {
      posting.files.push(file);
      posting.levels.push(level);
    }
  };
  const folders = new Map<string, FolderWords>();
  const stems = new Map<string, readonly string[]>();
  files.forEach(({ path }, file) => {
    const cut = path.lastIndexOf('/');
    const name = path.slice(cut + 1);
    // many files have the same name
    const stem = stems.get(name) ?? stemWords(name);
    stems.set(name, stem);
    stemLengths[file] = Math.min(255, stem.length);
    for (const word of stem) add(word, file, STEM);
    const { own, above } = wordsOfFolder(cut < 0 ? '' : path.slice(0, cut), folders);
    for (const word of own) add(word, file, FOLDER);
    for (const word of above) add(word, file, ABOVE);
  });
  const sorted = [...postings.keys()].sort();
  const posting = (word: number) => postings.get(sorted[word]!)!;
  // most tasks name no file and no module
  let named: ReturnType<typeof filesByName> | undefined;
  let modules: ReturnType<typeof filesByModule> | undefined;
  return {
    words: sortedList(sorted),
    posting,
    stemLengths,
    get named() {
      named ??= filesByName(files);
      return named;
    },
    get modules() {
      modules ??= filesByModule(files);
      return modules;
    },
  };
}

function filesByName(files: readonly SnapshotFile[]): ReadonlyMap<string, number[]> {
  const named = new Map<string, number[]>();
  files.forEach(({ path }, file) => {
    addTo(named, path.slice(path.lastIndexOf('/') + 1), file);
  });
  return named;
}

function filesByModule(
  files: readonly SnapshotFile[],
): ReadonlyMap<string, { file: number; bare: string }[]> {
  const modules = new Map<string, { file: number; bare: string }[]>();
  files.forEach(({ path }, file) => {
    const bare = path.replace(/\.[^./]+$/, '').replace(INDEX_FILE, '');
    addTo(modules, bare.slice(bare.lastIndexOf('/') + 1), { file, bare });
  });
  return modules;
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function stemWords(name: string): readonly string[] {
  const dot = name.indexOf('.', 1);
  return wordsOf(dot > 0 ? name.slice(0, dot) : name);
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{M}\p{N}_]+/u).flatMap(wordParts);
}

interface FolderWords {
  readonly own: readonly string[];
  readonly above: readonly string[];
}

function wordsOfFolder(folder: string, known: Map<string, FolderWords>): FolderWords {
  const found = known.get(folder);
  if (found) return found;
  const cut = folder.lastIndexOf('/');
  const parent = folder === '' ? null : wordsOfFolder(cut < 0 ? '' : folder.slice(0, cut), known);
  const words = {
    own: wordsOf(folder.slice(cut + 1)),
    above: parent ? [...parent.own, ...parent.above] : [],
  };
  known.set(folder, words);
  return words;
}

function sortedList(values: readonly string[]): StringList {
  const lowerBound = (value: string) => {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    length: values.length,
    at: (index) => values[index]!,
    lowerBound,
    find: (value) => {
      const at = lowerBound(value);
      return values[at] === value ? at : -1;
    },
  };
}
