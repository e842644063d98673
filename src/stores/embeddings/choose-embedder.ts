import type { Settings } from '../../config/settings.ts';
import { loadOptionalPackage } from '../../platform/cache/load-optional-package.ts';
import type { Environment } from '../../platform/environment.ts';
import { createHttpEmbedder } from './http-embedder.ts';
import { createOnnxEmbedder, type TransformersModule } from './onnx-embedder.ts';

type EmbeddingSettings = Pick<
  Settings,
  'embeddingUrl' | 'embeddingModel' | 'embeddingKeyEnv' | 'embeddingModelDir' | 'embeddingTimeout'
>;

/** True when the settings name an embedding endpoint or a local model. */
export function wantsEmbeddings({ embeddingUrl, embeddingModelDir }: EmbeddingSettings): boolean {
  return embeddingUrl !== '' || embeddingModelDir !== '';
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The embedder that the user has set up, or what is wrong with the settings. */
export function chooseEmbedder(settings: EmbeddingSettings, env: Environment): Embedder | string {
  const { embeddingUrl: url, embeddingModel: model, embeddingKeyEnv: keyName } = settings;
  if (settings.embeddingModelDir !== '')
    return createOnnxEmbedder(settings.embeddingModelDir, loadTransformers);
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol))
    return 'embeddingUrl is not allowed; give an http or https address';
  if (address.username !== '' || address.password !== '')
    return 'embeddingUrl must not hold a password; name a variable in embeddingKeyEnv';
  if (model === '') return 'embeddingModel is not set';
  const key = keyName === '' ? '' : (env[keyName] ?? '');
  if (keyName !== '' && key === '') return `embeddingKeyEnv names ${keyName}, which is not set`;
  if (key !== '' && address.protocol === 'http:' && !LOOPBACK.test(address.hostname))
    return 'a key goes over https only, or to this machine';
  return createHttpEmbedder({ url, model, key, timeoutMs: settings.embeddingTimeout });
}

async function loadTransformers(): Promise<TransformersModule | null> {
  return (await loadOptionalPackage('@huggingface/transformers')) as TransformersModule | null;
}

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
