// Embedders turn texts into vectors. There are two: an endpoint that speaks the OpenAI embeddings API, and an
// ONNX model in this process. The settings choose one of them, or none.

import type { Settings } from '../../config/index.ts';
import { loadOptionalPackage } from '../../platform/cache/load-script.ts';
import type { Environment } from '../../platform/environment.ts';
import { postJsonPatiently } from '../../platform/http-client.ts';

type EmbeddingSettings = Pick<
  Settings,
  'embeddingUrl' | 'embeddingModel' | 'embeddingKeyEnv' | 'embeddingModelDir' | 'embeddingTimeout'
>;

/** True when the settings name an embedding endpoint or a local model. */
export function wantsEmbeddings({ embeddingUrl, embeddingModelDir }: EmbeddingSettings): boolean {
  return embeddingUrl !== '' || embeddingModelDir !== '';
}

/** Hosts of this machine: a key may go there without TLS. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The embedder that the user has set up, or the problem with the settings. */
export function chooseEmbedder(settings: EmbeddingSettings, env: Environment): Embedder | string {
  const { embeddingUrl: url, embeddingModel: model, embeddingKeyEnv: keyName } = settings;
  if (settings.embeddingModelDir !== '')
    return createOnnxEmbedder(settings.embeddingModelDir, loadTransformers);
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol))
    return 'embeddingUrl is not valid; allowed is an http or https address';
  if (address.username !== '' || address.password !== '')
    return 'embeddingUrl must not hold a password; name a variable in embeddingKeyEnv';
  if (model === '') return 'embeddingModel is not set';
  const key = keyName === '' ? '' : (env[keyName] ?? '');
  if (keyName !== '' && key === '') return `embeddingKeyEnv names ${keyName}, which is not set`;
  if (key !== '' && address.protocol === 'http:' && !LOOPBACK.test(address.hostname))
    return 'a key goes over https only, or to this machine';
  return createHttpEmbedder({ url, model, key, timeoutMs: settings.embeddingTimeout });
}

/** The package is optional. Null when the user has not installed it. */
async function loadTransformers(): Promise<TransformersModule | null> {
  return (await loadOptionalPackage('@huggingface/transformers')) as TransformersModule | null;
}

/** Turns texts into vectors that are near when the texts mean the same. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  /** The place that texts are sent to, for people. */
  readonly place: string;
  /** Never throws: failures of the other side are values. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<EmbedOutcome>;
}

/** Vectors, or the reason why there are none. */
type EmbedOutcome =
  /** One for each text; null for a text that the model refuses. */
  | { readonly kind: 'vectors'; readonly vectors: readonly (Float32Array | null)[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** The endpoint, with its timeouts and retries. */
export interface HttpEmbedderOptions {
  /** Of the endpoint itself, such as `http://localhost:11434/v1/embeddings`. */
  readonly url: string;
  readonly model: string;
  /** Empty when the endpoint asks for none. */
  readonly key: string;
  /** In milliseconds, for one request. */
  readonly timeoutMs: number;
  /** All attempts, the first included. */
  readonly attempts?: number;
  /** In milliseconds, before the second attempt; doubles from there on. */
  readonly firstDelayMs?: number;
}

/** A vector of a thousand numbers is about 20 KB of JSON. */
const MAX_ANSWER_BYTES = 64_000_000;
/** In milliseconds. A server that asks for more patience counts as down. */
const MAX_DELAY_MS = 20_000;
/** The texts themselves are the problem: too long, too many, not allowed. */
const REFUSED = new Set([400, 413, 422]);

/** Any endpoint that speaks the OpenAI embeddings API: hosted ones, Ollama, vLLM, LM Studio. */
export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { url, model, key, timeoutMs, attempts = 4, firstDelayMs = 500 } = options;
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };

  const embedOnce = async (
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<EmbedOutcome | 'refused'> => {
    const outcome = await postJsonPatiently(
      {
        url,
        headers,
        body: { model, input: texts, encoding_format: 'float' },
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        ...(signal ? { signal } : {}),
      },
      { attempts, firstDelayMs, longestDelayMs: MAX_DELAY_MS },
    );
    if (outcome.kind === 'failure') return REFUSED.has(outcome.status) ? 'refused' : failed(outcome.detail);
    const vectors = readEmbeddings(outcome.value, texts.length);
    return typeof vectors === 'string' ? failed(vectors) : { kind: 'vectors', vectors };
  };

  /** Splits a batch that is refused, so that one bad text does not cost the others their vectors. */
  const embed = async (texts: readonly string[], signal?: AbortSignal): Promise<EmbedOutcome> => {
    if (texts.length === 0) return { kind: 'vectors', vectors: [] };
    const outcome = await embedOnce(texts, signal);
    if (outcome !== 'refused') return outcome;
    if (texts.length === 1) return { kind: 'vectors', vectors: [null] };
    const half = texts.length >> 1;
    const first = await embed(texts.slice(0, half), signal);
    if (first.kind === 'failed') return first;
    // a wrong model name refuses everything: half of a batch is enough to know
    if (half > 1 && first.vectors.every((vector) => vector === null)) return failed('it refuses every text');
    const second = await embed(texts.slice(half), signal);
    if (second.kind === 'failed') return second;
    return { kind: 'vectors', vectors: [...first.vectors, ...second.vectors] };
  };
  return { model, place: new URL(url).host, embed };
}

function failed(reason: string): EmbedOutcome {
  return { kind: 'failed', reason };
}

/** Numbers in one vector. The largest models have 4,096. */
const MAX_NUMBERS = 8192;

/** The vectors of an answer in the order of the texts, or its problem. Nothing about the answer is trusted. */
export function readEmbeddings(value: unknown, count: number): readonly Float32Array[] | string {
  const data = isRecord(value) ? value.data : undefined;
  if (!Array.isArray(data)) return 'the answer has no list "data"';
  if (data.length !== count) return `the answer has ${data.length} vectors for ${count} texts`;
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [at, entry] of data.entries()) {
    if (!isRecord(entry)) return 'an entry of "data" is not an object';
    const { index = at, embedding } = entry;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index])
      return 'an entry of "data" has a wrong index';
    const vector = readVector(embedding);
    if (!vector) return `an embedding is not a list of 1 to ${MAX_NUMBERS} finite numbers`;
    vectors[index] = vector;
  }
  const size = vectors[0]?.length;
  if (vectors.some((vector) => vector?.length !== size)) return 'the vectors differ in length';
  return vectors as Float32Array[];
}

/** Null for anything but finite numbers, and for a vector without a direction. */
function readVector(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_NUMBERS) return null;
  if (!embedding.every((value) => typeof value === 'number' && Math.abs(value) < 1e6)) return null;
  const vector = Float32Array.from(embedding as number[]);
  return vector.some((value) => value !== 0) ? vector : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The part of `@huggingface/transformers` that is used. */
export interface TransformersModule {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean };
  pipeline(task: 'feature-extraction', model: string): Promise<FeatureExtraction>;
}

type FeatureExtraction = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ tolist(): unknown }>;

/** Runs a model from a local folder in this process. Nothing is downloaded and nothing leaves the machine. */
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
