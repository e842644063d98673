import type { EdgeList } from '../../model/file-links.ts';
import type { WeightedEdges } from './reference-edges.ts';

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
