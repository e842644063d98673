import type { CountTokens } from '../context/fit/count-tokens.ts';
import { fitRendered } from '../context/fit/fit-rendered.ts';
import type { ChosenPart, FitReceipt } from '../context/fit/part.ts';
import type { PackSnippet } from './pack-snippet.ts';
import type { ContextPolicy } from './policy/context-policy.ts';

export const PACK_HEADER = '## CONTEXT PACK (BUDGETED)';
const SEPARATOR = '\n\n';
/** A heading, a fence and a few words. */
const SMALLEST_CUT = 64;
const MAX_ROUNDS = 12;

export interface FittedPack {
  readonly text: string;
  readonly receipts: readonly FitReceipt[];
}

/** Fits snippets, the most important first, into all caps of a policy, measured on the finished text. */
export function fitSnippets(
  snippets: readonly PackSnippet[],
  policy: ContextPolicy,
  count: CountTokens,
): FittedPack {
  const { maxTotalChars, maxTotalTokens } = policy;
  let limit = maxTotalChars ?? Number.MAX_SAFE_INTEGER;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fitted = fitCharacters(snippets, policy, limit);
    const tokens = maxTotalTokens === null || fitted.text === '' ? 0 : count(fitted.text);
    if (maxTotalTokens === null || tokens <= maxTotalTokens) return fitted;
    // characters are what texts can be cut in; tokens follow them closely enough to get there in a few rounds
    limit = Math.floor(fitted.text.length * Math.min(0.97, maxTotalTokens / tokens));
  }
  return fitCharacters(snippets, policy, 0);
}

function fitCharacters(snippets: readonly PackSnippet[], policy: ContextPolicy, limit: number): FittedPack {
  const { maxCharsPerItem } = policy;
  const maxItems = policy.maxItems + snippets.filter(({ isResult }) => !isResult).length;
  const whole = snippets.map(({ write }) => write(maxCharsPerItem));
  const textOf = ({ index, cut, cost }: ChosenPart) => (cut ? snippets[index]!.write(cost) : whole[index]!);
  const fit = fitRendered({
    parts: snippets.map(({ id }, at) => ({
      id,
      priority: -at,
      forms: whole[at] === '' ? [] : [{ name: 'excerpt', cost: whole[at]!.length }],
    })),
    limit,
    strategy: { kind: 'latest-first', maxItems, maxPerItem: maxCharsPerItem },
    partOverhead: SEPARATOR.length,
    smallestCut: SMALLEST_CUT,
    render: (chosen) => [PACK_HEADER, ...chosen.map(textOf).filter((text) => text !== '')].join(SEPARATOR),
    count: (text) => text.length,
  });
  // a header over nothing says nothing
  const text = fit.text === PACK_HEADER ? '' : fit.text;
  return { text, receipts: fit.receipts };
}
