import type { EdgeList } from '../../model/file-links.ts';

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
