import type { EdgeList, FileLinks, SnapshotFile } from '../../../model/snapshot.ts';
import { type RankingContext, remember, strongestFiles } from '../ranking-context.ts';
import type { ReasonContext, SignalDefinition } from './signal.ts';
import { told } from './signal.ts';

/** A strong file uses the file. */
export const usedByStrong = neighbourSignal('usedByStrong', 'used by', 'used by top matches', 'user');
/** The file uses a strong file. */
export const usesStrong = neighbourSignal('usesStrong', 'uses', 'uses top matches', 'used');
/** A strong test covers the file. */
export const testedByStrong = neighbourSignal(
  'testedByStrong',
  'covered by',
  'tests that match the task cover it',
  'test',
);
/** A strong file is in the same folder. */
export const besideStrong = neighbourSignal(
  'besideStrong',
  'same folder as',
  'same folder as top matches',
  'beside',
);

function neighbourSignal(
  name: keyof GraphEvidence,
  front: string,
  otherwise: string,
  neighbour: keyof NeighbourNames,
): SignalDefinition {
  return {
    name,
    group: 'graph',
    isAboutNeighbours: true,
    isShare: true,
    score: (context, strength) => graphEvidence(context, strength)[name],
    reason: (file, context) => told(front, neighbourNames(context)[neighbour](file), otherwise),
  };
}

/** All four look at the same strong files. */
const graphEvidence = remember(({ files, index }: RankingContext, strength: Float64Array) =>
  gatherGraphEvidence(files, index.links, strength),
);

type GraphEvidence = Readonly<
  Record<'usedByStrong' | 'usesStrong' | 'testedByStrong' | 'besideStrong', Float64Array>
>;

/** Files whose neighbours are looked at. */
const SEEDS = 25;

/**
 * What the neighbours of the strongest files gain: what they import (barrels followed to the definer), what
 * imports them, what strong tests cover, and files of the same folder.
 */
export function gatherGraphEvidence(
  files: readonly SnapshotFile[],
  { definers, tests }: FileLinks,
  strength: Float64Array,
): GraphEvidence {
  const order = strongestFiles(strength, SEEDS * 8);
  const sources = seedsOf(
    order.filter((file) => files[file]!.classification.role !== 'test'),
    strength,
  );
  const testSeeds = seedsOf(
    order.filter((file) => files[file]!.classification.role === 'test'),
    strength,
  );
  const users = reverseEdges(definers);
  const covering = reverseEdges(tests);
  return {
    usedByStrong: column(files.length, spread(definers, users, sources)),
    usesStrong: column(files.length, spread(users, definers, sources)),
    testedByStrong: column(files.length, spread(tests, covering, testSeeds)),
    besideStrong: column(files.length, besides(files, sources)),
  };
}

/** Squared, so that a few clear hits outweigh many weak ones. */
function seedsOf(order: readonly number[], strength: Float64Array): Map<number, number> {
  const top = order.slice(0, SEEDS);
  const most = strength[order[0] ?? 0] || 1;
  return new Map(top.map((file) => [file, (strength[file]! / most) ** 2]));
}

function besides(files: readonly SnapshotFile[], seeds: ReadonlyMap<number, number>): Map<number, number> {
  const folders = new Map<string, number>();
  for (const [file, strength] of seeds) {
    const folder = folderOf(files[file]!);
    folders.set(folder, (folders.get(folder) ?? 0) + strength);
  }
  const reached = new Map<number, number>();
  for (const [folder, sum] of folders)
    for (const file of filesIn(files, folder)) reached.set(file, sum - (seeds.get(file) ?? 0));
  return reached;
}

/** The files of a folder itself; `folder` ends with `/` or is empty. Files are sorted by path, so they are consecutive. */
function filesIn(files: readonly SnapshotFile[], folder: string): number[] {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle]!.path < folder) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let file = low; file < files.length && files[file]!.path.startsWith(folder); file++)
    if (!files[file]!.path.includes('/', folder.length)) found.push(file);
  return found;
}

function folderOf({ path }: SnapshotFile): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function column(length: number, values: ReadonlyMap<number, number>): Float64Array {
  const filled = new Float64Array(length);
  let most = 0;
  for (const value of values.values()) most = Math.max(most, value);
  if (most > 0) for (const [file, value] of values) filled[file] = value / most;
  return filled;
}

/** The same edges the other way round. */
export function reverseEdges({ starts, targets }: EdgeList): EdgeList {
  const count = starts.length - 1;
  const into = new Uint32Array(count + 1);
  for (const target of targets) into[target + 1]!++;
  for (let file = 0; file < count; file++) into[file + 1]! += into[file]!;
  const next = into.slice();
  const sources = new Uint32Array(targets.length);
  for (let file = 0; file < count; file++)
    for (let at = starts[file]!; at < starts[file + 1]!; at++) sources[next[targets[at]!]!++] = file;
  return { starts: into, targets: sources };
}

/**
 * Passes the strength of some files on to the files that their edges lead to. A file that leads to many says little about each,
 * and so does a target that many lead to.
 */
export function spread(
  edges: EdgeList,
  back: EdgeList,
  seeds: ReadonlyMap<number, number>,
): Map<number, number> {
  const reached = new Map<number, number>();
  for (const [seed, strength] of seeds) {
    const first = edges.starts[seed] ?? 0;
    const last = edges.starts[seed + 1] ?? 0;
    const share = strength / Math.sqrt(last - first);
    for (let at = first; at < last; at++) {
      const target = edges.targets[at]!;
      if (target === seed) continue;
      const degree = back.starts[target + 1]! - back.starts[target]!;
      reached.set(target, (reached.get(target) ?? 0) + share / Math.log2(1 + degree));
    }
  }
  return reached;
}

/** For a file: the strongest file that uses it, that it uses, that tests it, that is in its folder; empty if none. */
interface NeighbourNames {
  user(file: number): string;
  used(file: number): string;
  test(file: number): string;
  beside(file: number): string;
}

/** Only strong files are named: a weak one was no reason. */
const STRONG = 0.2;
const MAX_STRONG = 50;

const neighbourNames = remember((context: ReasonContext): NeighbourNames => {
  const { strength, mayName, shown } = context;
  const { files, index } = context.ranking;
  const { links } = index;
  const least = STRONG * strength.reduce((most, value) => Math.max(most, value), 0);
  const strong = [...strength.keys()]
    .filter((file) => strength[file]! > 0 && strength[file]! >= least && mayName(files[file]!.path))
    .sort((a, b) => strength[b]! - strength[a]! || a - b);
  const isTest = (file: number) => files[file]!.classification.role === 'test';
  const sources = strong.filter((file) => !isTest(file)).slice(0, MAX_STRONG);
  const tests = strong.filter(isTest).slice(0, MAX_STRONG);
  const nameOf = (file: number | undefined) => (file === undefined ? '' : shown.name(files[file]!.path));
  const others = (file: number) => sources.filter((one) => one !== file);
  return {
    user: (file) => nameOf(others(file).find((one) => leadsTo(links.definers, one, file))),
    used: (file) => nameOf(others(file).find((one) => leadsTo(links.definers, file, one))),
    test: (file) => nameOf(tests.find((one) => leadsTo(links.tests, one, file))),
    beside: (file) => {
      const folder = folderOf(files[file]!);
      return nameOf(others(file).find((one) => folderOf(files[one]!) === folder));
    },
  };
});

function leadsTo({ starts, targets }: EdgeList, from: number, to: number): boolean {
  return targets.subarray(starts[from], starts[from + 1]).includes(to);
}
