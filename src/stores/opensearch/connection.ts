// The connection to a cluster: which node is asked, how often, how requests are signed in, and which dialect
// the server speaks. Messages about failures are made here; they hold no body and no header.

import type { StoreCall } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { monotonicMs, pause } from '../../platform/clock.ts';
import { randomUnit } from '../../platform/environment.ts';
import type { ExchangeOutcome, HttpFailure, HttpLine } from '../../platform/http-client.ts';

/** The name of the store in messages when the user gave it none. */
export const NAME = 'opensearch';

/** How requests are signed in. */
export interface Credentials {
  readonly user?: string;
  readonly password?: string;
  /** An API key; it wins over user and password. */
  readonly key?: string;
}

/** The address of a server and the limits of its requests. */
export interface ConnectionOptions {
  /** Nodes of one cluster, without a path. */
  readonly urls: readonly string[];
  readonly line: HttpLine;
  readonly credentials: Credentials;
  readonly kind: Dialect['family'] | 'auto';
  /** Longest time for one request. */
  readonly requestTimeoutMs: number;
}

/** A JSON answer with a status that the request accepts. */
interface ServerAnswer {
  readonly status: number;
  readonly value: unknown;
}

/** One request, without the parts that are the same for all. */
interface ServerRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Lines of JSON instead of one value. */
  readonly lines?: string;
  /** Statuses that are answers, besides the good ones. */
  readonly accept?: readonly number[];
}

/** The time and the patience of one call of the store. */
export interface Patience {
  /** How often a request is made before it counts as failed. */
  readonly attempts: number;
  readonly signal: AbortSignal | undefined;
  readonly remainingMs: () => number;
  readonly check: () => void;
}

/** Starts the clock of a call. The check throws `store-cancelled` or `store-timeout`. */
export function patienceOf({ signal, budgetMs }: StoreCall = {}, attempts = READ_ATTEMPTS): Patience {
  const deadline = budgetMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs() + budgetMs;
  const remainingMs = () => deadline - monotonicMs();
  const check = () => {
    if (signal?.aborted)
      throw new LoadoutError('store-cancelled', 'the request to the team store was cancelled');
    if (remainingMs() <= 0)
      throw new LoadoutError('store-timeout', `the team store did not answer within ${budgetMs} ms`);
  };
  check();
  return { signal, remainingMs, check, attempts };
}

/** Whether a repeated request may get another status. */
export const isBusy = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** For reads: another store can answer instead. */
const READ_ATTEMPTS = 3;
/** For writes: there is no other store. */
export const WRITE_ATTEMPTS = 12;
/** In milliseconds, before the second attempt; doubles from there on. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;
/** For credentials that are not a key. */
const ANY_SCHEME = ['Bearer'] as const;
const MAX_ANSWER_BYTES = 256_000_000;

/** Clients that were refused together should not retry together. */
export function backoffMs(attempt: number, asked = 0): number {
  const grown = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + randomUnit() / 2);
  return Math.max(Math.min(asked, 2 * MAX_PAUSE_MS), grown);
}

/** Talks to a cluster: to another node when one does not answer, again when it is busy. Every request may come twice. */
export class Connection {
  readonly #options: ConnectionOptions;
  #node = 0;
  #dialect: Promise<Dialect> | null = null;
  /** Bytes of all request bodies, compressed as they were sent. */
  bytesSent = 0;
  /** Requests and documents that were sent again. */
  retries = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  close(): void {
    this.#options.line.close();
  }

