/**
 * Decides which HTTP requests are answered: it checks host, origin and token before a body is read, and limits
 * the body. Web pages can reach a local port, so these checks keep them out.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../../platform/environment.ts';

/** The answer to a request that is refused. */
export interface Refusal {
  readonly status: number;
  /** One sentence. It never repeats text of the request. */
  readonly message: string;
}

/** The port and the token that a request must match. */
export interface GuardOptions {
  readonly port: number;
  readonly token: string;
  /** For files without data, which a browser asks for before it can send a token. */
  readonly isPublic?: boolean;
}

/** If sent twice, these could be read differently by different programs. */
const SINGLE_HEADERS = ['host', 'origin', 'authorization', 'content-length', 'content-type'];

const refuse = (status: number, message: string): Refusal => ({ status, message });

/**
 * Checks the headers of a request before its body is read. A web page can reach this port and can point its own host
 * name here, but it cannot choose `Host` and `Origin`, and it does not know the token.
 */
export function checkRequest(
  request: IncomingMessage,
  { port, token, isPublic = false }: GuardOptions,
): Refusal | null {
  const { headers, rawHeaders } = request;
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const twice = SINGLE_HEADERS.find((name) => names.filter((one) => one === name).length > 1);
  if (twice) return refuse(400, `${twice} is given twice`);
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) return refuse(403, 'this Host is not served');
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin.toLowerCase() === `http://${host}`))
    return refuse(403, 'this Origin is not served');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refuse(403, 'requests of other sites are not served');
  if (isPublic) return null;
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ', 2);
  if (scheme.toLowerCase() !== 'bearer' || !isSame(given, token)) return refuse(401, 'a token is needed');
  return null;
}

/** Compares in the same time for every guess of any length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Checks by the headers that the body is JSON and not too large. */
function checkBodyHeaders({ headers }: IncomingMessage, maxBytes: number): Refusal | null {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== 'application/json') return refuse(415, 'the body must be application/json');
  if (headers['content-encoding'] !== undefined) return refuse(415, 'the body must not be compressed');
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  return null;
}

function tooLarge(maxBytes: number): Refusal {
  return refuse(413, `the body has more than ${maxBytes} bytes`);
}

/** The body as text, or why it is refused. */
export type ReadBody = { readonly text: string } | { readonly refusal: Refusal };

/** Fails on bytes that are not UTF-8 in place of replacing them. */
const decoder = () => new TextDecoder('utf-8', { fatal: true });

/** Reads the body as text. Bytes are counted as they arrive, because the headers may be wrong. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const refusal = checkBodyHeaders(request, maxBytes);
  if (refusal) return { refusal };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) return { refusal: tooLarge(maxBytes) };
      chunks.push(chunk as Buffer);
    }
  } catch {
    return { refusal: { status: 400, message: 'the body ends early' } };
  }
  try {
    return { text: decoder().decode(Buffer.concat(chunks)) };
  } catch {
    return { refusal: { status: 400, message: 'the body is not UTF-8' } };
  }
}

/** For users who want the same token after a restart. */
const TOKEN_VARIABLE = 'LOADOUT_SERVER_TOKEN';
/** Characters; a shorter token could be guessed. */
const MIN_LENGTH = 16;

/** The secret that a client has to send. */
export interface AccessToken {
  readonly token: string;
  /** It was generated now, so the user has to be told. */
  readonly isNew: boolean;
}

/** The token from the environment, or a random one. */
export function accessToken(env: Environment): AccessToken {
  const given = env[TOKEN_VARIABLE];
  if (given === undefined || given === '')
    return { token: randomBytes(32).toString('base64url'), isNew: true };
  if (given.length >= MIN_LENGTH && /^[\x21-\x7e]+$/.test(given)) return { token: given, isNew: false };
  const message = `${TOKEN_VARIABLE} must have at least ${MIN_LENGTH} printable characters without spaces`;
  throw new LoadoutError('bad-token', message, { subject: TOKEN_VARIABLE });
}
