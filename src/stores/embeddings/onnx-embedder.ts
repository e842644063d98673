import type { Embedder, EmbedOutcome } from './choose-embedder.ts';

/** What is used of `@huggingface/transformers`. */
export interface TransformersModule {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean };
  pipeline(task: 'feature-extraction', model: string): Promise<FeatureExtraction>;
}

type FeatureExtraction = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ tolist(): unknown }>;

/** A model in a folder of the user's, run in this process; nothing is downloaded and nothing leaves the machine. */
export function createOnnxEmbedder(
  modelFolder: string,
  /** The package is an optional peer: it is looked for when a model is named, and may be missing. */
  load: () => Promise<TransformersModule | null>,
): Embedder {
  let opened: Promise<FeatureExtraction | string> | null = null;
  const open = async (): Promise<FeatureExtraction | string> => {
    const transformers = await load();
    if (!transformers) return 'the package @huggingface/transformers is not installed';
    transformers.env.allowRemoteModels = false;
    transformers.env.allowLocalModels = true;
    return transformers.pipeline('feature-extraction', modelFolder);
  };
  return {
    model: `onnx:${modelFolder}`,
    place: modelFolder,
    async embed(texts, signal): Promise<EmbedOutcome> {
      try {
        opened ??= open();
        const extract = await opened;
        if (typeof extract === 'string') return { kind: 'failed', reason: extract };
        if (signal?.aborted) return { kind: 'failed', reason: 'cancelled' };
        const rows = (await extract(texts, { pooling: 'mean', normalize: true })).tolist();
        const vectors = Array.isArray(rows) ? rows.map((row: number[]) => Float32Array.from(row)) : [];
        if (vectors.length !== texts.length) return { kind: 'failed', reason: 'the model gave no vectors' };
        return { kind: 'vectors', vectors };
      } catch (error) {
        return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
