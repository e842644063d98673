import type { CountTokens, Encoding } from './count-tokens.ts';

/** Counts by the hash of what was counted: a file is counted once, not once for every package. */
export interface TokenCountCache {
  get(hash: string, encoding: Encoding): number | undefined;
  set(hash: string, encoding: Encoding, tokens: number): void;
}

const MOST_COUNTS = 100_000;

/** For one process; the oldest counts go when it is full. */
export function createMemoryTokenCountCache(most = MOST_COUNTS): TokenCountCache {
  const counts = new Map<string, number>();
  return {
    get: (hash, encoding) => counts.get(`${encoding} ${hash}`),
    set(hash, encoding, tokens) {
      const oldest = counts.size >= most ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
      counts.set(`${encoding} ${hash}`, tokens);
    },
  };
}

export interface HashedText {
  readonly text: string;
  /** Of exactly this text. */
  readonly hash: string;
}

export function countCached(
  { text, hash }: HashedText,
  encoding: Encoding,
  count: CountTokens,
  cache: TokenCountCache,
): number {
  const known = cache.get(hash, encoding);
  if (known !== undefined) return known;
  const tokens = count(text);
  cache.set(hash, encoding, tokens);
  return tokens;
}
