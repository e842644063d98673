import { postJsonPatiently } from '../../platform/http/http-retry.ts';
import type { Embedder, EmbedOutcome } from './embedder.ts';
import { readEmbeddings } from './read-embeddings.ts';

export interface HttpEmbedderOptions {
  /** Of the endpoint itself, such as `http://localhost:11434/v1/embeddings`. */
  readonly url: string;
  readonly model: string;
  /** Empty when the endpoint asks for none. */
  readonly key: string;
  readonly timeoutMs: number;
  readonly attempts?: number;
  readonly firstDelayMs?: number;
}

/** A vector of a thousand numbers is about 20 KB of JSON. */
const MAX_ANSWER_BYTES = 64_000_000;
const LONGEST_DELAY_MS = 20_000;
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
      { attempts, firstDelayMs, longestDelayMs: LONGEST_DELAY_MS },
    );
    if (outcome.kind === 'failure') return REFUSED.has(outcome.status) ? 'refused' : failed(outcome.detail);
    const vectors = readEmbeddings(outcome.value, texts.length);
    return typeof vectors === 'string' ? failed(vectors) : { kind: 'vectors', vectors };
  };

  /** One text that is refused must not cost the others their vectors. */
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
