import { CLIENTS } from '../../agents/table.ts';

/** What a client gives its model in one piece. */
export interface ResultLimit {
  /** Of UTF-8. */
  readonly bytes: number;
  readonly lines: number;
}

export const NO_RESULT_LIMIT: ResultLimit = {
  bytes: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
};

const MIN_TOKENS = 500;
const MAX_ATTEMPTS = 5;
/** Of text and code no more than this is one token, so that a budget that was not used up is not taken for its cost. */
const BYTES_PER_TOKEN = 2.5;

/** The limit of the client that announces itself with this name. */
export function resultLimit(announced: string): ResultLimit {
  const client = CLIENTS.find(({ mcp }) => mcp && announced.startsWith(mcp.announcedAs));
  return { ...NO_RESULT_LIMIT, ...client?.mcp?.resultLimit };
}

/** A limit with room for something else. */
export function limitBeside(
  { bytes, lines }: ResultLimit,
  takenBytes: number,
  takenLines: number,
): ResultLimit {
  return { bytes: bytes - takenBytes, lines: lines - takenLines };
}

/** How often the limit goes into a text; up to 1 is inside. */
function fill(text: string, { bytes, lines }: ResultLimit): number {
  const lineCount = lines === Number.POSITIVE_INFINITY ? 0 : text.split('\n').length;
  return Math.max(Buffer.byteLength(text) / bytes, lineCount / lines);
}

/** Makes a text inside a budget of tokens, and again with a smaller one as long as it is too large. */
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

/** The first of these, as many as are inside the limit. */
export function fitParts(parts: readonly string[], limit: ResultLimit): string {
  let count = parts.length;
  while (count > 1 && fill(parts.slice(0, count).join('\n'), limit) > 1) count = Math.floor(count * 0.9);
  return parts.slice(0, count).join('\n');
}
