import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder, makeFolderInside, OWNER_FOLDER } from '../../platform/fs/make-folder.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';

/** Where runs are recorded, below the repository's root. The only place in a repository that a run writes to. */
export const RUNS_FOLDER = '.loadout/runs';

/** Sorted by name they are sorted by time. */
export const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{8}$/;

/** Creates the folder of a run; everything in `.loadout/runs` stays out of the user's commits. */
export function makeRunFolder(root: SafeRoot, run: string): string {
  const runs = makeFolderInside(root.path, RUNS_FOLDER, OWNER_FOLDER);
  if (root.stat(`${RUNS_FOLDER}/.gitignore`) === null) writeFileAtomic(`${runs}/.gitignore`, '*\n');
  return makeFolder(`${runs}/${run}`, OWNER_FOLDER);
}
