import type { Measure } from '../fit/measure.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Role } from '../roles/role.ts';
import { type FittedPrompt, fitPrompt } from './fit-prompt.ts';
import type { GatheredParts } from './gather-parts.ts';
import { PROTECTED_KEYS } from './part-order.ts';
import type { Prompt } from './prompt.ts';
import { CHARACTERS_PER_TOKEN, OVERHEAD_WARNING, TEMPLATE_OVERHEAD_CHARACTERS } from './prompt-limits.ts';
import { tokensOf, unitsPerToken } from './prompt-measure.ts';
import { promptPackageId } from './prompt-package-id.ts';

const MOST_ROUNDS = 4;

/** What is known of a prompt once its text is. */
export type Made = Omit<Prompt, 'role' | 'tokenBudget' | 'patterns' | 'template'>;

/** The template around the files costs what it costs: the files get the rest, and the whole is measured. */
export function fitTemplate(
  gathered: GatheredParts,
  role: Role,
  frame: string,
  render: (context: string) => string,
  tokenBudget: number,
  measure: Measure,
): Made {
  const budget = tokenBudget * unitsPerToken(measure);
  const reserve = (TEMPLATE_OVERHEAD_CHARACTERS / CHARACTERS_PER_TOKEN) * unitsPerToken(measure);
  let limit = Math.max(0, budget - Math.max(reserve, measure.count(frame)));
  for (let round = 1; ; round += 1) {
    const fitted = fitFileContext(gathered, role, limit, measure);
    const text = render(fitted.text);
    const over = measure.count(text) - budget;
    if (over <= 0 || limit === 0 || round === MOST_ROUNDS)
      return {
        text,
        packageId: promptPackageId(fitted.packed),
        tokenCount: tokensOf(text, measure),
        parts: [...templateParts(frame, measure), ...fitted.parts],
        diagnostics: over > 0 ? [overBudget(role, tokensOf(text, measure), tokenBudget)] : [],
      };
    limit = Math.max(0, limit - over);
  }
}

function templateParts(frame: string, measure: Measure): Prompt['parts'] {
  return [{ key: 'template', state: 'protected', tokens: tokensOf(frame, measure), files: [] }];
}

/** The files alone; a warning where a template leaves no room for any. */
export function fitFileContext(
  gathered: GatheredParts,
  role: Role,
  limit: number,
  measure: Measure,
): FittedPrompt {
  const hasRequired = gathered.parts.some(({ key }) => PROTECTED_KEYS.has(key));
  if (limit > 0 || hasRequired) return fitPrompt([], gathered, role.context.priorityOrder, limit, measure);
  const parts = gathered.parts.map(({ key, text }) => {
    return { key, state: 'pruned' as const, tokens: tokensOf(text, measure), files: [] };
  });
  return { text: OVERHEAD_WARNING, packed: '', parts };
}

function overBudget({ name }: Role, tokens: number, budget: number): Diagnostic {
  const message = `what must be in the prompt has ${tokens} tokens, and the budget of ${name} is ${budget}`;
  return { code: 'prompt-over-budget', severity: 'warning', message };
}
