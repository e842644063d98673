import { type CountTokens, loadByteCounter, loadTokenCounter } from '../../fit/count-tokens.ts';
import type { Model } from '../../fit/models.ts';

/** Counts for a package of everything. */
export interface PieceCounter {
  readonly text: CountTokens;
  /** The tokens of a rendered file. */
  bytes(bytes: Uint8Array): number;
}

/** Loads the counters of a model's encoding and applies its factor. */
export async function loadPieceCounter(
  model: Pick<Model, 'encoding' | 'factor'> | undefined,
): Promise<PieceCounter> {
  const { encoding, factor } = model ?? { encoding: 'o200k_base', factor: 1 };
  const [text, count] = await Promise.all([loadTokenCounter(encoding), loadByteCounter(encoding)]);
  const scaled = (tokens: number) => (factor === 1 ? tokens : Math.ceil(tokens * factor));
  return {
    text: (whole) => scaled(text(whole)),
    bytes: (bytes) => scaled(count(bytes, 0, bytes.length)),
  };
}
