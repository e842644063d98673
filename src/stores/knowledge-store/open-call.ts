import type { StoreCall } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';

/** Throws once the caller has gone or the time is up. */
export type CallCheck = () => void;

export function openCall(store: string, { signal, budgetMs }: StoreCall = {}): CallCheck {
  const deadline = budgetMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs() + budgetMs;
  const check = () => {
    if (signal?.aborted)
      throw new LoadoutError('store-cancelled', `the ${store} store was not asked to the end`);
    if (monotonicMs() >= deadline)
      throw new LoadoutError('store-timeout', `the ${store} store did not answer within ${budgetMs} ms`);
  };
  check();
  return check;
}
