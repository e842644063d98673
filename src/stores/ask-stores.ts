// Asks knowledge stores in turn. The ranking uses it: the team's store first, then the index of this machine.
// No store can make a ranking fail or wait longer than its budget.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { KnowledgeStore, RankedList, StoreQuery } from '../model/knowledge-store.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { DamagedFileError } from '../scan/format/index.ts';

/** The lists of the first store that answered, and notes about those that did not. */
export interface StoreAnswer {
  /** Null when no store has answered. */
  readonly lists: readonly RankedList[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Limits of a question. */
export interface AskOptions {
  readonly signal?: AbortSignal;
  /** For each store. */
  readonly budgetMs: number;
}

/** Asks one store after the other until one answers. A store that is down, slow or wrong only costs a warning. */
export async function askStores(
  stores: readonly KnowledgeStore[],
  queries: readonly StoreQuery[],
  { signal, budgetMs }: AskOptions,
): Promise<StoreAnswer> {
  const diagnostics: Diagnostic[] = [];
  for (const [at, store] of stores.entries()) {
    const outcome = await ask(store, queries, budgetMs, signal);
    if (typeof outcome !== 'string') return { lists: outcome, diagnostics };
    signal?.throwIfAborted();
    const next = stores[at + 1];
    const instead = next ? `the ${next.name} store is asked instead` : 'the answer uses structure alone';
    const message = `the ${store.name} store did not answer (${outcome}): ${instead}`;
    diagnostics.push({ code: 'store-unavailable', severity: 'warning', message });
  }
  if (stores.length === 0)
    diagnostics.push({
      code: 'store-unavailable',
      severity: 'warning',
      message: 'there is no knowledge store: the answer uses structure alone',
    });
  return { lists: null, diagnostics };
}

/** The lists, or the reason of the failure. The time is measured here too, because a busy store may miss its limit. */
async function ask(
  store: KnowledgeStore,
  queries: readonly StoreQuery[],
  budgetMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly RankedList[] | string> {
  const timeout = AbortSignal.timeout(budgetMs);
  const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const stopped = new Promise<string>((resolve) => {
    stop.addEventListener('abort', () => resolve(`no answer within ${budgetMs} ms`), { once: true });
  });
  const answered = Promise.resolve()
    .then(() => store.search(queries, { signal: stop, budgetMs }))
    .then((lists) => (isSound(lists, queries.length) ? lists : 'it returned no ranked lists'))
    .catch(reasonOf);
  return Promise.race([answered, stopped]);
}

/** A damaged index of the work tree is built again by the code that opened it. */
function reasonOf(error: unknown): string {
  if (error instanceof DamagedFileError) throw error;
  return error instanceof LoadoutError ? error.message : `it failed: ${String(error)}`;
}

function isSound(lists: readonly RankedList[], count: number): boolean {
  if (!Array.isArray(lists) || lists.length !== count) return false;
  return lists.every(
    (list) =>
      Array.isArray(list) &&
      list.every(({ path, score }) => typeof path === 'string' && Number.isFinite(score) && score > 0),
  );
}
