import { Agent as PlainAgent, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { gunzip, gzip } from 'node:zlib';
import { readRegularFile } from '../fs/read-file.ts';
import type { HttpFailure } from './http-json.ts';

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

/** `fetch` cannot be told which authority to trust, so this goes one floor down. No redirect is followed. */
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
        return failure('network', networkDetail(error));
      }
    },
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

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

function failure(reason: HttpFailure['reason'], detail: string): HttpFailure {
  return { kind: 'failure', reason, status: 0, retryAfterMs: 0, detail };
}

function readRetryAfter(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : 0;
}

/** The code alone: messages have addresses in them. */
function networkDetail(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'network error';
}
