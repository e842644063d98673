import { type CountTokens, loadTokenCounter } from './count-tokens.ts';
import { cutToBytes, cutToCharacters, cutToTokens } from './cut-text.ts';

/** What a limit is counted in. */
export interface Measure {
  readonly unit: 'tokens' | 'bytes' | 'characters';
  count(text: string): number;
  /** The text cut to the limit, the marker included. */
  cut(text: string, limit: number, marker: string): string;
}

/** Bytes of UTF-8. */
export const BYTES: Measure = {
  unit: 'bytes',
  count: (text) => Buffer.byteLength(text),
  cut: cutToBytes,
};

/** UTF-16 units, as `length` counts them; a pair is never split. */
export const CHARACTERS: Measure = {
  unit: 'characters',
  count: (text) => text.length,
  cut: cutToCharacters,
};

export const tokensMeasure = (count: CountTokens): Measure => ({
  unit: 'tokens',
  count,
  cut: (text, limit, marker) => cutToTokens(text, limit, count, marker),
});

/** Of text and code, roughly: for estimates, never for exact counts. */
export const CHARACTERS_PER_TOKEN = 4;

/** Tokens as models count them, or four characters for each. */
export type MeasureName = 'tokens' | 'estimate';

/** A measure that remembers its counts: the same large parts are measured whenever the rest around them changes. */
export async function loadMeasure(kind: MeasureName = 'tokens'): Promise<Measure> {
  if (kind === 'estimate') return CHARACTERS;
  const count = await loadTokenCounter();
  const known = new Map<string, number>();
  return tokensMeasure((text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  });
}

export const unitsPerToken = ({ unit }: Measure): number =>
  unit === 'characters' ? CHARACTERS_PER_TOKEN : 1;

export const tokensOf = (text: string, measure: Measure): number =>
  Math.ceil(measure.count(text) / unitsPerToken(measure));
