import { fitRendered } from '../fit/fit-rendered.ts';
import type { ChosenPart, FitStrategy, Part } from '../fit/part.ts';
import type { BuiltForm, Candidate } from './item-forms.ts';
import type { PackStrategy } from './package-request.ts';

/** A candidate with the forms it may take, best first. */
export interface PricedCandidate {
  readonly candidate: Candidate;
  readonly forms: readonly BuiltForm[];
}

export interface ChosenForm {
  readonly candidate: Candidate;
  readonly form: BuiltForm;
}

export interface CandidatesFit {
  readonly chosen: readonly ChosenForm[];
  /** Never above the limit; empty when not even the frame fits. */
  readonly text: string;
  readonly tokens: number;
}

const STRATEGIES: Readonly<Record<PackStrategy, FitStrategy>> = {
  value: { kind: 'value' },
  relevance: { kind: 'relevance' },
  signature_only: { kind: 'relevance', forms: ['signatures', 'mention'] },
};
/** Targets, then what is always included; the others by their need, which is at most 1. */
const PRIORITY = { target: 3, always: 2 };

/** Chooses files and forms together, so that the rendered package is inside the limit. */
export function fitCandidates(
  priced: readonly PricedCandidate[],
  strategy: PackStrategy,
  limit: number,
  render: (chosen: readonly ChosenForm[]) => string,
  count: (text: string) => number,
): CandidatesFit {
  const asForms = (parts: readonly ChosenPart[]): ChosenForm[] =>
    parts.map(({ index, form }) => {
      const { candidate, forms } = priced[index]!;
      return { candidate, form: forms.find(({ name }) => name === form)! };
    });
  const fit = fitRendered({
    parts: priced.map(partOf),
    limit,
    strategy: STRATEGIES[strategy],
    render: (parts) => render(asForms(parts)),
    count,
  });
  return { chosen: asForms(fit.chosen), text: fit.text, tokens: fit.used };
}

function partOf({ candidate, forms }: PricedCandidate): Part {
  const { origin, need, source, isAsked } = candidate;
  return {
    id: source.path,
    priority: isAsked ? PRIORITY[origin === 'target' ? 'target' : 'always'] : need,
    protected: isAsked,
    forms: forms.map(({ name, item, value }) => ({ name, cost: item.tokens, value })),
  };
}
