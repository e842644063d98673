// Which files a repository leans on most, and which of their definitions: the order of a map.
import { DEFINITION_COLUMNS, type IndexView, TOP_LEVEL } from '../../model/index-view.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { kindsWith, SYMBOL_KINDS, type SymbolDefinition } from '../../model/symbol.ts';
import { filesByDocument } from './corpus.ts';

/** How far a reader follows links before starting again; more would carry all weight to the smallest helpers. */
const DAMPING = 0.5;
const ROUNDS = 12;
/** An import counts as much as the use of one name. */
const IMPORT_WEIGHT = 1;
/** Each folder on the way to a file: a part of a part is a detail. */
const DEPTH_SHARE = 0.85;
/** What helps to build and test a program is not the program. */
const SUPPORT_SHARE = 0.02;

/**
 * How central each file is, as a maintainer would draw the repository: it is reached from many of the `restart` files,
 * holds much, and brings other files together. Code of others and support for building and testing come last.
 */
export function centralityOf(index: IndexView, restart: Float64Array): Float64Array {
  const { files } = index.snapshot;
  const edges = edgesOf(index);
  const substance = substanceOf(index);
  const voters = restart.map((value, file) => (isSupport(files[file]!.path) ? value * SUPPORT_SHARE : value));
  return rankByLinks(edges, voters).map((rank, file) => {
    const { path } = files[file]!;
    const brought = edges.starts[file + 1]! - edges.starts[file]!;
    const depth = DEPTH_SHARE ** (path.split('/').length - 1);
    const size = Math.log2(1 + substance[file]!) ** 2;
    return rank * size * Math.log2(2 + brought) * depth * (isSupport(path) ? SUPPORT_SHARE : 1);
  });
}

/** Folders of support, anywhere in a path and at the top of a repository. */
const SUPPORT = /(?:^|\/)(?:scripts?|bench(?:es|marks?)?|ci|hack|mocks?|fixtures)\//i;
const SUPPORT_AT_TOP = /^(?:deps|extern(?:al)?s?|subprojects|build|tools?|packaging)\//i;
/** `testutil/`, `nu-test-support/`, `test_helpers.py`: a word of the path is about tests. */
const TEST_SUPPORT = /(?:^|[/_-])test(?:s|ing|utils?|support|helpers?)?(?:[/_-]|\.[a-z]+$)/i;

/** Whether a path is that of code of others, of a build or of support for tests, beyond what files are classified as. */
function isSupport(path: string): boolean {
  return SUPPORT.test(path) || SUPPORT_AT_TOP.test(path) || TEST_SUPPORT.test(path);
}

/** A declaration or a constant says less than code. */
const SHARE_OF_VALUES = 0.25;
const CODE = new Set([...kindsWith('callable'), ...kindsWith('container')]);

/** By file: how much it defines, code first of all. */
function substanceOf(index: IndexView): Float64Array {
  const sums = new Float64Array(index.snapshot.files.length);
  const fileOf = filesByDocument(index);
  index.snapshot.segments.forEach((_, number) => {
    const rows = index.segment(number).definitions;
    for (let at = 0; at < rows.length; at += DEFINITION_COLUMNS) {
      const file = fileOf[number]![rows[at + 1]!] ?? -1;
      const kind = SYMBOL_KINDS[rows[at + 3]! & ~TOP_LEVEL]!;
      if (file >= 0) sums[file]! += CODE.has(kind) ? 1 : SHARE_OF_VALUES;
    }
  });
  return sums;
}

/** The share of time that a reader spends at each file who starts at the `restart` files and follows links. */
function rankByLinks(edges: WeightedEdges, restart: Float64Array): Float64Array {
  const count = restart.length;
  const total = new Float64Array(count);
  for (let file = 0; file < count; file++)
    for (let at = edges.starts[file]!; at < edges.starts[file + 1]!; at++) total[file]! += edges.weights[at]!;
  const restartSum = restart.reduce((sum, value) => sum + value, 0) || 1;
  let rank = restart.map((value) => value / restartSum);
  for (let round = 0; round < ROUNDS; round++) {
    const next = restart.map((value) => ((1 - DAMPING) * value) / restartSum);
    for (let file = 0; file < count; file++) {
      if (total[file] === 0) continue;
      const unit = (DAMPING * rank[file]!) / total[file]!;
      for (let at = edges.starts[file]!; at < edges.starts[file + 1]!; at++)
        next[edges.targets[at]!]! += unit * edges.weights[at]!;
    }
    rank = next;
  }
  return rank;
}

