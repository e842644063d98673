import { fitRendered } from '../fit/fit-rendered.ts';
import type { Measure } from '../fit/measure.ts';
import type { TextPart } from './extra-parts.ts';
import { PROTECTED_KEYS } from './part-order.ts';
import { OVER_BUDGET_WARNING } from './prompt-limits.ts';

export interface PartsFit {
  readonly text: string;
  /** Keys of the parts that are in. */
  readonly kept: ReadonlySet<string>;
}

const SEPARATOR = '\n\n';

/**
 * Joins parts inside a limit. Whole parts go, the least important first: those that `order` does not list, then from
 * its end. Protected ones stay even above the limit, with a warning behind them.
 */
export function fitPromptParts(
  parts: readonly TextPart[],
  limit: number,
  order: readonly string[],
  measure: Measure,
): PartsFit {
  const isKept = ({ key }: TextPart) => PROTECTED_KEYS.has(key);
  const required = join(parts.filter(isKept));
  const requiredKeys = new Set(parts.filter(isKept).map(({ key }) => key));
  if (measure.count(required) > limit) {
    const text = [required, OVER_BUDGET_WARNING].filter((one) => one !== '').join(SEPARATOR);
    return { text, kept: requiredKeys };
  }
  const overhead = measure.count(SEPARATOR);
  const render = (kept: ReadonlySet<string>) => withNotice(parts, kept);
  const fit = fitRendered({
    parts: parts.map((part) => ({
      id: part.key,
      priority: 0,
      protected: isKept(part),
      forms: [{ name: 'full', cost: measure.count(part.text) }],
    })),
    limit,
    strategy: { kind: 'drop-lowest', order },
    partOverhead: overhead,
    // the notice around no parts is gone when all are in
    overstated: overhead + measure.count(render(new Set())),
    render: (chosen) => render(new Set(chosen.map(({ id }) => id))),
    count: measure.count,
  });
  const kept = new Set(fit.chosen.map(({ id }) => id));
  // with the notice there may be no room for what must stay
  const isComplete = [...requiredKeys].every((key) => kept.has(key));
  return isComplete && (kept.size > 0 || fit.text !== '')
    ? { text: fit.text, kept }
    : { text: required, kept: requiredKeys };
}

function join(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join(SEPARATOR);
}

/** A reader who does not find the change or the test output should know that there is one. */
function withNotice(parts: readonly TextPart[], kept: ReadonlySet<string>): string {
  const out = parts.flatMap(({ key }) => (kept.has(key) || PROTECTED_KEYS.has(key) ? [] : [key]));
  const text = join(parts.filter(({ key }) => kept.has(key)));
  if (out.length === 0) return text;
  const notice = `[Left out for the token budget: ${out.join(', ')}]`;
  return text === '' ? notice : `${text}${SEPARATOR}${notice}`;
}
