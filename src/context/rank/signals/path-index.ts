import type { SnapshotFile } from '../../../model/snapshot.ts';
import { wordParts } from '../../../model/word-parts.ts';

/** What a word counts by its place in the path: the file's own name says most, its folder less. */
const STEM = 1;
const FOLDER = 0.5;
const ABOVE = 0.25;

/** Files that have a word in their path, and what it counts in each. */
export interface PathPosting {
  readonly files: readonly number[];
  readonly levels: readonly number[];
}

/** The words of all paths, and the files whose paths have them. */
export interface PathIndex {
  /** Empty for a word that no path has. */
  posting(word: string): PathPosting;
  /** How many words the file's own name has. */
  readonly stemLengths: Uint8Array;
  /** Files by their name with its ending. */
  readonly named: ReadonlyMap<string, readonly number[]>;
  /** Files by the last segment of what they are imported as: no ending, and the folder's name for its index file. */
  readonly modules: ReadonlyMap<string, readonly { readonly file: number; readonly bare: string }[]>;
}

const INDEX_FILE = /\/(?:__init__|index|mod|lib)$/;

const indexes = new WeakMap<readonly SnapshotFile[], PathIndex>();

/** Made once for the files of a snapshot, which are sorted by path. */
export function pathIndexOf(files: readonly SnapshotFile[]): PathIndex {
  const known = indexes.get(files);
  if (known) return known;
  const made = makePathIndex(files);
  indexes.set(files, made);
  return made;
}

/** The names of files and folders that have a word, each by its number. */
interface WordPlaces {
  readonly stems: number[];
  readonly folders: number[];
}

/**
 * Most files share their folder and many their name: the words of each are worked out once, and put together into
 * lists of files only for words that are asked for.
 */
function makePathIndex(files: readonly SnapshotFile[]): PathIndex {
  const places = new Map<string, WordPlaces>();
  const placesOf = (word: string): WordPlaces => {
    let known = places.get(word);
    if (!known) {
      known = { stems: [], folders: [] };
      places.set(word, known);
    }
    return known;
  };
  const stems = new Map<string, Stem>();
  const byStem: number[][] = [];
  const stemLengths = new Uint8Array(files.length);
  const folders = new FolderRanges((name, folder) => {
    for (const word of wordsOf(name)) addOnce(placesOf(word).folders, folder);
  });
  files.forEach(({ path }, file) => {
    const cut = path.lastIndexOf('/');
    const name = path.slice(cut + 1);
    let stem = stems.get(name);
    if (!stem) {
      const words = stemWords(name);
      stem = { number: byStem.length, length: Math.min(255, words.length) };
      stems.set(name, stem);
      byStem.push([]);
      for (const word of words) addOnce(placesOf(word).stems, stem.number);
    }
    byStem[stem.number]!.push(file);
    stemLengths[file] = stem.length;
    folders.add(path, cut, file);
  });
  folders.close(files.length);
  const best = new Float64Array(files.length);
  const posting = (word: string): PathPosting => {
    const found = places.get(word);
    if (!found) return NOWHERE;
    const having: number[] = [];
    const note = (file: number, level: number) => {
      if (best[file] === 0) having.push(file);
      if (level > best[file]!) best[file] = level;
    };
    for (const stem of found.stems) for (const file of byStem[stem]!) note(file, STEM);
    for (const folder of found.folders)
      folders.each(folder, (file, isDirect) => note(file, isDirect ? FOLDER : ABOVE));
    const levels = having.map((file) => best[file]!);
    for (const file of having) best[file] = 0;
    return { files: having, levels };
  };
  // most tasks name no file and no module
  let named: ReturnType<typeof filesByName> | undefined;
  let modules: ReturnType<typeof filesByModule> | undefined;
  return {
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

/** Numbers come in order. */
function addOnce(numbers: number[], number: number): void {
  if (numbers[numbers.length - 1] !== number) numbers.push(number);
}

const NOWHERE: PathPosting = { files: [], levels: [] };

interface Stem {
  readonly number: number;
  readonly length: number;
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

/** Most names are one word of small letters, which needs no further look. */
const PLAIN = /^[a-z]+$/;

function wordsOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return [text];
  return text.split(/[^\p{L}\p{M}\p{N}_]+/u).flatMap(wordParts);
}

/**
 * The folders of paths that come in sorted order, each as the range of files below it: in sorted order they are
 * consecutive.
 */
class FolderRanges {
  readonly #onFolder: (name: string, folder: number) => void;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** By file: its folder, or -1. */
  readonly #folderOf: number[] = [];
  /** The folders around the file that came last, outermost first, with a `/` at the end. */
  readonly #around: { readonly prefix: string; readonly folder: number }[] = [];

  /** `onFolder` is told of each folder once, with its last name. */
  constructor(onFolder: (name: string, folder: number) => void) {
    this.#onFolder = onFolder;
  }

  /** `cut` is the place of the last `/`, or -1. */
  add(path: string, cut: number, file: number): void {
    let innermost = this.#around.at(-1);
    while (innermost && !path.startsWith(innermost.prefix)) {
      this.#ends[innermost.folder] = file;
      this.#around.pop();
      innermost = this.#around.at(-1);
    }
    let from = innermost?.prefix.length ?? 0;
    while (from <= cut) {
      const slash = path.indexOf('/', from);
      const folder = this.#starts.push(file) - 1;
      this.#around.push({ prefix: path.slice(0, slash + 1), folder });
      this.#onFolder(path.slice(from, slash), folder);
      from = slash + 1;
    }
    this.#folderOf[file] = this.#around.at(-1)?.folder ?? -1;
  }

  /** No more files come. */
  close(fileCount: number): void {
    for (const { folder } of this.#around) this.#ends[folder] = fileCount;
    this.#around.length = 0;
  }

  each(folder: number, visit: (file: number, isDirect: boolean) => void): void {
    const end = this.#ends[folder]!;
    for (let file = this.#starts[folder]!; file < end; file++) visit(file, this.#folderOf[file] === folder);
  }
}
