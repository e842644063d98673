/**
 * UTF-8 bytes that a client gives its model in one piece, a little below where it cuts the middle out of a result:
 * Codex keeps 12,000 tokens that it counts as four bytes each, Gemini CLI 40,000 characters. Others are told how large
 * a result may be (`anthropic/maxResultSizeChars`) or have no limit that is known.
 */
const LIMITS: readonly (readonly [client: string, bytes: number])[] = [
  ['codex', 46_000],
  ['gemini-cli', 39_000],
];
const LEAST_TOKENS = 500;
const MOST_ATTEMPTS = 5;
/** Of text and code no more than this is one token, so that a budget that was not used up is not taken for its cost. */
const BYTES_PER_TOKEN = 2.5;

export function resultLimit(client: string): number {
  return LIMITS.find(([name]) => client.startsWith(name))?.[1] ?? Number.POSITIVE_INFINITY;
}

/** Makes a text inside a budget of tokens, and again with a smaller one as long as it has too many bytes. */
export async function fitResult<Result extends { readonly text: string }>(
  budget: number,
  mostBytes: number,
  make: (budget: number) => Promise<Result>,
): Promise<Result> {
  let tokens = budget;
  for (let attempt = 1; ; attempt++) {
    const result = await make(tokens);
    const bytes = Buffer.byteLength(result.text);
    if (bytes <= mostBytes || tokens <= LEAST_TOKENS || attempt === MOST_ATTEMPTS) return result;
    const cost = Math.min(tokens, bytes / BYTES_PER_TOKEN);
    tokens = Math.max(LEAST_TOKENS, Math.floor(cost * (mostBytes / bytes) * 0.95));
  }
}
