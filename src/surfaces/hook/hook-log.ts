import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appendText } from '../../platform/fs/append-file.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { safeLine } from '../../redact/index.ts';

/** A problem of one hook, for `loadout doctor`. */
export interface HookLogEntry {
  /** ISO time. */
  readonly at: string;
  readonly event: string;
  readonly client: string;
  readonly milliseconds: number;
  readonly problem: string;
}

export const MAX_LOG = 64 * 1024;
const MAX_PROBLEM = 500;
export const hookLogPath = (cacheDirectory: string): string => join(cacheDirectory, 'hook', 'log.jsonl');

/**
 * Logs why an agent got no context, or less of it. Keeps at most two files of 64 KB, and never throws. `hook-records.ts`
 * reads the log: this file needs no schemas, because a hook that is out of time loads it.
 */
export function logHook(cacheDirectory: string, entry: HookLogEntry): void {
  const path = hookLogPath(cacheDirectory);
  const problem = safeLine(entry.problem.replace(/\s+/g, ' ')).slice(0, MAX_PROBLEM);
  try {
    createFolders(join(cacheDirectory, 'hook'), 0o700);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG) renameSync(path, `${path}.1`);
    appendText(path, `${JSON.stringify({ ...entry, problem })}\n`);
  } catch {
    // A hook has no other place to report this.
  }
}
