import type { CommitHistory } from '../../model/commit-history.ts';

export interface CoChange {
  /** Above 0, at most the sum of the seeds' weights. */
  readonly score: number;
  /** The seed that gave most. */
  readonly seed: number;
  /** In how many commits the file changed together with that seed. */
  readonly together: number;
}

/** Once is chance. */
const MIN_TOGETHER = 2;

interface Tie {
  together: number;
  /** The same with large commits counting less. */
  strength: number;
}

/**
 * Files that change together with the seeds (file number to weight), more often than chance would have it. A seed
 * itself is no answer of its own but may be one of another seed.
 */
export function coChange(
  history: CommitHistory,
  seeds: ReadonlyMap<number, number>,
  fileOf: (path: string) => number,
): ReadonlyMap<number, CoChange> {
  const numbers = history.paths.map(fileOf);
  const changes = new Map<number, number>();
  const ties = new Map<number, Map<number, Tie>>();
  let commits = 0;
  for (let commit = 0; commit < history.ids.length; commit++) {
    const places = history.files.subarray(history.fileStarts[commit], history.fileStarts[commit + 1]);
    if (places.length > 0) commits++;
    const files = Array.from(places, (place) => numbers[place]!).filter((file) => file >= 0);
    for (const file of files) changes.set(file, (changes.get(file) ?? 0) + 1);
    // two files: 1, four: 1/2, a hundred: 1/7
    const strength = 1 / Math.log2(Math.max(history.fileCounts[commit]!, 2));
    for (const seed of files) if (seeds.has(seed)) addTies(ties, seed, files, strength);
  }
  return scoreTies(ties, seeds, changes, commits);
}

function addTies(
  ties: Map<number, Map<number, Tie>>,
  seed: number,
  files: readonly number[],
  strength: number,
): void {
  let ofSeed = ties.get(seed);
  if (ofSeed === undefined) {
    ofSeed = new Map();
    ties.set(seed, ofSeed);
  }
  for (const file of files) {
    if (file === seed) continue;
    const tie = ofSeed.get(file);
    if (tie === undefined) ofSeed.set(file, { together: 1, strength });
    else {
      tie.together++;
      tie.strength += strength;
    }
  }
}

function scoreTies(
  ties: ReadonlyMap<number, ReadonlyMap<number, Tie>>,
  seeds: ReadonlyMap<number, number>,
  changes: ReadonlyMap<number, number>,
  commits: number,
): Map<number, CoChange> {
  const found = new Map<number, CoChange & { readonly most: number }>();
  for (const [seed, weight] of seeds) {
    for (const [file, { together, strength }] of ties.get(seed) ?? []) {
      const [ofSeed, ofFile] = [changes.get(seed)!, changes.get(file)!];
      const lift = (together * commits) / (ofSeed * ofFile);
      if (together < MIN_TOGETHER || lift <= 1 || !(weight > 0)) continue;
      // the lift, held between 0 and 1: what both share, measured by what both have
      const score = (weight * strength) / Math.sqrt(ofSeed * ofFile);
      const before = found.get(file);
      const isMost = before === undefined || score > before.most;
      found.set(file, {
        score: (before?.score ?? 0) + score,
        seed: isMost ? seed : before.seed,
        together: isMost ? together : before.together,
        most: isMost ? score : before.most,
      });
    }
  }
  return new Map([...found].map(([file, { score, seed, together }]) => [file, { score, seed, together }]));
}
