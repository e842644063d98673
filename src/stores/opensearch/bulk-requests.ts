// Many searches or many changes in one request. An answer with a part missing counts as no answer; a change
// that the server had no room for is sent again.

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

/** The documents that a bulk request could not change. */
export interface BulkReport {
  /** Documents that were to be changed and are not there. */
  readonly absent: readonly string[];
}

/** Of one request. Servers refuse bodies of more than 100 MB and are fastest far below. */
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

/** A signal for callers without one. */
const NEVER = new AbortController().signal;

/** The server's answer about one item. */
interface ItemOutcome {
  readonly status: number;
  readonly type: string;
}

/** One request; the outcomes are in the order of the items. */
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
    throw unavailable('its answer to a bulk request is not valid');
  return answers.map((answer: Record<string, { status?: number; error?: { type?: string } }>) => {
    const [one] = Object.values(answer);
    return { status: one?.status ?? 500, type: one?.error?.type ?? 'no reason given' };
  });
}

/** A search and the shard that it is for. */
export interface RoutedSearch {
  readonly routing: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A hit as the server sends it. */
export interface RawHit {
  readonly _score?: number;
  readonly fields?: Readonly<Record<string, readonly unknown[]>>;
  readonly _source?: Readonly<Record<string, unknown>>;
}

/** The part of an answer that the stores use. */
export interface SearchAnswer {
  readonly hits: readonly RawHit[];
  /** Of the aggregation `counts`, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

/** An answer as the server sends it; every part may be missing. */
interface RawAnswer {
  readonly status?: number;
  readonly timed_out?: boolean;
  readonly error?: { readonly type?: string };
  readonly _shards?: { readonly failed?: number };
  readonly hits?: { readonly hits?: readonly RawHit[] };
  readonly aggregations?: {
    readonly counts?: { readonly buckets?: Readonly<Record<string, { readonly doc_count?: number }>> };
  };
}

/** Every answer has a `status`, which keeps the answers aligned with the searches. */
const FILTER = [
  'responses.status',
  'responses.timed_out',
  'responses.error.type',
  'responses._shards.failed',
  'responses.hits.hits._score',
  'responses.hits.hits.fields',
  'responses.hits.hits._source',
  'responses.aggregations.counts.buckets.*.doc_count',
].join(',');

/** Searches that are sent in one request. */
const MAX_SEARCHES = 200;

/** Asks several searches at once. An answer with a part missing is none. */
export async function searchAll(
  { connection, alias }: Place,
  searches: readonly RoutedSearch[],
  patience: Patience,
): Promise<readonly SearchAnswer[]> {
  const answers: SearchAnswer[] = [];
  for (let from = 0; from < searches.length; from += MAX_SEARCHES) {
    const part = searches.slice(from, from + MAX_SEARCHES);
    const lines = part
      .map(({ routing, body }) => `${JSON.stringify({ routing })}\n${JSON.stringify(body)}\n`)
      .join('');
    const path = `/${encodeURIComponent(alias)}/_msearch?filter_path=${FILTER}`;
    const { value } = await connection.send({ method: 'POST', path, lines }, patience);
    const found = (value as { responses?: readonly RawAnswer[] })?.responses ?? [];
    if (found.length !== part.length) throw unavailable('its answer to a search is not valid');
    answers.push(...found.map(readAnswer));
  }
  return answers;
}

/** Throws when a shard failed or the server ran out of time: half a list would look like a whole one. */
function readAnswer(answer: RawAnswer): SearchAnswer {
  if (answer.error || answer.status !== 200)
    throw unavailable(`a search failed (${answer.error?.type ?? `HTTP ${answer.status}`})`);
  if (answer.timed_out || answer._shards?.failed !== 0)
    throw unavailable('a part of its index does not answer');
  const buckets = answer.aggregations?.counts?.buckets ?? {};
  return {
    hits: answer.hits?.hits ?? [],
    counts: Object.fromEntries(Object.entries(buckets).map(([name, { doc_count = 0 }]) => [name, doc_count])),
  };
}

/** The first value of a field, as a text; empty when it is missing. */
export const textField = ({ fields }: RawHit, name: string): string => String(fields?.[name]?.[0] ?? '');
