import { type CountTokens, loadByteCounter, loadTokenCounter } from '../../fit/count-tokens.ts';
import type { Model } from '../../fit/models.ts';
import { openTokenCounts, type TokenCountStore } from '../../fit/token-count-store.ts';

/** Counts for a package of everything. */
export interface PieceCounter {
  readonly text: CountTokens;
  /** Of a rendered file; what an earlier run has counted is known. */
  bytes(bytes: Uint8Array): number;
  save(): void;
}

/** Less than this is counted sooner than looked up. */
const MIN_TO_LOOK_UP = 2_000_000;

export async function loadPieceCounter(
  model: Pick<Model, 'encoding' | 'factor'> | undefined,
  cacheDirectory: string,
): Promise<PieceCounter> {
  const { encoding, factor } = model ?? { encoding: 'o200k_base', factor: 1 };
  const [text, count] = await Promise.all([loadTokenCounter(encoding), loadByteCounter(encoding)]);
  let counted = 0;
  let store: TokenCountStore | null = null;
  return {
    text: factor === 1 ? text : (whole) => Math.ceil(text(whole) * factor),
    bytes(bytes) {
      counted += bytes.length;
      if (store === null && counted > MIN_TO_LOOK_UP)
        store = openTokenCounts(cacheDirectory, encoding, count);
      const tokens = store?.count(bytes) ?? count(bytes, 0, bytes.length);
      return factor === 1 ? tokens : Math.ceil(tokens * factor);
    },
    save: () => store?.save(),
  };
}
