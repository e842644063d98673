import type { EdgeList, FileLinks } from '../../model/file-links.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { strongestFiles } from './strongest-files.ts';

const GRAPH_EVIDENCE = ['usedByStrong', 'usesStrong', 'testedByStrong', 'besideStrong'] as const;

export type GraphEvidenceName = (typeof GRAPH_EVIDENCE)[number];

type GraphEvidence = Readonly<Record<GraphEvidenceName, Float64Array>>;

/** Files whose neighbours are looked at. */
const SEEDS = 25;

/**
 * What the neighbours of the strongest files gain: what they import (barrels followed to the definer), what
 * imports them, what strong tests cover, and what lies in the same folder.
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

/** The files of a folder itself; `folder` ends with `/` or is empty. Files are sorted by path: all below it stand together. */
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
 * Hands the strength of some files on to those they lead to. A file that leads to many says little about each,
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
