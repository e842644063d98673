import type { PieceRules } from './tokens/piece-end.ts';
import type { PackedPool, Vocabulary } from './tokens/token-pool.ts';

/** The public encodings whose counts are exact. */
export const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type CountTokens = (text: string) => number;

const RULES: Readonly<Record<Encoding, Omit<PieceRules, 'pattern'>>> = {
  o200k_base: { splitsAtCapitals: true, contractionsJoin: true, slashFollowsBreak: true },
  cl100k_base: { splitsAtCapitals: false, contractionsJoin: false, slashFollowsBreak: false },
};

const loaded = new Map<Encoding, Promise<CountTokens>>();

/**
 * Counts with one encoding, exactly and in almost linear time whatever the text. The tables take a moment to load,
 * so they wait until they are needed. Special tokens spelled out in a text are plain text.
 */
export function loadTokenCounter(encoding: Encoding): Promise<CountTokens> {
  const counter = loaded.get(encoding) ?? load(encoding);
  loaded.set(encoding, counter);
  return counter;
}

async function load(encoding: Encoding): Promise<CountTokens> {
  const [{ createCounter }, { poolOf, unpackPool }, splits, ranks] = await Promise.all([
    import('./tokens/create-counter.ts'),
    import('./tokens/token-pool.ts'),
    import('gpt-tokenizer/encodingParams/constants'),
    encoding === 'o200k_base'
      ? import('gpt-tokenizer/bpeRanks/o200k_base')
      : import('gpt-tokenizer/bpeRanks/cl100k_base'),
  ]);
  const split = encoding === 'o200k_base' ? splits.O200K_TOKEN_SPLIT_REGEX : splits.CL100K_TOKEN_SPLIT_REGEX;
  // the build puts a packed pool in the place of the list
  const given: Vocabulary | PackedPool = ranks.default;
  const pool = given instanceof Uint8Array ? unpackPool(given) : poolOf(given);
  return createCounter(pool, { ...RULES[encoding], pattern: asPublished(split) });
}

/** The encodings were published for an engine whose `\s` is White_Space: with U+0085, without the byte order mark. */
function asPublished({ source }: RegExp): RegExp {
  const pattern = source.replaceAll('\\s', '\\p{White_Space}').replaceAll('\\S', '\\P{White_Space}');
  return new RegExp(pattern, 'uy');
}
