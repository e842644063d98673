import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { wordParts } from '../../model/word-parts.ts';

export interface EmbeddingServer {
  readonly url: string;
  /** The texts of each request, in order. */
  readonly requests: string[][];
  readonly headers: IncomingMessage['headers'][];
  /** Answers for the next requests, instead of vectors. */
  readonly next: Answer[];
}

/** Answers a request itself, or returns nothing, so that vectors are sent. */
export type Answer = (response: ServerResponse, texts: readonly string[]) => 'vectors' | undefined;

const SIZE = 64;
/** Words that mean the same to this model. */
const MEANING = new Map(['car', 'automobile', 'lorry'].map((word) => [word, 'vehicle']));

/** Hashes words into a vector: the same text gives the same numbers everywhere. */
export function wordVector(text: string): number[] {
  const vector = new Array<number>(SIZE).fill(0);
  for (const word of text.match(/[\p{L}\p{N}_]+/gu) ?? [])
    for (const part of wordParts(word)) {
      let hash = 7;
      for (const character of MEANING.get(part) ?? part) hash = (hash * 31 + character.charCodeAt(0)) % 9973;
      vector[hash % SIZE]! += 1;
    }
  return vector.some((value) => value > 0) ? vector : vector.fill(1);
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end('{"error":{"message":"no"}}');
    return undefined;
  };

export const body =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return undefined;
  };

export const silence: Answer = () => undefined;

/** A server that speaks the embeddings API; gone when the test ends. */
export async function embeddingServer(): Promise<EmbeddingServer> {
  const requests: string[][] = [];
  const headers: IncomingMessage['headers'][] = [];
  const next: Answer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] };
    requests.push(input);
    headers.push(request.headers);
    const answer = next.shift();
    if (answer && answer(response, input) !== 'vectors') return;
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: wordVector(text) }));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data: data.reverse() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/embeddings`, requests, headers, next };
}
