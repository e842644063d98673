import { loadTokenCounter } from '../fit/count-tokens.ts';
import { CHARACTERS, type Measure, tokensMeasure } from '../fit/measure.ts';
import { type CountMemory, createCountMemory } from './count-memory.ts';
import { CHARACTERS_PER_TOKEN } from './prompt-limits.ts';

/** Tokens as models count them, or four characters for each. */
export type MeasureName = 'tokens' | 'estimate';

/** The same large parts are weighed whenever the rest around them changes, and again for the next prompt. */
export async function loadMeasure(
  kind: MeasureName = 'tokens',
  memory: CountMemory = createCountMemory(),
): Promise<Measure> {
  if (kind === 'estimate') return CHARACTERS;
  const count = await loadTokenCounter('o200k_base');
  return tokensMeasure((text) => memory.count(text, count));
}

export const unitsPerToken = ({ unit }: Measure): number =>
  unit === 'characters' ? CHARACTERS_PER_TOKEN : 1;

export const tokensOf = (text: string, measure: Measure): number =>
  Math.ceil(measure.count(text) / unitsPerToken(measure));
