import type { IncomingMessage } from 'node:http';
import { checkBodyHeaders, type Refusal, tooLarge } from './http-guard.ts';

export type ReadBody = { readonly text: string } | { readonly refusal: Refusal };

const decoder = () => new TextDecoder('utf-8', { fatal: true });

/** The body as text. It is counted while it comes in: what its headers say may be wrong. */
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
