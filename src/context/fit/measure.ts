import type { CountTokens } from './count-tokens.ts';
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
