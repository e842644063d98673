import { createHash, randomBytes } from 'node:crypto';
import { openAppendFile } from '../../platform/fs/append-file.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder, makeFolderInside, OWNER_FOLDER } from '../../platform/fs/make-folder.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { safeData } from '../../redact/outgoing-text.ts';
import { isTerminal, type RunEvent, type StoredEvent } from '../run-record.ts';

export const EVENTS_FILE = 'events.jsonl';

/** The history of one run: lines are only ever added, and those that end something are on disk when told. */
export interface EventLog {
  /** Null when the event would be a second end of the same attempt or run: the first one counts. */
  append(event: RunEvent): StoredEvent | null;
  /** The attempt that has begun and not ended. */
  openAttempt(): number | null;
  readonly isEnded: boolean;
  close(): void;
}

const MAX_TEXT = 16_000;

export function openEventLog(folder: string, run: string, now: () => number): EventLog {
  const file = openAppendFile(`${folder}/${EVENTS_FILE}`);
  const known = parseEvents(file.read(0, file.size) ?? Buffer.alloc(0));
  // A writer that was killed may have left half a line.
  if (known.validBytes < file.size) file.truncate(known.validBytes);
  let { lastLine } = known;
  let seq = known.events.at(-1)?.seq ?? 0;
  let open: number | null = null;
  let isEnded = false;
  const note = (event: RunEvent): void => {
    if (event.type === 'attempt-start') open = event.attempt;
    if (event.type === 'attempt-end') open = null;
    if (event.type === 'run-end') isEnded = true;
  };
  for (const event of known.events) note(event);
  return {
    openAttempt: () => open,
    get isEnded() {
      return isEnded;
    },
    append(event) {
      if (isEnded || (event.type === 'attempt-end' && event.attempt !== open)) return null;
      // What is not kept takes no number, so that the kept lines have none missing.
      if (event.type !== 'agent-output') seq += 1;
      const stored: StoredEvent = {
        run,
        seq,
        at: new Date(now()).toISOString(),
        ...shorten(safeData(event)),
      };
      note(event);
      if (event.type === 'agent-output') return stored;
      const line = JSON.stringify({ ...stored, before: chainHash(lastLine) });
      file.append(Buffer.from(`${line}\n`), isTerminal(event.type));
      lastLine = line;
      return stored;
    },
    close: () => file.close(),
  };
}

/** Of the line before, so that a line that was changed or taken out shows. */
export function chainHash(line: string): string {
  return line === '' ? '' : createHash('sha256').update(line).digest('hex').slice(0, 16);
}

function shorten(event: RunEvent): RunEvent {
  const entries = Object.entries(event).map(([name, value]) =>
    typeof value === 'string' && value.length > MAX_TEXT
      ? [name, `${value.slice(0, MAX_TEXT)} [truncated]`]
      : [name, value],
  );
  return Object.fromEntries(entries) as RunEvent;
}

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

/**
 * `20260131-142503-1f8d0817`: by name they are in the order of time, and no two are the same. The last group begins
 * with the milliseconds and goes on at random.
 */
export function newRunId(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const digits = (text: string) => text.replace(/\D/g, '');
  const milliseconds = Math.floor(nowMs % 1_000)
    .toString(16)
    .padStart(3, '0');
  const random = randomBytes(3).toString('hex').slice(1);
  return `${digits(date)}-${digits(time).slice(0, 6)}-${milliseconds}${random}`;
}

export interface ParsedEvents {
  readonly events: readonly StoredEvent[];
  /** Up to the end of the last whole line that is an event. */
  readonly validBytes: number;
  readonly lastLine: string;
  /** Lines that are no events, a torn one at the end included. */
  readonly damagedLines: number;
}

const NEW_LINE = 10;

/** Reads a log that somebody may be writing, or was writing when it was killed. */
export function parseEvents(bytes: Buffer): ParsedEvents {
  const events: StoredEvent[] = [];
  let validBytes = 0;
  let lastLine = '';
  let damagedLines = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, start);
    const line = bytes.toString('utf8', start, end === -1 ? bytes.length : end);
    const event = end === -1 ? null : parseEvent(line);
    if (event === null) damagedLines += 1;
    else {
      events.push(event);
      validBytes = end + 1;
      lastLine = line;
    }
    start = end === -1 ? bytes.length : end + 1;
  }
  return { events, validBytes, lastLine, damagedLines };
}

function parseEvent(line: string): StoredEvent | null {
  try {
    const { before: _, ...event } = JSON.parse(line);
    const isEvent =
      typeof event.type === 'string' && typeof event.run === 'string' && Number.isInteger(event.seq);
    return isEvent ? event : null;
  } catch {
    return null;
  }
}
