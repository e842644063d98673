// Writes a branch to the team's store. Contents are sent once for all branches; a layer marks which of them
// belong to the new snapshot; replacing the record is the commit.

import { randomBytes } from 'node:crypto';
import type {
  ManifestEntry,
  StoreSnapshot,
  StoreUpdate,
  UpdateReceipt,
} from '../../model/knowledge-store.ts';
import { pause, wallClockMs } from '../../platform/clock.ts';
import {
  checkExpected,
  conflict,
  countRemoved,
  documentId,
  headOf,
  isSameSnapshot,
  loadFile,
  sortedFiles,
} from '../knowledge-store/store-snapshot.ts';
import { type BulkItem, cutBulk, sendBulk } from './bulk-requests.ts';
import { backoffMs, type Patience, unavailable } from './connection.ts';
import { ensureIndex, type IndexOptions } from './index-layout.ts';
import { inSnapshot, MAX_LAYERS, type Page, type PageEntry, pagesOf } from './manifest-pages.ts';
import {
  countSnapshot,
  type FoundRecord,
  listRecords,
  lookUpContents,
  type Place,
  readEntries,
  readRecord,
  routingOf,
  type SnapshotRecord,
  writeRecord,
} from './snapshot-document.ts';
import { dimensionOf, documentOf, type Lengths, lengthsOf } from './stored-document.ts';

/**
 * Makes a branch consist of the given files: sends the contents that are missing, marks what is new and what is gone
 * with a layer of its own, and then replaces the record of the snapshot, if it is still the one from the beginning.
 */
export async function updateBranch(
  place: Place,
  index: IndexOptions,
  update: StoreUpdate,
  patience: Patience,
): Promise<UpdateReceipt> {
  const { repository, branch } = update;
  const former = await readRecord(place, repository, branch, patience);
  const generation = checkExpected(update, former?.head ?? null);
  const entries = sortedFiles(update);
  const head = headOf(update, entries, (generation ?? 0) + 1);
  if (former && isSameSnapshot(former.head, head))
    return { generation: former.head.generation, changed: false, sent: 0, kept: entries.length, removed: 0 };
  await ensureIndex(place.connection, index, patience);

  const formerEntries = former ? await readEntries(place, former, patience) : [];
  const base = { former, formerEntries, entries, head };
  const ground = await groundFor(place, update, former, formerEntries, patience);
  const receipt = await layUpon(place, update, ground, base, patience);
  // a file of the former snapshot is missing: start again without it
  const again = receipt ?? (await layUpon(place, update, NO_GROUND, base, patience));
  if (again) return again;
  throw unavailable('some of the documents that were sent are missing');
}

/** The state that an update starts from and the one that it makes. */
interface Base {
  readonly former: FoundRecord | null;
  readonly formerEntries: readonly PageEntry[];
  readonly entries: readonly ManifestEntry[];
  readonly head: StoreSnapshot;
}

/** Null when not all of the files can be found afterwards: nothing has been replaced then. */
async function layUpon(
  place: Place,
  update: StoreUpdate,
  ground: Ground,
  { former, formerEntries, entries, head }: Base,
  patience: Patience,
): Promise<UpdateReceipt | null> {
  const { team } = place;
  const { repository, branch, model } = update;
  const idOf = (entry: Omit<ManifestEntry, 'edges'>) => documentId(team, repository, model, entry);
  const layer = randomBytes(12).toString('base64url');
  const writer = new BranchWriter(place, update, layer, patience);

  const standing = new Map(ground.entries.map((entry) => [idOf(entry), entry.lengths]));
  const wanted = entries.filter((entry) => !standing.has(idOf(entry)));
  const now = new Set(entries.map(idOf));
  const gone = ground.entries.filter((entry) => !now.has(idOf(entry)));
  const known = await lookUpContents(place, repository, wanted.map(idOf), patience);
  const missing = wanted.filter((entry) => !known.has(idOf(entry)));
  writer.expect(missing.length);
  for (const entry of wanted) if (known.has(idOf(entry))) writer.mark(idOf(entry), entry);
  for (const entry of gone) writer.unmark(idOf(entry));
  for (const entry of missing) await writer.add(idOf(entry), entry);

  const lengthsBy = (id: string): Lengths =>
    standing.get(id) ?? writer.lengths.get(id) ?? known.get(id)?.lengths ?? [];
  await writer.flush();
  const full = entries.map((entry): PageEntry => ({ ...entry, lengths: lengthsBy(idOf(entry)) }));
  const { statistics, twins } = countSnapshot(full);
  const pages = pagesOf(`${team}/${repository}`, full);
  // Pages that did not change are on the server already.
  const kept = new Set([...(former?.pages ?? []), ...ground.pages]);
  await writer.keepPages(pages.filter(({ id }) => !kept.has(id)));
  const twinsId = await writer.keepTwins(twins.map((at) => idOf(full[at]!)));
  const layers = [...ground.layers, layer];
  if (!(await hasAll(place, { team, repository, layers }, entries.length, patience))) return null;

  const dimensions = [ground.dimension, writer.dimension, ...[...known.values()].map((one) => one.dimension)];
  const record: SnapshotRecord = {
    head,
    layers,
    pages: pages.map(({ id }) => id),
    twins: twinsId,
    statistics,
    dimension: Math.max(...dimensions),
    attempt: layer,
  };
  patience.check();
  if (!(await writeRecord(place, record, former, patience))) {
    const found = await readRecord(place, repository, branch, patience);
    throw conflict(repository, branch, former?.head.generation ?? null, found?.head.generation ?? null);
  }
  const removed = countRemoved(formerEntries, entries);
  const { sent } = writer;
  return { generation: head.generation, changed: true, sent, kept: entries.length - sent, removed };
}

