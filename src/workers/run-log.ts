// The log of a run, `.loadout/runs/ID/events.jsonl`: writing it, reading it back, and finding runs. A log can be read
// while it is written, and after its writer was killed.

import { createHash, randomBytes } from 'node:crypto';
import { isRecord } from '../agents/index.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { jsonOrNull } from '../model/read-json.ts';
import { openAppendFile } from '../platform/fs/append-file.ts';
import { writeFileAtomic } from '../platform/fs/atomic-file.ts';
import { makeFolder, makeFolderInside, OWNER_FOLDER } from '../platform/fs/make-folder.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import { safeData } from '../redact/index.ts';
import {
  isTerminal,
  type RunEvent,
  type RunOutcome,
  type RunReason,
  type RunResult,
  type StoredEvent,
} from './run-record.ts';

/** The file of the events in the folder of a run. */
export const EVENTS_FILE = 'events.jsonl';

/** The history of one run. Lines are only ever added. An event that ends something is on disk before `append` returns. */
export interface EventLog {
  /** Null for a second end of the same attempt or run: the first one counts. */
  append(event: RunEvent): StoredEvent | null;
  /** The attempt that has begun and not ended. */
  openAttempt(): number | null;
  /** The run has its end. Later events are dropped. */
  readonly isEnded: boolean;
  /** Closes the file. It does not write an end. */
  close(): void;
}

/** Longer texts in an event are cut. */
const MAX_TEXT = 16_000;

/** Opens the log of a run, new or with events in it. */
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
      // Events that are not kept take no number, so that no number is missing on disk.
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

/** A hash of the line before, which shows when a line was changed or removed. */
export function chainHash(line: string): string {
  return line === '' ? '' : createHash('sha256').update(line).digest('hex').slice(0, 16);
}

/** Cuts long texts, because a log is read as a whole. */
function shorten(event: RunEvent): RunEvent {
  const entries = Object.entries(event).map(([name, value]) =>
    typeof value === 'string' && value.length > MAX_TEXT
      ? [name, `${value.slice(0, MAX_TEXT)} [truncated]`]
      : [name, value],
  );
  return Object.fromEntries(entries) as RunEvent;
}

/** Where runs are recorded, below the repository's root. A run writes to no other place in the repository. */
export const RUNS_FOLDER = '.loadout/runs';

/** The id of a run. Sorted by id, runs are sorted by time. */
export const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{8}$/;

/** Creates the folder of a run. An ignore file keeps all of `.loadout/runs` out of the user's commits. */
export function makeRunFolder(root: SafeRoot, run: string): string {
  const runs = makeFolderInside(root.path, RUNS_FOLDER, OWNER_FOLDER);
  if (root.stat(`${RUNS_FOLDER}/.gitignore`) === null) writeFileAtomic(`${runs}/.gitignore`, '*\n');
  return makeFolder(`${runs}/${run}`, OWNER_FOLDER);
}

/**
 * A new id such as `20260131-142503-1f8d0817`: date, time, then the milliseconds and a random part. No two are the same.
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

/** The events in the bytes of a log. */
export interface ParsedEvents {
  readonly events: readonly StoredEvent[];
  /** The length up to the end of the last whole line that is an event. */
  readonly validBytes: number;
  readonly lastLine: string;
  /** Lines that are not events, including an incomplete last line. */
  readonly damagedLines: number;
}

/** The byte that ends an event. */
const NEW_LINE = 10;

/** Reads a log, also while a process writes it, or after that process was killed. */
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

/** Null for a line that is not an event. */
function parseEvent(line: string): StoredEvent | null {
  const read = jsonOrNull(line);
  if (!isRecord(read)) return null;
  const { before: _, ...event } = read;
  const isEvent =
    typeof event.type === 'string' && typeof event.run === 'string' && Number.isInteger(event.seq);
  return isEvent ? (event as unknown as StoredEvent) : null;
}

/** A run in a few fields, from its events. */
export interface RunSummary {
  readonly run: string;
  /** `unfinished` while it runs, and after it was killed until another run cleans up. */
  readonly outcome: RunOutcome | 'unfinished';
  readonly reason: RunReason | null;
  readonly message: string;
  /** The status of the agent's last answer. */
  readonly answer: string | null;
  readonly role: string | null;
  readonly cli: string | null;
  readonly task: string | null;
  readonly startedAt: string | null;
  readonly attempts: number;
}

/** More than any run writes. A larger file is not read. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** All runs of a repository, newest first. */
export function listRuns(root: SafeRoot): readonly RunSummary[] {
  return listRunIds(root).map((run) => summarize(run, readEvents(root, run)));
}

/** The events and the record of one run; the record is null until the run has ended. */
export function readRun(
  root: SafeRoot,
  run: string,
): { events: readonly StoredEvent[]; record: RunResult | null } {
  return { events: readEvents(root, run), record: readRecord(root, run) };
}

/** The id of the given run, or of the newest. A part of an id is enough when only one run has it. */
export function findRun(root: SafeRoot, given: string | undefined): string {
  const names = listRunIds(root);
  const found = given === undefined ? names.slice(0, 1) : names.filter((name) => name.includes(given));
  if (found.length === 1) return found[0]!;
  const what =
    given === undefined ? 'there is no run yet' : `${found.length} runs match ${JSON.stringify(given)}`;
  throw new LoadoutError('unknown-run', what, { hint: 'see: loadout runs list' });
}

/** The events of a run, as far as they can be read. */
export function readEvents(root: SafeRoot, run: string): readonly StoredEvent[] {
  const read = root.read(`${RUNS_FOLDER}/${run}/${EVENTS_FILE}`, MAX_EVENT_BYTES);
  return read.kind === 'content' ? parseEvents(read.bytes).events : [];
}

/** Ids of all runs, newest first. */
export function listRunIds(root: SafeRoot): readonly string[] {
  const names = (root.list(RUNS_FOLDER) ?? []).map(({ name }) => name);
  return names.filter((name) => RUN_ID.test(name)).reverse();
}

/** Null while the run continues, or when the file cannot be read. */
function readRecord(root: SafeRoot, run: string): RunResult | null {
  const read = root.read(`${RUNS_FOLDER}/${run}/record.json`, MAX_EVENT_BYTES);
  return read.kind === 'content' ? (jsonOrNull(read.bytes.toString('utf8')) as RunResult | null) : null;
}

/** A run that was killed has no end, so most fields may be missing. */
function summarize(run: string, events: readonly StoredEvent[]): RunSummary {
  const start = events.find((event) => event.type === 'run-start');
  const end = events.find((event) => event.type === 'run-end');
  return {
    run,
    outcome: end?.outcome ?? 'unfinished',
    reason: end?.reason ?? null,
    message: end?.message ?? '',
    answer: events.findLast((event) => event.type === 'answer-accepted')?.status ?? null,
    role: start?.role ?? null,
    cli: start?.cli ?? null,
    task: start?.task ?? null,
    startedAt: start?.at ?? null,
    attempts: events.filter(({ type }) => type === 'attempt-start').length,
  };
}
