import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A request that goes no further, and what its sender is told. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export interface GuardOptions {
  readonly port: number;
  readonly token: string;
}

/** Sent twice, each of these could be read in one way here and in another elsewhere. */
const SINGLE_HEADERS = ['host', 'origin', 'authorization', 'content-length', 'content-type'];

const refuse = (status: number, message: string): Refusal => ({ status, message });

/**
 * What every request has to show, before a byte of its body is read. A web page can reach this port and can make its
 * own name lead here, but it cannot choose `Host` and `Origin`, and it does not know the token.
 */
export function checkRequest(request: IncomingMessage, { port, token }: GuardOptions): Refusal | null {
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
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ', 2);
  if (scheme.toLowerCase() !== 'bearer' || !isSame(given, token)) return refuse(401, 'a token is needed');
  return null;
}

/** Takes as long for any guess, whatever its length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** A body that is JSON and not too large, as far as its headers tell. */
export function checkBodyHeaders({ headers }: IncomingMessage, maxBytes: number): Refusal | null {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== 'application/json') return refuse(415, 'the body must be application/json');
  if (headers['content-encoding'] !== undefined) return refuse(415, 'the body must not be compressed');
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  return null;
}

export function tooLarge(maxBytes: number): Refusal {
  return refuse(413, `the body has more than ${maxBytes} bytes`);
}
