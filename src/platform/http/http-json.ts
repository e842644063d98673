import { setTimeout as sleep } from 'node:timers/promises';

interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** For the whole exchange, the answer's last byte included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

type JsonOutcome = { readonly kind: 'answer'; readonly value: unknown } | HttpFailure;

/** Why a request has no usable answer. */
export interface HttpFailure {
  readonly kind: 'failure';
  readonly reason: 'cancelled' | 'timeout' | 'network' | 'status' | 'too-large' | 'not-json';
  /** 0 unless the reason is `status`. */
  readonly status: number;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number;
  /** For people; never has a header or a body in it. */
  readonly detail: string;
}

/** Posts JSON and reads JSON. Whatever the other side does is a value; no redirect is followed. */
async function postJson(request: JsonRequest): Promise<JsonOutcome> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
      // a key must not follow to an address that the user has not named
      redirect: 'manual',
      signal,
    });
    if (response.status < 200 || response.status > 299) {
      await response.body?.cancel();
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
      return failure('status', `HTTP ${response.status}`, response.status, retryAfterMs);
    }
    const text = await readLimited(response, request.maxBytes);
    if (text === null) return failure('too-large', `the answer has more than ${request.maxBytes} bytes`);
    return parsed(text);
  } catch (error) {
    if (request.signal?.aborted) return failure('cancelled', 'cancelled');
    if (timeout.aborted) return failure('timeout', `no answer within ${request.timeoutMs} ms`);
    return failure('network', networkDetail(error));
  }
}

function failure(reason: HttpFailure['reason'], detail: string, status = 0, retryAfterMs = 0): HttpFailure {
  return { kind: 'failure', reason, status, retryAfterMs, detail };
}

function parsed(text: string): JsonOutcome {
  try {
    return { kind: 'answer', value: JSON.parse(text) };
  } catch {
    return failure('not-json', 'the answer is not JSON');
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // leaving the loop closes the connection
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Seconds; a date is not worth the trouble. */
function readRetryAfter(header: string | null): number {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : 0;
}

/** `fetch failed` says nothing; what lies behind does. */
function networkDetail(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : 'network error';
}

interface RetryOptions {
  /** All attempts, the first included. */
  readonly attempts: number;
  /** Before the second attempt; doubles from there on. */
  readonly firstDelayMs: number;
  /** A server that wants a longer rest than this is not waited for. */
  readonly longestDelayMs: number;
}

/** Posts again what may succeed later: time-outs, broken connections, 408, 429 and server errors. */
export async function postJsonPatiently(
  request: JsonRequest,
  { attempts, firstDelayMs, longestDelayMs }: RetryOptions,
): Promise<JsonOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await postJson(request);
    if (outcome.kind === 'answer' || attempt >= attempts || !mayPass(outcome)) return outcome;
    // clients that were refused together should not retry together
    const backoff = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const delay = Math.max(outcome.retryAfterMs, backoff);
    if (delay > longestDelayMs) return outcome;
    try {
      await sleep(delay, undefined, request.signal ? { signal: request.signal } : {});
    } catch {
      return { ...outcome, reason: 'cancelled', detail: 'cancelled' };
    }
  }
}

function mayPass({ reason, status }: HttpFailure): boolean {
  if (reason === 'status') return status === 408 || status === 429 || status >= 500;
  return reason === 'timeout' || reason === 'network';
}
