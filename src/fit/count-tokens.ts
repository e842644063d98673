/** The public encodings whose counts are exact. */
export type Encoding = 'o200k_base' | 'cl100k_base';

export type CountTokens = (text: string) => number;

/**
 * An unbroken run longer than this takes the tokenizer quadratic time. Counted in pieces it can only come out
 * a token or so higher for each cut, so that a budget holds all the same.
 */
const MAX_RUN = 1_000;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN + 1},}|[^\\S\\n]{${MAX_RUN + 1},}|\\n{${MAX_RUN + 1},}`);
const PIECES = new RegExp(`[\\s\\S]{1,${MAX_RUN}}`, 'g');

/** Loads one encoding and counts with it; the tables take a quarter of a second, so they wait until they are needed. */
export async function loadTokenCounter(encoding: Encoding): Promise<CountTokens> {
  const tokenizer =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  // text of a repository may spell out special tokens: they are plain text here
  const count = (text: string) => tokenizer.countTokens(text, { disallowedSpecial: new Set<string>() });
  return (text) => {
    if (text === '') return 0;
    if (!LONG_RUN.test(text)) return count(text);
    return (text.match(PIECES) ?? []).reduce((sum, piece) => sum + count(piece), 0);
  };
}
