import { request } from 'node:http';
import type { ServerState } from './server-state.ts';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

/** One question to a server of ours; null when it does not answer well and in time. */
export function exchange(
  { port, token }: ServerState,
  { body, headers, ...line }: Exchange,
): Promise<string | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        ...line,
        host: '127.0.0.1',
        port,
        headers: {
          ...headers,
          authorization: `Bearer ${token}`,
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) call.destroy();
          else chunks.push(chunk);
        });
        response.on('error', () => resolve(null));
        response.on('end', () =>
          resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : null),
        );
      },
    );
    call.on('error', () => resolve(null));
    call.end(body);
  });
}
