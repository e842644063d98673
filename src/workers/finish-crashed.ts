import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { openSafeRoot } from '../platform/fs/safe-root.ts';
import { openEventLog } from './log/event-log.ts';
import { makeRunFolder, RUNS_FOLDER } from './log/run-folder.ts';
import type { ReapedRun } from './worktrees/reap-trees.ts';

/** Writes the end that a killed run could not write itself, and tells what is left of it. */
export function finishCrashed({ run, root, kept }: ReapedRun, now: () => number): readonly Diagnostic[] {
  const message = 'the process of the run was killed';
  try {
    const safeRoot = openSafeRoot(root);
    if (safeRoot.stat(`${RUNS_FOLDER}/${run}`)?.type === 'directory') {
      const log = openEventLog(makeRunFolder(safeRoot, run), run, now);
      const attempt = log.openAttempt();
      const end = { outcome: 'crashed', reason: 'runner-died', message } as const;
      if (attempt !== null) log.append({ type: 'attempt-end', attempt, ...end });
      if (kept !== null) log.append({ type: 'tree-kept', path: kept.path, why: kept.why });
      log.append({ type: 'run-end', ...end, branch: null, applied: false });
      log.close();
    }
  } catch (error) {
    // The work tree of the user that the run belonged to may be gone by now.
    if (!(error instanceof LoadoutError)) throw error;
  }
  if (kept === null) return [];
  const told = `the run ${run} was killed; what it had done is in ${kept.path} ("loadout runs drop ${run}" removes it)`;
  return [{ code: 'tree-kept', severity: 'warning', message: told }];
}
