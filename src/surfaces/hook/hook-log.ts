import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../agents/index.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
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

const MAX_LOG = 64 * 1024;
const MAX_PROBLEM = 500;
const file = (cacheDirectory: string) => join(cacheDirectory, 'hook', 'log.jsonl');

/** Logs why an agent got no context, or less of it. Keeps at most two files of 64 KB, and never throws. */
export function logHook(cacheDirectory: string, entry: HookLogEntry): void {
  const path = file(cacheDirectory);
  const problem = safeLine(entry.problem.replace(/\s+/g, ' ')).slice(0, MAX_PROBLEM);
  try {
    createFolders(join(cacheDirectory, 'hook'), 0o700);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG) renameSync(path, `${path}.1`);
    appendFileSync(path, `${JSON.stringify({ ...entry, problem })}\n`, { mode: 0o600 });
  } catch {
    // A hook has no other place to report this.
  }
}

/** The newest entries, newest first. */
export function readHookLog(cacheDirectory: string, most: number): readonly HookLogEntry[] {
  const lines = [`${file(cacheDirectory)}.1`, file(cacheDirectory)].flatMap((path) =>
    readQuietly(path).split('\n'),
  );
  return lines.flatMap(parseEntry).reverse().slice(0, most);
}

function readQuietly(path: string): string {
  try {
    return readRegularFile(path, 4 * MAX_LOG).toString();
  } catch {
    return '';
  }
}

function parseEntry(line: string): HookLogEntry[] {
  const value = jsonOrNull(line);
  if (!isRecord(value)) return [];
  const { at, event, client, milliseconds, problem } = value;
  const texts = [at, event, client, problem];
  if (!texts.every((one) => typeof one === 'string') || typeof milliseconds !== 'number') return [];
  return [value as unknown as HookLogEntry];
}
