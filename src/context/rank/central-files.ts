import { DEFINITION_COLUMNS, type IndexView, TOP_LEVEL } from '../../model/index-view.ts';
import type { EdgeList, FileLinks } from '../../model/snapshot.ts';
import { kindsWith, SYMBOL_KINDS, type SymbolDefinition } from '../../model/symbol.ts';
import { filesByDocument } from './corpus.ts';

const DAMPING = 0.85;
const ROUNDS = 30;

/** An import is a promise to use something: as good as this many plain uses. */
const IMPORT_WEIGHT = 2;

/**
 * How central each file is: the share of time a reader spends there who follows imports and uses of names, and
 * now and then starts again at one of the `restart` files (any file, when they are all equal).
 */
export function rankByLinks(
  definers: EdgeList,
  references: WeightedEdges,
  restart: Float64Array,
): Float64Array {
  const count = restart.length;
  const total = new Float64Array(count);
  for (let file = 0; file < count; file++) {
    let sum = IMPORT_WEIGHT * (definers.starts[file + 1]! - definers.starts[file]!);
    for (let at = references.starts[file]!; at < references.starts[file + 1]!; at++)
      sum += references.weights[at]!;
    total[file] = sum;
  }
  const restartSum = restart.reduce((sum, value) => sum + value, 0) || 1;
  let rank = restart.map((value) => value / restartSum);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(count);
    let stranded = 0;
    for (let file = 0; file < count; file++) {
      const share = rank[file]!;
      if (total[file] === 0) {
        stranded += share;
        continue;
      }
      const unit = share / total[file]!;
      for (let at = definers.starts[file]!; at < definers.starts[file + 1]!; at++)
        next[definers.targets[at]!]! += unit * IMPORT_WEIGHT;
      for (let at = references.starts[file]!; at < references.starts[file + 1]!; at++)
        next[references.targets[at]!]! += unit * references.weights[at]!;
    }
    for (let file = 0; file < count; file++) {
      const jump = restart[file]! / restartSum;
      next[file] = DAMPING * (next[file]! + stranded * jump) + (1 - DAMPING) * jump;
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
      else if (container < 0) scores[at] = usesOf(name, among);
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

/** The files whose imports lead to a file. */
function invert({ links, snapshot }: IndexView): (file: number) => readonly number[] {
  const { starts, targets } = links.definers;
  const users: number[][] = snapshot.files.map(() => []);
  snapshot.files.forEach((_, file) => {
    for (let at = starts[file]!; at < starts[file + 1]!; at++) users[targets[at]!]!.push(file);
  });
  return (file) => users[file] ?? [];
}
