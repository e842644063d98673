import { wallClockMs } from '../../platform/clock.ts';
import { type Patience, unavailable } from './connection.ts';
import { listRecords, type Place } from './snapshot-document.ts';

export interface GarbageReport {
  readonly files: number;
  readonly lists: number;
}

/** An update that is under way may still want what it has found: only what is older than this goes. */
export const GRACE_MS = 24 * 3_600_000;

/** Removes what no snapshot of the team leads to: leftovers of updates that came to nothing, and what branches left behind. */
export async function collectGarbage(
  place: Place,
  patience: Patience,
  graceMs = GRACE_MS,
): Promise<GarbageReport> {
  const records = await listRecords(place, null, patience);
  const before = wallClockMs() - graceMs;
  const layers = [...new Set(records.flatMap((record) => record.layers))];
  const lists = [...new Set(records.flatMap(({ pages, twins }) => [...pages, ...(twins ? [twins] : [])]))];
  return {
    files: await remove(place, ['file'], { terms: { on: layers } }, before, patience),
    lists: await remove(place, ['page', 'twins'], { ids: { values: lists } }, before, patience),
  };
}

async function remove(
  { connection, alias, team }: Place,
  kinds: readonly string[],
  inUse: Readonly<Record<string, unknown>>,
  before: number,
  patience: Patience,
): Promise<number> {
  const filter = [{ terms: { kind: kinds } }, { term: { team } }, { range: { at: { lt: before } } }];
  const { status, value } = await connection.send(
    {
      method: 'POST',
      // what changes while this runs is in use
      path: `/${encodeURIComponent(alias)}/_delete_by_query?conflicts=proceed&refresh=true`,
      body: { query: { bool: { filter, must_not: [inUse] } } },
      accept: [404],
    },
    patience,
  );
  if (status === 404) return 0;
  const { deleted, failures } = value as { deleted?: number; failures?: readonly unknown[] };
  if (failures && failures.length > 0) throw unavailable('a part of its index does not answer');
  return deleted ?? 0;
}
