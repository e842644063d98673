import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../fs/atomic-file.ts';
import { tryLock } from '../fs/file-lock.ts';
import { readRegularFile } from '../fs/read-file.ts';
import { removeFolder } from '../fs/remove-folder.ts';

/** What is known of a copy, in a file beside it. */
interface CopyRecord {
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly bytes: number;
  /** How often it was brought up to date. */
  readonly updates: number;
}

export interface CopyLimits {
  /** Copies that nobody used for longer are removed. */
  readonly unusedMs: number;
  /** Of all copies; those that were used last stay. */
  readonly bytes: number;
}

const HOUR_MS = 3_600_000;
export const COPY_LIMITS: CopyLimits = { unusedMs: 30 * 24 * HOUR_MS, bytes: 5_000_000_000 };
/** Somebody may still be reading it. */
const IN_USE_MS = HOUR_MS;
/** A copy in the making, or on its way out, that takes longer was left by somebody who died. */
const UNFINISHED_MS = 24 * HOUR_MS;
const COPY = /-[0-9a-f]{16}$/;
const UNFINISHED = /-[0-9a-f]{16}\.\d+\.tmp$/;

/** Says how often the copy was brought up to date, this time included. */
export function noteUse(path: string, nowMs: number, isUpdated: boolean): number {
  const known = readRecord(path);
  const updates = (known?.updates ?? 0) + (isUpdated ? 1 : 0);
  const bytes = isUpdated || known === null ? sizeOf(path) : known.bytes;
  const record: CopyRecord = { usedAt: nowMs, bytes, updates };
  quietly(() => writeFileAtomic(recordOf(path), JSON.stringify(record)));
  return updates;
}

/** Removes what is over the limits: never the copy at hand, nor one that somebody used just now. */
export function cleanCopies(folder: string, keep: string, nowMs: number, limits = COPY_LIMITS): void {
  const names = namesIn(folder);
  for (const name of names.filter((one) => UNFINISHED.test(one)))
    if (nowMs - changedAt(join(folder, name), nowMs) > UNFINISHED_MS) removeFolder(join(folder, name));
  const copies = names
    .filter((name) => COPY.test(name))
    .map((name) => {
      const path = join(folder, name);
      // copies of an earlier version have no record
      return { path, ...(readRecord(path) ?? { usedAt: changedAt(path, nowMs), bytes: sizeOf(path) }) };
    })
    .sort((one, other) => other.usedAt - one.usedAt || (one.path < other.path ? -1 : 1));
  let total = 0;
  for (const { path, usedAt, bytes } of copies) {
    total += bytes;
    const isOver = nowMs - usedAt > limits.unusedMs || total > limits.bytes;
    if (isOver && path !== keep && nowMs - usedAt > IN_USE_MS) remove(path);
  }
}

function remove(path: string): void {
  const lock = tryLock(`${path}.lock`);
  if (lock === null) return;
  quietly(() => {
    const leaving = `${path}.${process.pid}.tmp`;
    renameSync(path, leaving);
    removeFolder(leaving);
    removeFolder(recordOf(path));
  });
  lock.release();
}

/** Keeping house never fails whoever wants the copy: it is tried again another time. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // a full disk, or somebody else at the same work
  }
}

const MOST_RECORD_BYTES = 64_000;
const recordOf = (path: string): string => `${path}.json`;

function readRecord(path: string): CopyRecord | null {
  try {
    const { usedAt, bytes, updates } = JSON.parse(
      readRegularFile(recordOf(path), MOST_RECORD_BYTES).toString(),
    ) as CopyRecord;
    return [usedAt, bytes, updates].every(Number.isFinite) ? { usedAt, bytes, updates } : null;
  } catch {
    return null;
  }
}

function changedAt(path: string, otherwise: number): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? otherwise;
}

function sizeOf(folder: string): number {
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of namesIn(next)) {
      const stats = lstatSync(join(next, name), { throwIfNoEntry: false });
      if (stats?.isDirectory()) pending.push(join(next, name));
      else bytes += stats?.size ?? 0;
    }
  }
  return bytes;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
