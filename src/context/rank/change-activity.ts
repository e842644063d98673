import type { CommitHistory } from '../../model/commit-history.ts';

/** After this many commits a change counts half as much. */
const RECENT_HALF = 200;
const OFTEN_HALF = 500;

export interface ChangeActivity {
  /** By file: how lately it was changed. */
  readonly recently: Float64Array;
  /** By file: how often, large commits and old ones counting less. */
  readonly often: Float64Array;
}

/** How much work goes on in each file: where much was changed lately, more is going to be. */
export function changeActivity(
  history: CommitHistory,
  fileCount: number,
  fileOf: (path: string) => number,
): ChangeActivity {
  const activity = { recently: new Float64Array(fileCount), often: new Float64Array(fileCount) };
  const numbers = history.paths.map(fileOf);
  for (let commit = 0; commit < history.ids.length; commit++) {
    const first = history.fileStarts[commit]!;
    const last = history.fileStarts[commit + 1]!;
    for (let at = first; at < last; at++) {
      const file = numbers[history.files[at]!]!;
      if (file < 0) continue;
      activity.recently[file] = Math.max(activity.recently[file]!, 1 / (1 + commit / RECENT_HALF));
      activity.often[file]! += 1 / (1 + commit / OFTEN_HALF) / (last - first);
    }
  }
  return activity;
}
