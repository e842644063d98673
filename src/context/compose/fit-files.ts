import type { ContextItem, LineSpan } from '../../model/context-pack.ts';
import { type ChosenPart, type FitStrategy, fitRendered, type Part } from '../fit/index.ts';
import type { PackStrategy } from '../pack/index.ts';
import { excerptOf } from './excerpt.ts';
import { type BuiltForm, type Candidate, type FormOptions, type PricedFile, priced } from './file-forms.ts';
import { atTightPrice } from './worth.ts';

/** A file in the form that it is shown in. */
export interface ChosenForm {
  readonly candidate: Candidate;
  readonly form: BuiltForm;
}

export interface FittedFiles {
  readonly chosen: readonly ChosenForm[];
  /** Never above the limit; empty when not even the frame fits. */
  readonly text: string;
  readonly tokens: number;
}

/** A choice as text. The text decides whether it fits, not the sum of the prices. */
export interface TextOfChoice {
  textFor(chosen: readonly ChosenForm[]): string;
  /** Costs next to nothing for the text that was made last. */
  countText(text: string): number;
  /** Tokens of an item besides its own text, such as its line in the table of contents. */
  besideItem?(item: ContextItem): number;
}

const STRATEGIES: Readonly<Record<PackStrategy, FitStrategy>> = {
  value: { kind: 'value' },
  relevance: { kind: 'relevance' },
  signature_only: { kind: 'relevance', forms: ['signatures', 'mention'] },
};
/** Targets, then what is always included; the others by their need, which is at most 1. */
const PRIORITY = { target: 3, always: 2 };

/** A package of this share of its budget would have had more to say. */
const NEARLY_FULL = 0.9;

/** Chooses what is worth its tokens. Where that is more than the budget holds, only what is worth a higher price. */
export function fitWorthwhile(
  priced: readonly PricedFile[],
  limit: number,
  draft: TextOfChoice,
): FittedFiles {
  const fitted = fitFiles(priced, 'value', limit, draft);
  if (fitted.tokens < limit * NEARLY_FULL) return fitted;
  return fitFiles(atTightPrice(priced, limit), 'value', limit, draft);
}

/** Chooses files and forms together, so that the rendered package is inside the limit. */
export function fitFiles(
  priced: readonly PricedFile[],
  strategy: PackStrategy,
  limit: number,
  { textFor, countText, besideItem = () => 0 }: TextOfChoice,
): FittedFiles {
  const asForms = (parts: readonly ChosenPart[]): ChosenForm[] =>
    parts.map(({ index, form }) => {
      const { candidate, forms } = priced[index]!;
      return { candidate, form: forms.find(({ name }) => name === form)! };
    });
  const fit = fitRendered({
    parts: priced.map((file) => partOf(file, besideItem)),
    limit,
    strategy: STRATEGIES[strategy],
    render: (parts) => textFor(asForms(parts)),
    count: countText,
  });
  return { chosen: asForms(fit.chosen), text: fit.text, tokens: fit.used };
}

function partOf({ candidate, forms }: PricedFile, besideItem: (item: ContextItem) => number): Part {
  const { origin, need, source, isAsked, wantedForm } = candidate;
  return {
    id: source.path,
    priority:
      isAsked || wantedForm !== undefined ? PRIORITY[origin === 'target' ? 'target' : 'always'] : need,
    // What must have one form cannot be cut to fit: it is in by its value, or out.
    protected: isAsked && wantedForm === undefined,
    forms: forms.map(({ name, item, value }) => ({ name, cost: item.tokens + besideItem(item), value })),
  };
}

/** Room that is left for want of a form of the right size; less is not worth another look. */
const WORTH_USING = 0.03;
/** Excerpts that are tried, best first, and how often each. */
const MAX_EXCERPTS = 6;
const MAX_TRIES = 3;

/** Lets excerpts grow while there is room: they show more lines around those that matter. */
export function fillRemainder(
  fit: FittedFiles,
  options: FormOptions,
  { textFor, countText }: TextOfChoice,
): FittedFiles {
  const { limit } = options;
  const least = limit * WORTH_USING;
  const excerpts = fit.chosen.flatMap(({ form }, at) => (form.item.form === 'excerpt' ? [at] : []));
  let current = fit;
  for (const at of excerpts.slice(0, MAX_EXCERPTS)) {
    let room = limit - current.tokens;
    for (let round = 0; round < MAX_TRIES && room > least; round++) {
      const grown = growExcerpt(current.chosen[at]!, room, options);
      if (grown === null) break;
      const chosen = current.chosen.with(at, grown);
      const text = textFor(chosen);
      const tokens = countText(text);
      if (tokens <= limit) {
        current = { chosen, text, tokens };
        break;
      }
      // more lines may use more of what is defined elsewhere, whose signatures come along
      room -= tokens - limit;
    }
  }
  return current;
}

/** The excerpt with as many lines around it as the room pays for; null when that is none. */
function growExcerpt({ candidate, form }: ChosenForm, room: number, options: FormOptions): ChosenForm | null {
  const { source } = candidate;
  const grownBy = (around: number) => {
    const spans = form.item.spans.map(({ startLine, endLine }): LineSpan => {
      return { startLine: Math.max(1, startLine - around), endLine: endLine + around };
    });
    const { content, lineRuns } = excerptOf(source, spans, 'open');
    return priced({ ...form.item, content, lineRuns }, options.render, options.count);
  };
  let [fits, over] = [0, source.lines.length];
  let best = null;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    const item = grownBy(middle);
    if (item.tokens - form.item.tokens <= room) {
      fits = middle;
      best = item;
    } else over = middle;
  }
  return best === null ? null : { candidate, form: { ...form, item: best } };
}
