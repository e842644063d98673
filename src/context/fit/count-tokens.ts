import type { CountBytes } from './tokens/create-counter.ts';
import type { PieceRules } from './tokens/piece-end.ts';
import type { PackedPool, Vocabulary } from './tokens/rank-table.ts';

/** The public encodings whose counts are exact. */
export const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;
export type Encoding = (typeof ENCODINGS)[number];
/** The encoding when no model is named. */
export const DEFAULT_ENCODING: Encoding = 'o200k_base';

/** The number of tokens of a text. */
export type CountTokens = (text: string) => number;

/** How each encoding splits text before it merges bytes. */
const RULES: Readonly<Record<Encoding, PieceRules>> = {
  o200k_base: { splitsAtCapitals: true, contractionsJoin: true, slashFollowsBreak: true, marksJoin: true },
  cl100k_base: {
    splitsAtCapitals: false,
    contractionsJoin: false,
    slashFollowsBreak: false,
    marksJoin: false,
  },
};

/** Texts up to this length are encoded into a buffer that is reused. */
const SCRATCH_CHARACTERS = 64 * 1024;
/** In UTF-8, for each UTF-16 unit. */
const MAX_BYTES_A_CHARACTER = 3;

/** Each table is loaded once for the whole process. */
const loaded = new Map<Encoding, Promise<CountBytes>>();

/** Loads a counter for bytes of UTF-8. It is exact, and takes almost linear time for any text. */
export function loadByteCounter(encoding: Encoding): Promise<CountBytes> {
  const counter = loaded.get(encoding) ?? load(encoding);
  loaded.set(encoding, counter);
  return counter;
}

/**
 * Loads a counter for strings. The tables are large, so they are loaded only when needed. Special tokens such as
 * `<|endoftext|>` are counted as plain text.
 */
export async function loadTokenCounter(encoding = DEFAULT_ENCODING): Promise<CountTokens> {
  const count = await loadByteCounter(encoding);
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(SCRATCH_CHARACTERS * MAX_BYTES_A_CHARACTER);
  return (text) => {
    if (text.length <= SCRATCH_CHARACTERS)
      return count(scratch, 0, encoder.encodeInto(text, scratch).written);
    const bytes = encoder.encode(text);
    return count(bytes, 0, bytes.length);
  };
}

async function load(encoding: Encoding): Promise<CountBytes> {
  const [{ createCounter }, { poolOf, unpackPool }, ranks] = await Promise.all([
    import('./tokens/create-counter.ts'),
    import('./tokens/rank-table.ts'),
    encoding === 'o200k_base'
      ? import('gpt-tokenizer/bpeRanks/o200k_base')
      : import('gpt-tokenizer/bpeRanks/cl100k_base'),
  ]);
  // The build replaces the list by a packed pool.
  const given: Vocabulary | PackedPool = ranks.default;
  const pool = given instanceof Uint8Array ? unpackPool(given) : poolOf(given);
  return createCounter(pool, RULES[encoding]);
}
