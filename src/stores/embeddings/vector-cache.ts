import type { StoredPassage } from '../../model/knowledge-store.ts';

/** Keeps the passages of a content with their vectors. It may forget: what is gone is made again. */
export interface VectorCache {
  /** Null: not there; an empty list: there is nothing to find in this content. */
  get(key: string): readonly StoredPassage[] | null;
  put(entries: readonly (readonly [key: string, passages: readonly StoredPassage[]])[]): void;
}

export function memoryVectorCache(): VectorCache {
  const kept = new Map<string, readonly StoredPassage[]>();
  return {
    get: (key) => kept.get(key) ?? null,
    put: (entries) => {
      for (const [key, passages] of entries) kept.set(key, passages);
    },
  };
}