  /** Asks the server once what it is. A failed question is asked again by the next call. */
  dialect(patience: Patience): Promise<Dialect> {
    this.#dialect ??= this.#ask(patience).catch((error: unknown) => {
      this.#dialect = null;
      throw error;
    });
    return this.#dialect;
  }

  async #ask(patience: Patience): Promise<Dialect> {
    const { kind, credentials } = this.#options;
    const schemes = credentials.key ? keySchemes(kind) : ANY_SCHEME;
    let value: unknown = null;
    for (const [at, scheme] of schemes.entries()) {
      // a server that does not know the scheme says that it does not know the key
      const accept = at + 1 < schemes.length ? [401] : [];
      const request = { method: 'GET', path: '/', accept } as const;
      const answer = await this.#patiently(request, patience, 'application/json', scheme);
      value = answer.value;
      if (answer.status !== 401) break;
    }
    const dialect = dialectOf(value);
    if (typeof dialect === 'string') throw unavailable(dialect);
    if (kind !== 'auto' && kind !== dialect.family)
      throw unavailable(`it is ${dialect.family}, the setting says ${kind}`);
    return dialect;
  }

  /** Sends a request, again when the server is busy, and to the next node when one does not answer. */
  async send(request: ServerRequest, patience: Patience): Promise<ServerAnswer> {
    const { mediaType, lineMediaType, keyScheme } = await this.dialect(patience);
    return this.#patiently(request, patience, request.lines ? lineMediaType : mediaType, keyScheme);
  }

  // The loop over attempts and nodes. Every request may arrive twice, so all of them are safe to repeat.
  async #patiently(
    request: ServerRequest,
    patience: Patience,
    type: string,
    scheme: string,
  ): Promise<ServerAnswer> {
    for (let attempt = 0; ; attempt++) {
      patience.check();
      const outcome = await this.#once(request, patience, type, scheme);
      patience.check();
      const problem = this.#problemOf(request, outcome);
      if (problem === null && outcome.kind === 'answer')
        return { status: outcome.status, value: jsonOrNull(outcome.text, MAX_ANSWER_BYTES) };
      const isFinal = outcome.kind === 'answer' ? !isBusy(outcome.status) : isForGood(outcome);
      if (isFinal || attempt + 1 >= Math.max(patience.attempts, this.#options.urls.length))
        throw unavailable(problem ?? 'no answer');
      this.retries++;
      // one missing node says nothing about the others, so they are asked at once
      const isRound = (attempt + 1) % this.#options.urls.length === 0;
      this.#node++;
      const wait = outcome.kind === 'answer' || isRound ? backoffMs(attempt, outcome.retryAfterMs) : 0;
      if (wait >= patience.remainingMs()) throw unavailable(problem ?? 'no answer');
      await pause(wait, patience.signal ?? new AbortController().signal);
    }
  }

  // One request to one node.
  async #once(
    request: ServerRequest,
    patience: Patience,
    type: string,
    scheme: string,
  ): Promise<ExchangeOutcome> {
    const { urls, line, requestTimeoutMs, credentials } = this.#options;
    const body = request.lines ?? (request.body === undefined ? null : JSON.stringify(request.body));
    const outcome = await line.exchange({
      method: request.method,
      url: urls[this.#node % urls.length]! + request.path,
      headers: {
        ...(body === null ? {} : { 'content-type': type }),
        accept: request.lines ? type.replace('x-ndjson', 'json') : type,
        ...authorization(credentials, scheme),
      },
      body,
      timeoutMs: Math.min(requestTimeoutMs, Math.max(1, patience.remainingMs())),
      maxBytes: MAX_ANSWER_BYTES,
      ...(patience.signal ? { signal: patience.signal } : {}),
    });
    if (outcome.kind === 'answer') this.bytesSent += outcome.bytesSent;
    return outcome;
  }

  /** Null for an answer. Bodies stay out of messages: they repeat what was sent. */
  #problemOf({ accept = [] }: ServerRequest, outcome: ExchangeOutcome): string | null {
    if (outcome.kind === 'failure') return certificateProblem(outcome.detail) ?? outcome.detail;
    const { status } = outcome;
    if ((status >= 200 && status < 300) || accept.includes(status)) return null;
    if (status === 401 || status === 403) return `it does not accept the credentials (HTTP ${status})`;
    return `HTTP ${status}${errorType(outcome.text)}`;
  }
}

/** True when a repeated request would fail in the same way. */
const isForGood = ({ reason, detail }: HttpFailure): boolean =>
  reason === 'too-large' || certificateProblem(detail) !== null;