/** Weighted edges from each file to the files whose definitions it uses, laid out by file number. */
interface WeightedEdges {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

/** A name that more files define says nothing about which of them is meant. */
const MAX_DEFINERS = 40;

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

/** A file that is reached over another one counts less. */
const SECOND_HAND = 0.5;

/** How sure it is that a file sees the definitions of another one: 1 for an import, less over a third file; 0: unlinked. */
type Reach = (target: number) => number;

/**
 * What each file sees: the files that it imports, and those that these import (a header includes headers). In a
 * language whose files never import a neighbour, the files of a folder see each other.
 */
function createReach({ links, snapshot }: IndexView): (file: number) => Reach {
  const { files } = snapshot;
  const sets: (ReadonlySet<number> | undefined)[] = [];
  const direct = (file: number): ReadonlySet<number> => {
    sets[file] ??= new Set(
      [links.imports, links.definers].flatMap(({ starts, targets }) => [
        ...targets.subarray(starts[file], starts[file + 1]),
      ]),
    );
    return sets[file];
  };
  const isShared = sharedFolders(files, direct);
  return (file) => {
    const own = direct(file);
    const folder = folderOf(files[file]!.path);
    const { language } = files[file]!;
    const isNeighbour = (other: SnapshotFile) =>
      isShared(language) && other.language === language && folderOf(other.path) === folder;
    const known = new Map<number, number>();
    return (target) => {
      if (own.has(target)) return 1;
      let sure = known.get(target);
      if (sure === undefined) {
        if (isNeighbour(files[target]!)) sure = 1;
        else sure = [...own].some((one) => direct(one).has(target)) ? SECOND_HAND : 0;
        known.set(target, sure);
      }
      return sure;
    };
  };
}

/** Fewer imports of neighbours than this share are exceptions. */
const FEW_NEIGHBOURS = 0.02;

/** Whether files of a language see their folder without an import: where the language has imports, but none of neighbours. */
function sharedFolders(
  files: readonly SnapshotFile[],
  direct: (file: number) => ReadonlySet<number>,
): (language: string | null) => boolean {
  const counts = new Map<string | null, { all: number; near: number }>();
  files.forEach(({ path, language }, file) => {
    const count = counts.get(language) ?? { all: 0, near: 0 };
    for (const target of direct(file)) {
      count.all++;
      if (folderOf(files[target]!.path) === folderOf(path)) count.near++;
    }
    counts.set(language, count);
  });
  return (language) => {
    const { all, near } = counts.get(language) ?? { all: 0, near: 0 };
    return all > 0 && near <= all * FEW_NEIGHBOURS;
  };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

const knownEdges = new WeakMap<IndexView, WeightedEdges>();

/** Made once for an opened index. */
function edgesOf(index: IndexView): WeightedEdges {
  const known = knownEdges.get(index);
  if (known) return known;
  const made = linkedUses(index);
  knownEdges.set(index, made);
  return made;
}

/**
 * Links from each file to the files that define what it uses: its imports, and the names in its code that lead to a
 * definition it can see. A name without such a link is a namesake and counts nothing.
 */
function linkedUses(index: IndexView): WeightedEdges {
  const { files, segments } = index.snapshot;
  const definers = collectDefiners(index, filesByDocument(index));
  const known = segments.map((_, number) => {
    const { words } = index.segment(number);
    return Array.from({ length: words.length }, (__, word) => definers.get(words.at(word)));
  });
  const reachOf = createReach(index);
  const starts = new Uint32Array(files.length + 1);
  const targets: number[] = [];
  const weights: number[] = [];
  files.forEach(({ segment, document }, file) => {
    const sums = new Map<number, number>();
    const add = (target: number, weight: number) => {
      if (target !== file && weight > 0) sums.set(target, (sums.get(target) ?? 0) + weight);
    };
    const { starts: from, targets: imported } = index.links.definers;
    for (let at = from[file]!; at < from[file + 1]!; at++) add(imported[at]!, IMPORT_WEIGHT);
    if (segment >= 0) {
      const reach = reachOf(file);
      index.segment(segment).eachUse(document, (word) => {
        const defining = known[segment]![word];
        // a file that defines the name itself means its own
        if (!defining || defining.includes(file)) return;
        const seen = defining.map(reach);
        const linked = seen.filter((sure) => sure > 0).length;
        if (linked === 0) return;
        // of two definitions one may be the declaration of the other: a header and its source
        const isDeclared = defining.length === 2;
        const best = Math.max(...seen);
        defining.forEach((target, at) => {
          const sure =
            isDeclared && seen[at] === 0 && reachOf(target)(defining[1 - at]!) > 0 ? best : seen[at]!;
          add(target, sure / linked ** 2);
        });
      });
    }
    for (const [target, weight] of [...sums].sort(([a], [b]) => a - b)) {
      targets.push(target);
      weights.push(weight);
    }
    starts[file + 1] = targets.length;
  });
  return { starts, targets: Uint32Array.from(targets), weights: Float64Array.from(weights) };
}

/** What a reader of an outline looks for; the rest is detail. */
const OUTLINED = new Set([...kindsWith('structural'), ...kindsWith('exported')]);

/** A member's name is often used of something else, and tells less than the name of what holds it. */
const MEMBER_SHARE = 0.25;
const TELLING_MEMBER = /^(?:[a-zA-Z]..|[^ -~])/;

/** Of a file's symbols the numbers of those worth showing, most used first; a container comes before its members. */
type RankSymbols = (file: number, symbols: readonly SymbolDefinition[]) => readonly number[];

/** Ranks by how many of the files that lean on a file use the name. */
export function createSymbolRanking(index: IndexView): RankSymbols {
  const fileOf = filesByDocument(index);
  const users = invert(index);

  function usesOf(name: string, among: ReadonlySet<number>): number {
    let uses = 0;
    index.snapshot.segments.forEach((_, number) => {
      const segment = index.segment(number);
      const word = segment.words.find(name);
      if (word < 0) return;
      segment.eachPosting(word, (document) => {
        const file = fileOf[number]![document] ?? -1;
        if (file >= 0 && among.has(file)) uses++;
      });
    });
    return uses;
  }

  return (file, symbols) => {
    const among = new Set(users(file));
    const scores: number[] = [];
    symbols.forEach(({ name, kind, container }, at) => {
      const isShown = OUTLINED.has(kind) && (container < 0 || scores[container]! >= 0);
      // other files do not name tests, and members of members are details
      const isDeep = container >= 0 && symbols[container]!.container >= 0;
      if (!isShown || isDeep) scores[at] = -1;
      else if (container < 0) scores[at] = usesOf(name, among) * (CODE.has(kind) ? 1 : SHARE_OF_VALUES);
      else
        scores[at] = TELLING_MEMBER.test(name)
          ? Math.min(scores[container]!, usesOf(name, among)) * MEMBER_SHARE
          : 0;
    });
    // a name that no other file uses is not why the file is central
    const least = scores.some((score) => score > 0) ? Number.MIN_VALUE : 0;
    return symbols
      .map((_, at) => at)
      .filter((at) => scores[at]! >= least)
      .sort((a, b) => scores[b]! - scores[a]! || a - b);
  };
}

/** The files that use definitions of a file. */
function invert(index: IndexView): (file: number) => readonly number[] {
  const { starts, targets } = edgesOf(index);
  const users: number[][] = index.snapshot.files.map(() => []);
  users.forEach((_, file) => {
    for (let at = starts[file]!; at < starts[file + 1]!; at++) users[targets[at]!]!.push(file);
  });
  return (file) => users[file] ?? [];
}
