// Removes documents that no snapshot needs. An update writes contents before it commits, so that an update that
// failed leaves some behind; a branch that moved on does as well.

import type { GarbageReport } from '../../model/knowledge-store.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { type Patience, unavailable } from './connection.ts';
import { inLayers, type Query } from './manifest-pages.ts';
import { type FoundRecord, listRecords, type Place, routingOf } from './snapshot-document.ts';

/** Only older documents are removed: an update that is under way may still need younger ones. */
const GRACE_MS = 24 * 3_600_000;
/** Conditions of one query. With more, every document that any of the layers brought is kept. */
const MAX_LAYERS_ASKED = 400;

/** Removes documents that no snapshot of the team uses: leftovers of failed updates, and old contents of branches. */
export async function collectGarbage(
  place: Place,
  patience: Patience,
  graceMs = GRACE_MS,
): Promise<GarbageReport> {
  const records = await listRecords(place, null, patience);
  const before = wallClockMs() - graceMs;
  const repositories = [...new Set(records.map(({ head }) => head.repository))];
  const report = { files: 0, lists: 0 };
  for (const repository of repositories) {
    const own = records.filter(({ head }) => head.repository === repository);
    const scope = { filter: [{ term: { repository } }], routing: routingOf(place.team, repository) };
    report.files += await remove(place, ['file'], scope, inUse(own), before, patience);
    const lists = own.flatMap(({ pages, twins }) => [...pages, ...(twins ? [twins] : [])]);
    report.lists += await remove(place, LISTS, scope, [{ ids: { values: lists } }], before, patience);
  }
  const elsewhere = { filter: [], routing: null };
  const known = [{ terms: { repository: repositories } }];
  report.files += await remove(place, ['file'], elsewhere, known, before, patience);
  report.lists += await remove(place, LISTS, elsewhere, known, before, patience);
  return report;
}

/** Documents that hold the files of a snapshot. */
const LISTS = ['page', 'twins'];

/** Queries for the files that snapshots still show. */
function inUse(records: readonly FoundRecord[]): readonly Query[] {
  const layers = records.flatMap((record) => record.layers);
  if (layers.length > MAX_LAYERS_ASKED) return [{ terms: { on: [...new Set(layers)] } }];
  return records.map((record) => inLayers(record.layers));
}

/** One repository, or all documents of repositories without a snapshot. */
interface Scope {
  readonly filter: readonly Query[];
  readonly routing: string | null;
}

/** Deletes by query everything of these kinds that is old enough and not in use. Returns how many documents went. */
async function remove(
  { connection, alias, team }: Place,
  kinds: readonly string[],
  scope: Scope,
  inUse: readonly Query[],
  before: number,
  patience: Patience,
): Promise<number> {
  const age = { range: { at: { lt: before } } };
  const filter = [{ terms: { kind: kinds } }, { term: { team } }, age, ...scope.filter];
  const routing = scope.routing === null ? '' : `&routing=${scope.routing}`;
  const { status, value } = await connection.send(
    {
      method: 'POST',
      // documents that change while this runs are in use
      path: `/${encodeURIComponent(alias)}/_delete_by_query?conflicts=proceed&refresh=true${routing}`,
      body: { query: { bool: { filter, must_not: inUse } } },
      accept: [404],
    },
    patience,
  );
  if (status === 404) return 0;
  const { deleted, failures } = value as { deleted?: number; failures?: readonly unknown[] };
  if (failures && failures.length > 0) throw unavailable('a part of its index does not answer');
  return deleted ?? 0;
}
