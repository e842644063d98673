import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { RunOutcome, RunReason, RunResult, StoredEvent } from '../run-record.ts';
import { EVENTS_FILE, parseEvents, RUN_ID, RUNS_FOLDER } from './event-log.ts';

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

const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** All runs of a repository, newest first. */
export function listRuns(root: SafeRoot): readonly RunSummary[] {
  return runNames(root).map((run) => summarize(run, readEvents(root, run)));
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
  const names = runNames(root);
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
function runNames(root: SafeRoot): readonly string[] {
  const names = (root.list(RUNS_FOLDER) ?? []).map(({ name }) => name);
  return names.filter((name) => RUN_ID.test(name)).reverse();
}

/** Null while the run goes on, or when the file cannot be read. */
function readRecord(root: SafeRoot, run: string): RunResult | null {
  const read = root.read(`${RUNS_FOLDER}/${run}/record.json`, MAX_EVENT_BYTES);
  return read.kind === 'content' ? (jsonOrNull(read.bytes.toString('utf8')) as RunResult | null) : null;
}

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
