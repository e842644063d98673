import type { Readable } from 'node:stream';

export const MOST_INPUT_BYTES = 10_000_000;

/** Everything a client says on standard input; null when it says more than any event needs. */
export async function readInput(stream: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    size += bytes.length;
    if (size > MOST_INPUT_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
