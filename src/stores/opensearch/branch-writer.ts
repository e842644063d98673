import type { ManifestEntry, StoreUpdate } from '../../model/knowledge-store.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { loadFile } from '../knowledge-store/check-update.ts';
import type { Patience } from './connection.ts';
import type { Page } from './manifest-pages.ts';
import { type BulkItem, cutBulk, sendBulk } from './send-bulk.ts';
import { type Place, routingOf } from './snapshot-document.ts';
import { dimensionOf, documentOf, type Lengths, lengthsOf } from './stored-document.ts';

/** Characters of documents that are held until they are sent. */
const HELD_CHARACTERS = 4_000_000;

const MARK =
  'if (ctx._source.on.contains(params.l)) { ctx.op = "noop" } else { ctx._source.on.add(params.l); ctx._source.at = params.at }';
const UNMARK =
  'if (ctx._source.off.contains(params.l)) { ctx.op = "noop" } else { ctx._source.off.add(params.l) }';

/** Collects changes and sends them in requests of a fair size. */
export class BranchWriter {
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
  readonly lengths = new Map<string, Lengths>();
  dimension = 0;
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

  mark(id: string, entry: ManifestEntry): void {
    this.#entries.set(id, entry);
    this.#hold(id, 'update', { script: this.#script(MARK) });
  }

  unmark(id: string): void {
    this.#hold(id, 'update', { script: this.#script(UNMARK) });
  }

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

  /** All that is held is in when this is done. */
  async flush(): Promise<void> {
    await this.#takeOff();
    await this.#flight;
    // what was there a moment ago was cleared away: it is sent like everything new
    for (const id of this.#absent.splice(0)) {
      const entry = this.#entries.get(id);
      if (entry) await this.add(id, entry);
    }
    if (this.#held.length > 0) await this.flush();
  }

  /** Sends what is held while the next files are read; one request is on its way at a time. */
  async #takeOff(): Promise<void> {
    await this.#flight;
    const held = this.#held;
    this.#held = [];
    this.#size = 0;
    this.#flight = this.#send(held);
    // whoever waits for it hears of it
    this.#flight.catch(() => {});
  }

  async #send(items: readonly BulkItem[]): Promise<void> {
    for (const batch of cutBulk(items)) {
      const { absent } = await sendBulk(this.#place, batch, this.#patience);
      this.#absent.push(...absent);
    }
  }

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

  #keep(id: string, kind: string, page: Record<string, unknown>): void {
    const { team } = this.#place;
    const { repository } = this.#update;
    this.#hold(id, 'index', { kind, team, repository, at: this.#at, page });
  }

  #hold(id: string, action: BulkItem['action'], value: unknown): void {
    const body = JSON.stringify(value);
    this.#size += body.length;
    this.#held.push({ id, routing: this.#routing, action, body });
  }

  #script(source: string): Record<string, unknown> {
    return { source, lang: 'painless', params: { l: this.#layer, at: this.#at } };
  }
}
