import { LoadoutError } from '../../model/loadout-error.ts';
import { pause } from '../../platform/clock.ts';
import { backoffMs, isBusy, type Patience, unavailable } from './connection.ts';
import type { Place } from './snapshot-document.ts';

/** One change of one document. Done twice it is the same as done once. */
export interface BulkItem {
  readonly id: string;
  readonly routing: string;
  readonly action: 'update' | 'index' | 'delete';
  /** Absent for a deletion. */
  readonly body?: string;
}

/** What a bulk request could not change. */
export interface BulkReport {
  /** Documents that were to be changed and are not there. */
  readonly absent: readonly string[];
}

const MAX_BULK_CHARACTERS = 4_000_000;
const MAX_BULK_ITEMS = 2000;
/** Of one item. A cluster that restarts a node needs half a minute. */
const MAX_ATTEMPTS = 30;

/** Cuts a list into requests of a size that servers like. */
export function cutBulk(items: readonly BulkItem[]): readonly (readonly BulkItem[])[] {
  const batches: BulkItem[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const more = (item.body?.length ?? 0) + 100;
    if (size + more > MAX_BULK_CHARACTERS || batches.at(-1)!.length >= MAX_BULK_ITEMS) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)!.push(item);
    size += more;
  }
  return batches;
}

/** Sends changes, and again those that the server had no room for, until all of them are in. */
export async function sendBulk(
  place: Place,
  items: readonly BulkItem[],
  patience: Patience,
): Promise<BulkReport> {
  const absent: string[] = [];
  let waiting = items;
  for (let attempt = 0; waiting.length > 0; attempt++) {
    const outcomes = await sendOnce(place, waiting, patience);
    const rejected: BulkItem[] = [];
    waiting.forEach((item, at) => {
      const { status, type } = outcomes[at]!;
      if (status === 404 && item.action === 'update') absent.push(item.id);
      else if (status === 409 || isBusy(status)) rejected.push(item);
      else if (status >= 300 && !(status === 404 && item.action === 'delete'))
        throw new LoadoutError(
          'store-refused',
          `the team store refused a document (${type}, HTTP ${status})`,
        );
    });
    if (rejected.length > 0 && attempt + 1 >= MAX_ATTEMPTS)
      throw unavailable(`it had no room for ${rejected.length} documents`);
    place.connection.retries += rejected.length;
    waiting = rejected;
    if (waiting.length > 0) await pause(backoffMs(attempt), patience.signal ?? NEVER);
  }
  return { absent };
}

const NEVER = new AbortController().signal;

interface ItemOutcome {
  readonly status: number;
  readonly type: string;
}

async function sendOnce(
  { connection, alias }: Place,
  items: readonly BulkItem[],
  patience: Patience,
): Promise<readonly ItemOutcome[]> {
  const lines = items.map(({ id, routing, action, body }) => {
    const conflicts = action === 'update' ? { retry_on_conflict: 5 } : {};
    const head = JSON.stringify({ [action]: { _id: id, routing, ...conflicts } });
    return body === undefined ? `${head}\n` : `${head}\n${body}\n`;
  });
  const filter = 'filter_path=items.*.status,items.*.error.type';
  const path = `/${encodeURIComponent(alias)}/_bulk?require_alias=true&${filter}`;
  const { value } = await connection.send({ method: 'POST', path, lines: lines.join('') }, patience);
  const answers = (value as { items?: unknown })?.items;
  if (!Array.isArray(answers) || answers.length !== items.length)
    throw unavailable('its answer to a bulk request is not one');
  return answers.map((answer: Record<string, { status?: number; error?: { type?: string } }>) => {
    const [one] = Object.values(answer);
    return { status: one?.status ?? 500, type: one?.error?.type ?? 'no reason given' };
  });
}