/** The layers that a new layer is laid upon, with the files that they show. */
interface Ground {
  readonly layers: readonly string[];
  readonly pages: readonly string[];
  readonly entries: readonly PageEntry[];
  readonly dimension: number;
}

const NO_GROUND: Ground = { layers: [], pages: [], entries: [], dimension: 0 };
/** Branches that are compared with a new one. */
const MAX_COMPARED = 4;

/** The snapshot to build on: that of the branch itself, or of the branch that has most in common with a new one. */
async function groundFor(
  place: Place,
  { repository, model, files }: StoreUpdate,
  former: FoundRecord | null,
  formerEntries: readonly PageEntry[],
  patience: Patience,
): Promise<Ground> {
  const fits = ({ head, layers }: FoundRecord) => head.model === model && layers.length < MAX_LAYERS;
  if (former) return fits(former) ? { ...former, entries: formerEntries } : NO_GROUND;
  const wanted = new Set(files.map(({ path, contentHash }) => `${contentHash} ${path}`));
  const others = (await listRecords(place, repository, patience)).filter(fits);
  // Branches of about the same size have most in common.
  const far = ({ head }: FoundRecord) => Math.abs(head.fileCount - files.length);
  let best = NO_GROUND;
  let most = files.length / 2;
  for (const record of others.sort((a, b) => far(a) - far(b)).slice(0, MAX_COMPARED)) {
    const entries = await readEntries(place, record, patience);
    const common = entries.filter(({ path, contentHash }) => wanted.has(`${contentHash} ${path}`)).length;
    if (common <= most) continue;
    most = common;
    best = { ...record, entries };
  }
  return best;
}

/** Readers see the old snapshot or the new one, never a part of it. */
async function hasAll(
  { connection, alias }: Place,
  scope: Parameters<typeof inSnapshot>[0],
  count: number,
  patience: Patience,
): Promise<boolean> {
  const name = encodeURIComponent(alias);
  const routing = routingOf(scope.team, scope.repository);
  const query = { bool: { filter: inSnapshot(scope) } };
  // a copy of the shard that has just moved may be a moment behind
  for (let attempt = 0; attempt < 4; attempt++) {
    if (attempt > 0) await pause(backoffMs(attempt), patience.signal ?? new AbortController().signal);
    await connection.send({ method: 'POST', path: `/${name}/_refresh` }, patience);
    const path = `/${name}/_count?routing=${routing}`;
    const { value } = await connection.send({ method: 'POST', path, body: { query } }, patience);
    const answer = value as { count?: number; _shards?: { failed?: number } };
    if (answer._shards?.failed === 0 && answer.count === count) return true;
  }
  return false;
}

/** Characters of documents that are held until they are sent. */
const HELD_CHARACTERS = 4_000_000;

/** Scripts that run on the server for each document: add the layer to `on`, or to `off`. Both may run twice. */
const MARK =
  'if (ctx._source.on.contains(params.l)) { ctx.op = "noop" } else { ctx._source.on.add(params.l); ctx._source.at = params.at }';
