import { type Patience, unavailable } from './connection.ts';
import type { Place } from './snapshot-document.ts';

export interface RoutedSearch {
  readonly routing: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RawHit {
  readonly _score?: number;
  readonly fields?: Readonly<Record<string, readonly unknown[]>>;
  readonly _source?: Readonly<Record<string, unknown>>;
}

export interface SearchAnswer {
  readonly hits: readonly RawHit[];
  /** Of the aggregation `counts`, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

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

/** Alignment hangs on `status`, which every answer has. */
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
    if (found.length !== part.length) throw unavailable('its answer to a search is not one');
    answers.push(...found.map(readAnswer));
  }
  return answers;
}

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

export const textField = ({ fields }: RawHit, name: string): string => String(fields?.[name]?.[0] ?? '');
