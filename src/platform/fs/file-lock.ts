// Locks between processes, as files. A lock names its owner, so that the lock of a process that died can be
// taken over; exactly one of several takers gets it.

import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { monotonicMs, wallClockMs } from '../clock.ts';
import { mayBeAlive, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts';
import { readRegularFile } from './read-file.ts';

/** A lock that this process holds. */
export interface FileLock {
  release(): void;
}

interface LockRecord extends ProcessIdentity {
  /** Different for every lock ever taken. */
  readonly token: string;
}

/** In milliseconds, between two tries. */
const POLL_MS = 50;
/** Most takers in a chain, each of which died while it took over from the one before. A longer chain is not an accident. */
const MAX_CLAIM_DEPTH = 8;
/** A lock is written whole, so an unreadable one is damage, unless the file system made us write it in place. */
const DAMAGED_AFTER_MS = 10_000;

/** Takes the lock, or returns null while a process that may be alive holds it. A dead owner's lock is taken over by exactly one. */
export function tryLock(path: string): FileLock | null {
  const record: LockRecord = { ...ownIdentity(), token: randomBytes(12).toString('hex') };
  const prepared = `${path}.${record.token}`;
  try {
    writeFileSync(prepared, JSON.stringify(record), { flag: 'wx', mode: 0o644 });
    const taken = createExclusively(prepared, path) || takeOver(path, prepared, record);
    return taken ? { release: () => releaseLock(path, record.token) } : null;
  } catch (error) {
    throw new LoadoutError(
      'cannot-write',
      `cannot create the lock ${path} (${errorCode(error) || String(error)})`,
      {
        subject: path,
        hint: 'check the permissions and the free space of the folder',
        cause: error,
      },
    );
  } finally {
    rmSync(prepared, { force: true });
  }
}

/** Runs `work` as the only holder; waits at most `waitMs` for others. */
export async function withLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = monotonicMs() + waitMs;
  let lock = tryLock(path);
  while (lock === null) {
    if (monotonicMs() >= deadline) throw lockedError(path);
    await sleep(Math.min(POLL_MS, Math.max(1, deadline - monotonicMs())));
    lock = tryLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * Only the holder of the claim on a dead owner's token may replace that owner's lock. A claim is itself held by a
 * process; when that one has died, its claim can be claimed in turn, and the right passes along the chain.
 */
function takeOver(path: string, prepared: string, record: LockRecord): boolean {
  const owner = readRecord(path);
  if (owner === 'gone') return createExclusively(prepared, path);
  if (owner === 'alive') return false;
  const claims: string[] = [];
  let dead = owner.token;
  for (let depth = 0; depth < MAX_CLAIM_DEPTH; depth += 1) {
    const claim = `${path}.claim-${dead}`;
    claims.unshift(claim);
    if (createExclusively(prepared, claim)) {
      // Between reading the lock and claiming it, another taker may have come and gone.
      const current = readRecord(path);
      const unchanged = typeof current === 'object' && current.token === owner.token;
      if (unchanged) writeOver(path, record);
      // The right to act is removed last: as long as it exists, no other process can take it.
      for (const name of unchanged ? claims.toReversed() : [claim]) rmSync(name, { force: true });
      return unchanged;
    }
    const claimant = readRecord(claim);
    if (claimant === 'alive' || claimant === 'gone') return false;
    dead = claimant.token;
  }
  return false;
}

/** Replaces a lock in one step. */
function writeOver(path: string, record: LockRecord): void {
  const replacement = `${path}.${record.token}.new`;
  writeFileSync(replacement, JSON.stringify(record), { flag: 'wx', mode: 0o644 });
  renameSync(replacement, path);
}

/** A hard link appears with its content, so no process ever reads half a lock. */
function createExclusively(prepared: string, path: string): boolean {
  try {
    linkSync(prepared, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error))) throw error;
  }
  try {
    writeFileSync(path, readFileSync(prepared), { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The record of an owner that is certainly dead, or `alive` or `gone`. */
function readRecord(path: string): { readonly token: string } | 'alive' | 'gone' {
  const record = parseRecord(path);
  if (record === 'gone') return 'gone';
  if (record !== null) return mayBeAlive(record) ? 'alive' : record;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'gone';
  return wallClockMs() - stats.mtimeMs > DAMAGED_AFTER_MS ? { token: `damaged-${stats.ino}` } : 'alive';
}

/** A lock has a few hundred bytes; a larger file is not a lock. */
const MAX_LOCK_BYTES = 64_000;

/** Null for a file that is not a lock record. */
function parseRecord(path: string): LockRecord | 'gone' | null {
  let content: string;
  try {
    content = readRegularFile(path, MAX_LOCK_BYTES).toString();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    // a file that cannot be a lock counts as a damaged lock
    if (error instanceof LoadoutError) return null;
    throw error;
  }
  const record = jsonOrNull(content) as Partial<LockRecord> | null;
  const sound = Number.isInteger(record?.pid) && /^[0-9a-f]{24}$/.test(String(record?.token));
  return sound ? (record as LockRecord) : null;
}

/** Only the lock that was taken: another process may have taken it over since. */
function releaseLock(path: string, token: string): void {
  const record = parseRecord(path);
  if (record !== 'gone' && record?.token === token) rmSync(path, { force: true });
}

function lockedError(path: string): LoadoutError {
  const owner = parseRecord(path);
  const holder =
    owner === null || owner === 'gone' ? 'another process' : `process ${owner.pid} on ${owner.host}`;
  return new LoadoutError('index-locked', `the index is being written by ${holder}`, {
    subject: path,
    hint: `wait for it to end; if you are sure that it is gone, delete ${path}`,
  });
}
