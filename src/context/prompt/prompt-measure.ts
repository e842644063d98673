import { loadTokenCounter } from '../fit/count-tokens.ts';
import { CHARACTERS, type Measure, tokensMeasure } from '../fit/measure.ts';
import { CHARACTERS_PER_TOKEN } from './prompt-limits.ts';

/** Tokens as models count them, or four characters for each. */
export type MeasureName = 'tokens' | 'estimate';

/** A measure that remembers its counts: the same large parts are measured whenever the rest around them changes. */
export async function loadMeasure(kind: MeasureName = 'tokens'): Promise<Measure> {
  if (kind === 'estimate') return CHARACTERS;
  const count = await loadTokenCounter('o200k_base');
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
