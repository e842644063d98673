// The units of a limit (tokens, characters, bytes), and cutting a text to a limit. A cut never splits a character.

import { type CountTokens, loadTokenCounter } from './count-tokens.ts';

/** A unit for limits: tokens, bytes or characters. */
export interface Measure {
  readonly unit: 'tokens' | 'bytes' | 'characters';
  /** The size of a text in this unit. */
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

/** UTF-16 units, as `length` counts them. */
export const CHARACTERS: Measure = {
  unit: 'characters',
  count: (text) => text.length,
  cut: cutToCharacters,
};

/** Tokens, as the given function counts them. */
export const tokensMeasure = (count: CountTokens): Measure => ({
  unit: 'tokens',
  count,
  cut: (text, limit, marker) => cutToTokens(text, limit, count, marker),
});

/** A rough value for text and code. Use it for estimates, never for exact counts. */
export const CHARACTERS_PER_TOKEN = 4;

/** `tokens`: as models count them. `estimate`: four characters for each token. */
export type MeasureName = 'tokens' | 'estimate';

/** Loads a measure that remembers its counts: fitting counts the same large parts again and again. */
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

/** How many units of a measure make one token. */
export const unitsPerToken = ({ unit }: Measure): number =>
  unit === 'characters' ? CHARACTERS_PER_TOKEN : 1;

/** The tokens of a text in any measure, rounded up. */
export const tokensOf = (text: string, measure: Measure): number =>
  Math.ceil(measure.count(text) / unitsPerToken(measure));

/** Enough for any text: every second probe halves the range. */
const MAX_PROBES = 40;
/** A result this close to the limit, as a share of it, needs no further probe. */
const CLOSE_ENOUGH = 0.002;
/** The length of the longest token in characters. A text with more characters per token of the limit cannot fit. */
const MAX_TOKEN = 128;

/**
 * The beginning of a text with a marker after it, together within the limit. A text that fits is returned as it is.
 * Empty when not even the marker fits: a cut text without a mark would mislead its reader.
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

/** The same in tokens. `count` may count any other unit that grows with the text. */
export function cutToTokens(text: string, limit: number, count: CountTokens, marker = ''): string {
  if (text.length <= limit * MAX_TOKEN && count(text) <= limit) return text;
  if (count(marker) > limit) return '';
  const cut = (end: number) => text.slice(0, wholeCharacters(text, end)) + marker;
  // Search the largest end between `fits` and `over`.
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
    // The ratio seen so far gives the best guess. Where it misleads, every second probe halves the range instead.
    guess = probe % 2 === 0 ? Math.floor(end + (limit - tokens) * perToken) : Math.floor((fits + over) / 2);
    if (over > text.length && guess <= fits) guess = fits * 2;
  }
  return cut(fits);
}

/**
 * The beginning and the end of a text, with a line between them that says how many bytes are left out. A text that is
 * no longer than both together is returned as it is.
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
  // The tail must not begin with the second half of a surrogate pair.
  const tail = text.slice(-tailCharacters).replace(/^[\udc00-\udfff]/, '');
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return left <= 0 ? text : `${head}\n${notice(left)}\n${tail}`;
}

/** Moves a cut between the two halves of a surrogate pair in front of the pair. */
function wholeCharacters(text: string, end: number): number {
  const splits = isHighHalf(text.charCodeAt(end - 1)) && isLowHalf(text.charCodeAt(end));
  return splits ? end - 1 : end;
}

const isHighHalf = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLowHalf = (code: number) => code >= 0xdc00 && code < 0xe000;
