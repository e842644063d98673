import { type CountTokens, loadTokenCounter } from './count-tokens.ts';

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

/** Enough for any text: each round at least halves what is still open every other time. */
const MAX_PROBES = 40;
/** The share of the limit that is not worth another probe. */
const CLOSE_ENOUGH = 0.002;
/** In characters, in either encoding: a text of more than so many for each token need not be counted whole. */
const MAX_TOKEN = 128;

/**
 * The beginning of a text with a marker behind it, together within the limit; the text itself when it fits.
 * Empty when not even the marker fits: a beginning that does not say it is one would mislead.
 */
export function cutToCharacters(text: string, limit: number, marker = ''): string {
  if (text.length <= limit) return text;
  if (marker.length > limit) return '';
  return text.slice(0, wholeCharacters(text, Math.floor(limit) - marker.length)) + marker;
}

/** The same in bytes of UTF-8. */
export function cutToBytes(text: string, limit: number, marker = ''): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = Math.floor(limit) - Buffer.byteLength(marker);
  if (room < 0) return '';
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(room)).read) + marker;
}

/** The same in tokens, or in whatever else `count` counts. */
export function cutToTokens(text: string, limit: number, count: CountTokens, marker = ''): string {
  if (text.length <= limit * MAX_TOKEN && count(text) <= limit) return text;
  if (count(marker) > limit) return '';
  const cut = (end: number) => text.slice(0, wholeCharacters(text, end)) + marker;
  let fits = 0;
  let fitsCount = count(marker);
  let over = text.length + 1;
  let guess = Math.floor(limit * CHARACTERS_PER_TOKEN);
  for (let probe = 0; probe < MAX_PROBES && over - fits > 1; probe++) {
    if (limit - fitsCount <= limit * CLOSE_ENOUGH) break;
    const end = Math.min(Math.max(guess, fits + 1), over - 1);
    const tokens = count(cut(end));
    if (tokens <= limit) {
      fits = end;
      fitsCount = tokens;
    } else over = end;
    const perToken = end / Math.max(1, tokens);
    // what was seen so far tells best, unless it misleads: then halving gets there as well
    guess = probe % 2 === 0 ? Math.floor(end + (limit - tokens) * perToken) : Math.floor((fits + over) / 2);
    if (over > text.length && guess <= fits) guess = fits * 2;
  }
  return cut(fits);
}

/**
 * The beginning and the end of a text, about so many bytes and characters of it, with a line between them that says how
 * many bytes are left out. The text itself when it is no longer than that.
 */
export function keepEnds(
  text: string,
  headBytes: number,
  tailCharacters: number,
  notice: (leftBytes: number) => string,
): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= headBytes + tailCharacters) return text;
  const head = cutToBytes(text, headBytes);
  // Not the second half of a pair.
  const tail = text.slice(-tailCharacters).replace(/^[\udc00-\udfff]/, '');
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return left <= 0 ? text : `${head}\n${notice(left)}\n${tail}`;
}

/** A cut between the two halves of a character moves in front of it. */
function wholeCharacters(text: string, end: number): number {
  const splits = isHighHalf(text.charCodeAt(end - 1)) && isLowHalf(text.charCodeAt(end));
  return splits ? end - 1 : end;
}

const isHighHalf = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLowHalf = (code: number) => code >= 0xdc00 && code < 0xe000;
