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

/**
 * A little below where clients cut a result or put a file in its place: Codex keeps 12,000 tokens that it counts as
 * four bytes each, Gemini CLI 40,000 characters, OpenCode 50 KiB and 2,000 lines, Copilot CLI 20 KiB. Others are told
 * how large a result may be (`anthropic/maxResultSizeChars`) or have no limit that is known.
 */
const LIMITS: readonly (readonly [client: string, limit: Partial<ResultLimit>])[] = [
  ['codex', { bytes: 46_000 }],
  ['gemini-cli', { bytes: 39_000 }],
  ['opencode', { bytes: 50_000, lines: 1_950 }],
  ['copilot', { bytes: 20_000 }],
];
const LEAST_TOKENS = 500;
const MOST_ATTEMPTS = 5;
/** Of text and code no more than this is one token, so that a budget that was not used up is not taken for its cost. */
const BYTES_PER_TOKEN = 2.5;

export function resultLimit(client: string): ResultLimit {
  return { ...NO_RESULT_LIMIT, ...LIMITS.find(([name]) => client.startsWith(name))?.[1] };
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
    if (filled <= 1 || tokens <= LEAST_TOKENS || attempt === MOST_ATTEMPTS) return result;
    const cost = Math.min(tokens, Buffer.byteLength(result.text) / BYTES_PER_TOKEN);
    tokens = Math.max(LEAST_TOKENS, Math.floor((cost / filled) * 0.95));
  }
}

/** The first of these, as many as are inside the limit. */
export function fitParts(parts: readonly string[], limit: ResultLimit): string {
  let count = parts.length;
  while (count > 1 && fill(parts.slice(0, count).join('\n'), limit) > 1) count = Math.floor(count * 0.9);
  return parts.slice(0, count).join('\n');
}
