/**
 * A small HTTP server for this machine only. It has limits for connections without a token, so that a program
 * that knows none cannot keep the others out.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { checkRequest, type Refusal } from './http-guard.ts';

/** A path of the server, and the function that answers it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The whole path, or with a `/` at its end everything one name below it. */
  readonly path: string;
  /** It holds no data of the user, so it needs no token. */
  readonly isPublic?: boolean;
  /** Called after all checks, with the body still unread. */
  readonly handle: (exchange: Exchange) => Promise<void>;
}

/** One request with its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The rest of the path after that of the route. */
  readonly rest: string;
  /** Aborted when the client goes. */
  readonly signal: AbortSignal;
}

/** A server that is listening. */
export interface LoopbackServer {
  readonly port: number;
  /** Ends open connections as well. */
  close(): Promise<void>;
}

/** Port, token and routes of a server. */
export interface LoopbackOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly token: string;
  readonly routes: readonly Route[];
  /** Takes details of failures, which clients do not see. */
  readonly log: (line: string) => void;
  /** Called for every request that passed the checks. */
  readonly onUse?: () => void;
}

/** Never all interfaces: other machines must not reach the server. */
const LOOPBACK = '127.0.0.1';
/** Limit of connections with the token; more have to wait. */
const MAX_CONNECTIONS = 512;
/** Limit of connections without the token so far; the oldest are closed when more arrive. */
const MAX_STRANGERS = 512;
/** Time limit for a connection to send the token. */
const STRANGER_MS = 2_000;
/** Connections that the system holds while this process is busy. */
const BACKLOG = 1_024;
/** Time limit for the headers of a request. */
const HEADERS_MS = 10_000;
/** Time limit for a whole request, its body included. */
const REQUEST_MS = 30_000;

/** Starts an HTTP server for this machine only. Requests without the token are refused. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const server = createServer({
    maxHeaderSize: 16_384,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = MAX_CONNECTIONS + MAX_STRANGERS;
  const strangers = watchStrangers(server);
  server.on('request', (request, response) => {
    const { port } = server.address() as AddressInfo;
    const know = () => strangers.know(request.socket);
    answer(options, port, request, response, know).catch((error: unknown) => {
      options.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (response.headersSent) response.destroy();
      else
        sendRefusal(response, { status: 500, message: 'Loadout failed on this request; its log says why' });
    });
  });
  // nothing here upgrades, and nothing tunnels
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('connect', (_request, socket) => socket.destroy());
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Connections that show no token get little time and few places, so that they cannot keep the others out. */
function watchStrangers(server: ReturnType<typeof createServer>): { know(socket: Socket): void } {
  const strangers = new Map<Socket, NodeJS.Timeout>();
  const forget = (socket: Socket) => {
    clearTimeout(strangers.get(socket));
    strangers.delete(socket);
  };
  server.on('connection', (socket) => {
    // a busy process runs timers before it reads, so data that has arrived meanwhile counts
    const end = () => setImmediate(() => strangers.has(socket) && socket.destroy());
    const timer = setTimeout(end, STRANGER_MS);
    strangers.set(socket, timer);
    socket.once('close', () => forget(socket));
    const [oldest] = strangers.keys();
    if (strangers.size > MAX_STRANGERS) oldest?.destroy();
  });
  return { know: forget };
}

/** Resolves when the port is open; a port in use is an error with a hint. */
function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error);
      const why = code === 'EADDRINUSE' ? 'another program listens there' : code;
      const hint = 'choose another port, or 0 for any that is free';
      reject(
        new LoadoutError('cannot-listen', `cannot listen on port ${port}: ${why}`, {
          subject: `${port}`,
          hint,
          cause: error,
        }),
      );
    });
    server.listen({ host: LOOPBACK, port, exclusive: true, backlog: BACKLOG }, () => resolve());
  });
}

/** Checks a request, finds its route and lets it answer. */
async function answer(
  { token, routes, onUse }: LoopbackOptions,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
  know: () => void,
): Promise<void> {
  const isPublic = routes.some(
    (one) => one.isPublic && one.method === request.method && one.path === request.url,
  );
  const refusal = checkRequest(request, { port, token, isPublic });
  if (refusal) return sendRefusal(response, refusal);
  // The token is right, so the connection may stay.
  if (!isPublic) know();
  const path = request.url ?? '';
  const matching = routes.filter((route) => matches(route.path, path));
  const route = matching.find(({ method }) => method === request.method);
  if (!route) {
    const isKnown = matching.length > 0;
    if (isKnown) response.setHeader('allow', matching.map(({ method }) => method).join(', '));
    return sendRefusal(response, {
      status: isKnown ? 405 : 404,
      message: isKnown ? 'this method is not served here' : 'nothing is served here',
    });
  }
  onUse?.();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  await route.handle({ request, response, rest: path.slice(route.path.length), signal: gone.signal });
}

/** Names below a route are words such as `session-start`; anything else is not found. */
function matches(route: string, path: string): boolean {
  if (!route.endsWith('/')) return path === route;
  return path.startsWith(route) && /^[a-z][a-z-]{0,40}$/.test(path.slice(route.length));
}

/** Refuses a request and closes the connection, so that the rest of its body need not be read. */
export function sendRefusal(response: ServerResponse, { status, message }: Refusal): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  response.setHeader('connection', 'close');
  sendJson(response, status, { error: message });
}

/** Answers hold code of the user, so nothing may cache them. */
const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Sends a complete answer. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
