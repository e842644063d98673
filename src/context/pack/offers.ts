import type { Candidate, FormOffer } from './item-forms.ts';
import type { PackStrategy } from './package-request.ts';

/** Roughly; what is worked out is counted exactly. */
const CHARACTERS_PER_TOKEN = 4;
/** A file takes more of the budget than this only if it is likely enough to be needed. */
const USUAL_SHARE = 0.05;
const SHARE_FOR_NEED = 1.5;
const FEW_SIZES = 2;
const SOME_SIZES = 4;
/** Above these a file gets more sizes of excerpt to choose from. */
const UNLIKELY = 0.01;
const LIKELY = 0.05;

/**
 * Which forms to work out for each candidate, in their order. Whole files are for those that may well be needed, for
 * small ones, and for as many of the first as the budget would hold if all were whole.
 */
export function offersFor(
  candidates: readonly Candidate[],
  strategy: PackStrategy,
  budget: number,
): FormOffer[] {
  if (strategy !== 'value')
    return candidates.map(() => ({
      whole: strategy === 'relevance',
      signatures: true,
      excerpts: strategy === 'relevance' ? SOME_SIZES : 0,
    }));
  let all = 0;
  return candidates.map(({ source, need, isAsked }) => {
    const tokens = source.text.length / CHARACTERS_PER_TOKEN;
    all += tokens;
    const share = Math.max(USUAL_SHARE, Math.min(1, need * SHARE_FOR_NEED));
    const whole = isAsked || all <= budget || tokens <= budget * share;
    const excerpts = need < UNLIKELY && !isAsked ? FEW_SIZES : need < LIKELY ? SOME_SIZES : Infinity;
    return { whole, signatures: isAsked, excerpts };
  });
}
