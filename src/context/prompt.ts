import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OpenScan } from '../scan/index.ts';
import { type Measure, tokensOf, unitsPerToken } from './fit/index.ts';
import {
  type FittedPrompt,
  fitPrompt,
  gatherParts,
  type PartsRequest,
  type Prompt,
  type PromptPart,
  type SourcePart,
} from './prompt/index.ts';
import type { Role } from './roles/index.ts';

/** A request for a prompt. */
export interface PromptRequest extends PartsRequest {
  readonly frame: PromptFrame;
  /** Keys of parts that may be shortened and are never left out. */
  readonly keep: readonly string[];
  /** The measure of the budget; its tables may still be loading. */
  readonly measuring: Promise<Measure>;
}

/** The text around the parts of a prompt, and the room for them. */
export interface PromptFrame {
  /** The name of the template; null for a prompt without one. */
  readonly template: string | null;
  /** Parts that come before all others and belong to the frame: the role's instructions, the task. */
  readonly leading?: readonly SourcePart[];
  /** Puts the parts into the template. */
  readonly render?: (context: string) => string;
  /** How the receipts call what `render` adds. */
  readonly rendered?: { readonly key: string; readonly isBehind: boolean };
  /** The most tokens that the text may have. */
  readonly tokens: number;
}

/** The recipe for the prompt of a role: gather, price, fit, render, account. */
export async function composePrompt(request: PromptRequest, scan: OpenScan): Promise<Prompt> {
  const { role, frame, keep, tokenBudget } = request;
  const { leading = [], render, template } = frame;

  // Gather: the files, the change and the texts that the role asks for, each as a part that can be shortened.
  const gathered = await gatherParts(scan, request);

  // Price and fit: the parts share the room in the role's order. Every attempt is rendered, and its count decides.
  const measure = await request.measuring;
  const fitted = fitPrompt({
    parts: [...leading, ...gathered.parts],
    roleOrder: role.context.priorityOrder,
    limit: frame.tokens * unitsPerToken(measure),
    measure,
    keep: new Set(keep),
    ...(render ? { render } : {}),
  });

  // Account: what each part costs, what was left out, and whether even the required parts are too much.
  const tokenCount = tokensOf(fitted.text, measure);
  const over = fitted.isOver ? [overBudget(role, tokenCount, frame.tokens)] : [];
  return {
    ...{ text: fitted.text, tokenCount, tokenBudget, role: role.name, template },
    packageId: packageIdOf(fitted, leading),
    parts: withFrame(fitted.parts, frame, measure),
    patterns: gathered.patterns,
    diagnostics: [...gathered.diagnostics, ...over],
  };
}

/** The parts, with what the template costs before or after them. */
function withFrame(parts: readonly PromptPart[], frame: PromptFrame, measure: Measure): PromptPart[] {
  const { render, rendered: { key = 'template', isBehind = false } = {} } = frame;
  if (!render) return [...parts];
  const around: PromptPart = { key, state: 'protected', tokens: tokensOf(render(''), measure), files: [] };
  return isBehind ? [...parts, around] : [around, ...parts];
}

/** Names what a prompt shows: prompts with the same context have the same id, whatever their task and template. */
function packageIdOf({ shown }: FittedPrompt, leading: readonly SourcePart[]): string {
  const isLeading = (key: string) => leading.some((part) => part.key === key);
  const packed = [...shown].flatMap(([key, { text }]) => (isLeading(key) ? [] : [text]));
  return createHash('sha256').update(packed.join('\n\n')).digest('hex');
}

function overBudget({ name }: Role, tokens: number, budget: number): Diagnostic {
  const message = `the required parts of the prompt have ${tokens} tokens, but the budget of ${name} is ${budget}`;
  return { code: 'prompt-over-budget', severity: 'warning', message };
}
