import type { StoredEvent } from '../run-event.ts';

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
