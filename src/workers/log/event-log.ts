import { createHash } from 'node:crypto';
import { openAppendFile } from '../../platform/fs/append-file.ts';
import { safeData } from '../../redact/outgoing-text.ts';
import { isTerminal, type RunEvent, type StoredEvent } from '../run-event.ts';
import { parseEvents } from './parse-events.ts';

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
