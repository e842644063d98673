/**
 * How much text a client takes in one piece. Clients cut longer results, so Loadout leaves out the least important
 * parts first.
 */

import { CLIENTS } from '../../agents/index.ts';

/** The largest result that a client gives its model in one piece. */
export interface ResultLimit {
  /** Of UTF-8. */
  readonly bytes: number;
  readonly lines: number;
}

/** For clients that pass results of any size on. */
export const NO_RESULT_LIMIT: ResultLimit = {
  bytes: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
};

/** A smaller package is of no use, so a client may cut this one. */
const MIN_TOKENS = 500;
/** Each attempt builds the text again. */
const MAX_ATTEMPTS = 5;
/** A low estimate for text and code, so that an unused budget is not taken for the cost of a text. */
const BYTES_PER_TOKEN = 2.5;

/** The limit of the client that announces itself with this name. */
export function resultLimit(announced: string): ResultLimit {
  const client = CLIENTS.find(({ mcp }) => mcp && announced.startsWith(mcp.announcedAs));
  return { ...NO_RESULT_LIMIT, ...client?.mcp?.resultLimit };
}

/** The rest of a limit after another text. */
export function limitBeside(
  { bytes, lines }: ResultLimit,
  takenBytes: number,
  takenLines: number,
): ResultLimit {
  return { bytes: bytes - takenBytes, lines: lines - takenLines };
}

/** The size of a text as a share of the limit; up to 1 fits. */
export function fill(text: string, { bytes, lines }: ResultLimit): number {
  const lineCount = lines === Number.POSITIVE_INFINITY ? 0 : text.split('\n').length;
  return Math.max(Buffer.byteLength(text) / bytes, lineCount / lines);
}

/** Makes a text inside a token budget, and again with a smaller budget while the text is too large for the client. */
export async function fitResult<Result extends { readonly text: string }>(
  budget: number,
  limit: ResultLimit,
  make: (budget: number) => Promise<Result>,
): Promise<Result> {
  let tokens = budget;
  for (let attempt = 1; ; attempt++) {
    const result = await make(tokens);
    const filled = fill(result.text, limit);
    if (filled <= 1 || tokens <= MIN_TOKENS || attempt === MAX_ATTEMPTS) return result;
    const cost = Math.min(tokens, Buffer.byteLength(result.text) / BYTES_PER_TOKEN);
    tokens = Math.max(MIN_TOKENS, Math.floor((cost / filled) * 0.95));
  }
}

/** Joins as many parts as fit, from the first one on. */
export function fitParts(parts: readonly string[], limit: ResultLimit): string {
  let count = parts.length;
  while (count > 1 && fill(parts.slice(0, count).join('\n'), limit) > 1) count = Math.floor(count * 0.9);
  return parts.slice(0, count).join('\n');
}