/** The error for a store that cannot answer now. */
export function unavailable(reason: string): LoadoutError {
  return new LoadoutError('store-unavailable', `the team store cannot be used: ${reason}`);
}

/** The type of an error, such as `index_not_found_exception`; its text may repeat what was sent. */
function errorType(text: string): string {
  const type = (jsonOrNull(text, MAX_ANSWER_BYTES) as { error?: { type?: unknown } } | null)?.error?.type;
  return typeof type === 'string' && /^[\w-]{1,80}$/.test(type) ? ` (${type})` : '';
}

function authorization({ user, password, key }: Credentials, scheme: string): Record<string, string> {
  if (key) return { authorization: `${scheme} ${key}` };
  if (!user) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
}

/** Codes of Node for certificates of an unknown authority. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

const OTHERS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  EPROTO: 'it does not speak TLS at this address',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at this address',
};

/** Explains a failed TLS connection; null when the failure is about something else. */
function certificateProblem(code: string): string | null {
  if (UNTRUSTED.has(code))
    return `its certificate comes from an authority that is not trusted here; name the certificate file of the authority as caFile (${code})`;
  const known = Object.hasOwn(OTHERS, code) ? OTHERS[code]! : null;
  return known && `${known} (${code})`;
}

/** The differences between two families of servers, as far as this store needs them. */
interface Dialect {
  readonly family: 'opensearch' | 'elasticsearch';
  readonly version: string;
  readonly major: number;
  /** How a key is sent, as opposed to a user and a password. */
  readonly keyScheme: 'ApiKey' | 'Bearer';
  /** The type that request and answer are in: a later major version of the server understands it too. */
  readonly mediaType: string;
  readonly lineMediaType: string;
}

/** Both families, with the versions that were tested. */
interface Family {
  readonly majors: readonly number[];
  readonly keyScheme: Dialect['keyScheme'];
  readonly mediaType: (major: number) => string;
  readonly lineMediaType: (major: number) => string;
}

const FAMILIES: Readonly<Record<Dialect['family'], Family>> = {
  opensearch: {
    majors: [2, 3],
    keyScheme: 'Bearer',
    mediaType: () => 'application/json',
    lineMediaType: () => 'application/x-ndjson',
  },
  elasticsearch: {
    majors: [8, 9],
    keyScheme: 'ApiKey',
    mediaType: (major) => `application/vnd.elasticsearch+json; compatible-with=${major}`,
    lineMediaType: (major) => `application/vnd.elasticsearch+x-ndjson; compatible-with=${major}`,
  },
};

/** The ways to present a key to a server whose family is not known yet. */
function keySchemes(kind: Dialect['family'] | 'auto'): readonly Dialect['keyScheme'][] {
  if (kind !== 'auto') return [FAMILIES[kind].keyScheme];
  return [FAMILIES.elasticsearch.keyScheme, FAMILIES.opensearch.keyScheme];
}

/** Reads the server's description of itself; a text says why this store cannot use it. */
export function dialectOf(answer: unknown): Dialect | string {
  const version = (answer as { version?: Record<string, unknown> } | null)?.version;
  const number = version?.number;
  if (typeof number !== 'string') return 'it does not say which search server it is';
  const said = version?.distribution;
  const family = said === 'opensearch' ? 'opensearch' : said === undefined ? 'elasticsearch' : null;
  if (family === null) return `it is of an unknown kind (${clean(said)})`;
  if (version?.build_flavor === 'serverless') return 'serverless Elasticsearch is not supported';
  const major = Number(/^\d{1,3}/.exec(number)?.[0] ?? Number.NaN);
  const { majors, keyScheme, mediaType, lineMediaType } = FAMILIES[family];
  if (!majors.includes(major))
    return `it is ${family} ${clean(number)}; supported are ${family} ${majors.join(' and ')}`;
  return {
    family,
    version: clean(number),
    major,
    keyScheme,
    mediaType: mediaType(major),
    lineMediaType: lineMediaType(major),
  };
}

/** Cleans foreign text for a message. */
const clean = (text: unknown) =>
  String(text)
    .replace(/[^\w.+-]/g, '?')
    .slice(0, 40);
