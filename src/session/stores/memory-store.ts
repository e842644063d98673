import type { ToolResultStore } from '../tool-result-store.ts';
import { createIndexedStore, type StoreOptions } from './indexed-store.ts';

/** Results live as long as the process: for tests, and for sessions that need not survive it. */
export function openMemoryStore(options: StoreOptions = {}): ToolResultStore {
  const kept = new Map<string, Buffer>();
  return createIndexedStore(
    {
      known: [],
      write: (handle, bytes) => void kept.set(handle.id, bytes),
      renew: () => {},
      // a copy, so that nobody changes what is kept
      read: (id) => (kept.has(id) ? Uint8Array.from(kept.get(id)!) : null),
      remove: (id) => void kept.delete(id),
      close: () => kept.clear(),
    },
    options,
  );
}
