/** Turns texts into vectors that are near when the texts mean the same. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  /** Where texts go, for people. */
  readonly place: string;
  /** Never throws for what the other side does. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<EmbedOutcome>;
}

export type EmbedOutcome =
  /** One for each text; null for a text that the model refuses. */
  | { readonly kind: 'vectors'; readonly vectors: readonly (Float32Array | null)[] }
  | { readonly kind: 'failed'; readonly reason: string };
