// HTTP for embedders and stores. `postJsonPatiently` posts JSON with `fetch`; `openHttpLine` keeps connections
// open and can trust a certificate authority that the user names. Failures are values, and no redirect is followed.

import { Agent as PlainAgent, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzip, gzip } from 'node:zlib';
import { readJson } from '../model/read-json.ts';
import { readRegularFile } from './fs/read-file.ts';

/** One POST with its limits. */
interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** For the whole exchange, the answer's last byte included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** The parsed answer, or why there is none. */
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

/** Posts JSON and reads JSON. Every failure is a value; no redirect is followed. */
async function postJson(request: JsonRequest): Promise<JsonOutcome> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
      // the key must not be sent to an address that the user has not named
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

/** A failure with its words for people. */
function failure(reason: HttpFailure['reason'], detail: string, status = 0, retryAfterMs = 0): HttpFailure {
  return { kind: 'failure', reason, status, retryAfterMs, detail };
}

function parsed(text: string): JsonOutcome {
  const read = readJson(text);
  return read.kind === 'json'
    ? { kind: 'answer', value: read.value }
    : failure('not-json', 'the answer is not JSON');
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

/** Reads seconds; the form with a date is ignored. */
function readRetryAfter(header: string | null | undefined): number {
  return header != null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : 0;
}

/** `fetch failed` says nothing, so this gives its cause. */
function networkDetail(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : 'network error';
}

/** How often to try, and how long to wait in between; in milliseconds. */
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

/** Whether the same request may succeed later. */
function mayPass({ reason, status }: HttpFailure): boolean {
  if (reason === 'status') return status === 408 || status === 429 || status >= 500;
  return reason === 'timeout' || reason === 'network';
}

/** One HTTP request with its limits on time and size. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** For the whole exchange, the answer's last byte included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Any answer of the server, unpacked. */
interface ExchangeAnswer {
  readonly kind: 'answer';
  /** Any status: what an error means is the caller's business. */
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
  /** As they went over the wire, headers not counted. */
  readonly bytesSent: number;
}

export type ExchangeOutcome = ExchangeAnswer | HttpFailure;

/** Connections that stay open between requests to one server. */
export interface HttpLine {
  exchange(request: ExchangeRequest): Promise<ExchangeOutcome>;
  close(): void;
}

/** Below this a smaller body is not worth the work. */
const COMPRESS_FROM = 2048;

const MAX_AUTHORITY_BYTES = 10_000_000;

/** Uses Node's `http`, because `fetch` cannot be told which authority to trust. No redirect is followed. */
export function openHttpLine(options: { readonly authorityFile?: string } = {}): HttpLine {
  const plain = new PlainAgent({ keepAlive: true, maxSockets: 8 });
  const secure = new SecureAgent({
    keepAlive: true,
    maxSockets: 8,
    ...(options.authorityFile ? { ca: readRegularFile(options.authorityFile, MAX_AUTHORITY_BYTES) } : {}),
  });
  return {
    exchange: async (request) => {
      const timeout = AbortSignal.timeout(Math.ceil(Math.max(1, Math.min(request.timeoutMs, 2 ** 31 - 1))));
      const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
      try {
        signal.throwIfAborted();
        const body = request.body === null ? null : await pack(request.body);
        const isSecure = request.url.startsWith('https:');
        const headers = {
          accept: 'application/json',
          'accept-encoding': 'gzip',
          ...request.headers,
          ...(body === null ? {} : { 'content-length': String(body.bytes.length) }),
          ...(body?.packed ? { 'content-encoding': 'gzip' } : {}),
        };
        const answer = await send(
          request,
          { method: request.method, headers, agent: isSecure ? secure : plain, signal },
          body?.bytes ?? null,
          isSecure,
        );
        return answer ?? failure('too-large', `the answer has more than ${request.maxBytes} bytes`);
      } catch (error) {
        if (request.signal?.aborted) return failure('cancelled', 'cancelled');
        if (timeout.aborted)
          return failure('timeout', `no answer within ${Math.round(request.timeoutMs)} ms`);
        return failure('network', exchangeDetail(error));
      }
    },
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Compresses a body when that is worth it. */
async function pack(body: string): Promise<{ readonly bytes: Buffer; readonly packed: boolean }> {
  const bytes = Buffer.from(body, 'utf8');
  if (bytes.length < COMPRESS_FROM) return { bytes, packed: false };
  const packed = await new Promise<Buffer>((resolve, reject) =>
    gzip(bytes, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result))),
  );
  return { bytes: packed, packed: true };
}

/** Null when the answer is larger than allowed. */
function send(
  { url, maxBytes }: ExchangeRequest,
  options: RequestOptions,
  body: Buffer | null,
  isSecure: boolean,
): Promise<ExchangeAnswer | null> {
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? requestSecure : requestPlain)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else {
          resolve(null);
          outgoing.destroy();
        }
      });
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const answer = (text: string) =>
          resolve({
            kind: 'answer',
            status: response.statusCode ?? 0,
            text,
            retryAfterMs: readRetryAfter(response.headers['retry-after']),
            bytesSent: body?.length ?? 0,
          });
        if (response.headers['content-encoding'] !== 'gzip') answer(bytes.toString('utf8'));
        else
          gunzip(bytes, { maxOutputLength: maxBytes }, (error, plain) =>
            error ? resolve(null) : answer(plain.toString('utf8')),
          );
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** The code alone: messages have addresses in them. */
function exchangeDetail(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'network error';
}
