import type { CountBytes } from './tokens/create-counter.ts';
import type { PieceRules } from './tokens/piece-end.ts';
import type { PackedPool, Vocabulary } from './tokens/rank-table.ts';

/** The public encodings whose counts are exact. */
export const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;
export type Encoding = (typeof ENCODINGS)[number];
/** Counts when no model is named. */
export const DEFAULT_ENCODING: Encoding = 'o200k_base';

export type CountTokens = (text: string) => number;

const RULES: Readonly<Record<Encoding, PieceRules>> = {
  o200k_base: { splitsAtCapitals: true, contractionsJoin: true, slashFollowsBreak: true, marksJoin: true },
  cl100k_base: {
    splitsAtCapitals: false,
    contractionsJoin: false,
    slashFollowsBreak: false,
    marksJoin: false,
  },
};

/** Texts up to this many characters are counted in a place that is there already. */
const SCRATCH_CHARACTERS = 64 * 1024;
const MAX_BYTES_A_CHARACTER = 3;

const loaded = new Map<Encoding, Promise<CountBytes>>();

/** Counts bytes of UTF-8 with one encoding, exactly and in almost linear time whatever the text. */
export function loadByteCounter(encoding: Encoding): Promise<CountBytes> {
  const counter = loaded.get(encoding) ?? load(encoding);
  loaded.set(encoding, counter);
  return counter;
}

/**
 * The same for text. The tables take a moment to load, so they wait until they are needed. Special tokens spelled
 * out in a text are plain text.
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
  // the build puts a packed pool in the place of the list
  const given: Vocabulary | PackedPool = ranks.default;
  const pool = given instanceof Uint8Array ? unpackPool(given) : poolOf(given);
  return createCounter(pool, RULES[encoding]);
}