const UNMARK =
  'if (ctx._source.off.contains(params.l)) { ctx.op = "noop" } else { ctx._source.off.add(params.l) }';

/** Collects changes and sends them in requests of a fair size. */
class BranchWriter {
  readonly #place: Place;
  readonly #update: StoreUpdate;
  readonly #layer: string;
  readonly #patience: Patience;
  readonly #routing: string;
  readonly #at = wallClockMs();
  readonly #entries = new Map<string, ManifestEntry>();
  readonly #absent: string[] = [];
  #flight: Promise<void> = Promise.resolve();
  #held: BulkItem[] = [];
  #size = 0;
  #total = 0;
  /** Words of the contents that were sent. */
  readonly lengths = new Map<string, Lengths>();
  /** Numbers in their vectors. */
  dimension = 0;
  /** Contents that were sent. */
  sent = 0;

  constructor(place: Place, update: StoreUpdate, layer: string, patience: Patience) {
    this.#place = place;
    this.#update = update;
    this.#layer = layer;
    this.#patience = patience;
    this.#routing = routingOf(place.team, update.repository);
  }

  /** How many files are going to be added. */
  expect(total: number): void {
    this.#total = total;
  }

  /** A stored content belongs to the new layer. */
  mark(id: string, entry: ManifestEntry): void {
    this.#entries.set(id, entry);
    this.#hold(id, 'update', { script: this.#script(MARK) });
  }

  /** A content of the ground is not in the new snapshot. */
  unmark(id: string): void {
    this.#hold(id, 'update', { script: this.#script(UNMARK) });
  }

  /** Loads a content and sends it with its mark. */
  async add(id: string, entry: ManifestEntry): Promise<void> {
    const file = await loadFile(this.#update, entry);
    this.#patience.check();
    const { team } = this.#place;
    const { repository } = this.#update;
    const draft = { team, repository, layer: this.#layer, at: this.#at };
    this.lengths.set(id, lengthsOf(file));
    this.dimension = Math.max(this.dimension, dimensionOf(file.passages));
    this.#hold(id, 'update', { script: this.#script(MARK), upsert: documentOf(file, draft) });
    this.sent++;
    if (this.#size >= HELD_CHARACTERS) await this.#takeOff();
    this.#update.onProgress?.(this.sent, Math.max(this.#total, this.sent));
  }

  /** Sends everything that is held, and waits for it. */
  async flush(): Promise<void> {
    await this.#takeOff();
    await this.#flight;
    // a document was removed in the meantime: it is sent like a new one
    for (const id of this.#absent.splice(0)) {
      const entry = this.#entries.get(id);
      if (entry) await this.add(id, entry);
    }
    if (this.#held.length > 0) await this.flush();
  }

  /** Sends the held changes while the next files are read; one request is on its way at a time. */
  async #takeOff(): Promise<void> {
    await this.#flight;
    const held = this.#held;
    this.#held = [];
    this.#size = 0;
    this.#flight = this.#send(held);
    // the caller awaits it; this only avoids an unhandled rejection
    this.#flight.catch(() => {});
  }

  async #send(items: readonly BulkItem[]): Promise<void> {
    for (const batch of cutBulk(items)) {
      const { absent } = await sendBulk(this.#place, batch, this.#patience);
      this.#absent.push(...absent);
    }
  }

  /** Writes the pages that the server does not have. */
  async keepPages(pages: readonly Page[]): Promise<void> {
    for (const { id, data } of pages) this.#keep(id, 'page', { data });
    await this.flush();
  }

  /** The name of the list; empty when there is nothing to list. */
  async keepTwins(ids: readonly string[]): Promise<string> {
    if (ids.length === 0) return '';
    const id = `twins-${this.#layer}`;
    this.#keep(id, 'twins', { ids });
    await this.flush();
    return id;
  }

  /** A document that is written whole. */
  #keep(id: string, kind: string, page: Record<string, unknown>): void {
    const { team } = this.#place;
    const { repository } = this.#update;
    this.#hold(id, 'index', { kind, team, repository, at: this.#at, page });
  }

  /** Every change waits here until a request is full. */
  #hold(id: string, action: BulkItem['action'], value: unknown): void {
    const body = JSON.stringify(value);
    this.#size += body.length;
    this.#held.push({ id, routing: this.#routing, action, body });
  }

  /** A script with the layer and the time of this update. */
  #script(source: string): Record<string, unknown> {
    return { source, lang: 'painless', params: { l: this.#layer, at: this.#at } };
  }
}
