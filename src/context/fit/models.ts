// Facts about models: the size of their window and how their tokens are counted. Also reads budgets such as
// `30k` and `50%`.

import { LoadoutError } from '../../model/loadout-error.ts';
import { readQuantity, TOKEN_UNITS } from '../../schema/text-values.ts';
import { nearestName } from '../../schema/value-issues.ts';
import { type CountTokens, DEFAULT_ENCODING, type Encoding, loadTokenCounter } from './count-tokens.ts';

/** A model that the user named. */
export interface Model {
  /** As the user wrote it. */
  readonly name: string;
  /** In tokens, for input and output together. */
  readonly window: number;
  /** The encoding that is counted with. */
  readonly encoding: Encoding;
  /** Estimated tokens for each counted one; 1 when the model uses this encoding itself. */
  readonly factor: number;
  /** Counts are not estimates. */
  readonly exact: boolean;
}

/** Models with the same window and tokenizer, found by their name. */
interface ModelFamily {
  readonly pattern: RegExp;
  readonly window: number;
  readonly encoding: Encoding;
  readonly factor?: number;
  /** A name for the hint about unknown models. */
  readonly example: string;
}

/**
 * Claude's tokenizer is not public. Comparisons with GPT-4o found 16 % more tokens for English and 21 to 30 % more for
 * code. 1.4 is the highest of these plus a margin.
 */
const CLAUDE_FACTOR = 1.4;
/** Since Opus 4.7 the vendor states up to 1.35 times as many tokens as before: 1.3 x 1.35. */
const NEW_CLAUDE_FACTOR = 1.75;
/** One repository had 1.19 times as many tokens as in `o200k_base` (repomix issue 476); the rest is a margin. */
const GEMINI_FACTOR = 1.3;

/** The first pattern that matches decides, so the narrow ones come first. */
const FAMILIES: readonly ModelFamily[] = [
  { pattern: /^gpt-3\.5/, window: 16_385, encoding: 'cl100k_base', example: 'gpt-3.5-turbo' },
  { pattern: /^gpt-4-32k/, window: 32_768, encoding: 'cl100k_base', example: 'gpt-4-32k' },
  {
    pattern: /^gpt-4-(turbo|\d{4}-.*preview)/,
    window: 128_000,
    encoding: 'cl100k_base',
    example: 'gpt-4-turbo',
  },
  { pattern: /^gpt-4(-\d{4})?$/, window: 8_192, encoding: 'cl100k_base', example: 'gpt-4' },
  { pattern: /^(chatgpt-|gpt-)4(o|\.5)/, window: 128_000, encoding: 'o200k_base', example: 'gpt-4o' },
  { pattern: /^gpt-4\.1/, window: 1_047_576, encoding: 'o200k_base', example: 'gpt-4.1' },
  { pattern: /^gpt-5(\.\d)?-chat/, window: 128_000, encoding: 'o200k_base', example: 'gpt-5-chat-latest' },
  {
    pattern: /^gpt-5\.[4-9](-(pro|luna|sol|terra|20).*)?$/,
    window: 1_050_000,
    encoding: 'o200k_base',
    example: 'gpt-5.5',
  },
  { pattern: /^gpt-5/, window: 400_000, encoding: 'o200k_base', example: 'gpt-5' },
  { pattern: /^gpt-oss/, window: 131_072, encoding: 'o200k_base', example: 'gpt-oss-120b' },
  { pattern: /^o1-(mini|preview)/, window: 128_000, encoding: 'o200k_base', example: 'o1-mini' },
  { pattern: /^(o[134]|codex)\b/, window: 200_000, encoding: 'o200k_base', example: 'o3' },
  {
    pattern: /claude.*(opus-(4-[7-9]|[5-9])|fable)/,
    window: 1_000_000,
    encoding: 'o200k_base',
    factor: NEW_CLAUDE_FACTOR,
    example: 'claude-opus-4-8',
  },
  {
    pattern: /(claude|sonnet|opus).*\[1m\]$/,
    window: 1_000_000,
    encoding: 'o200k_base',
    factor: NEW_CLAUDE_FACTOR,
    example: 'sonnet[1m]',
  },
  {
    pattern: /claude-(3|.*-4-)/,
    window: 200_000,
    encoding: 'o200k_base',
    factor: CLAUDE_FACTOR,
    example: 'claude-sonnet-4-5',
  },
  // A bare name means another version every few months: take the smaller window and the larger factor.
  {
    pattern: /claude|^(opus|sonnet|haiku|fable)$/,
    window: 200_000,
    encoding: 'o200k_base',
    factor: NEW_CLAUDE_FACTOR,
    example: 'claude',
  },
  {
    pattern: /gemini/,
    window: 1_048_576,
    encoding: 'o200k_base',
    factor: GEMINI_FACTOR,
    example: 'gemini-2.5-pro',
  },
];

/** Looks up a model by its name, with or without a provider in front. Throws for an unknown name. */
export function resolveModel(name: string): Model {
  const plain = name.trim().toLowerCase().split('/').at(-1)!;
  const family = FAMILIES.find(({ pattern }) => pattern.test(plain));
  if (!family) {
    const examples = FAMILIES.map(({ example }) => example);
    const nearest = nearestName(plain, examples);
    throw new LoadoutError('unknown-model', `unknown model ${JSON.stringify(name)}`, {
      subject: '--model',
      hint: `${nearest ? `did you mean ${nearest}? ` : ''}known are, among others: ${examples.join(', ')}; or give the budget in tokens without a model`,
    });
  }
  const { window, encoding, factor = 1 } = family;
  return { name, window, encoding, factor, exact: factor === 1 };
}

/** The part of a model that counting needs. */
export type Counting = Pick<Model, 'encoding' | 'factor'>;

/**
 * The one place that chooses a token counter: the one for the model, or the default. It is exact for public encodings.
 * For others it is an estimate that is more likely too high than too low.
 */
export async function loadModelCounter({ encoding, factor }: Counting = NO_MODEL): Promise<CountTokens> {
  const count = await loadTokenCounter(encoding);
  return factor === 1 ? count : (text) => Math.ceil(count(text) * factor);
}

/** For texts that are not written for a certain model. */
export const NO_MODEL: Counting = { encoding: DEFAULT_ENCODING, factor: 1 };

const HINT = "give tokens such as 30000 or 30k, or a share of the model's window such as 50% with --model";

/** Reads `30k`, `100000` or, with a model, `50%` of its window. The result is in tokens and never above the window. */
export function parseBudget(text: string, model?: Model): number {
  const written = text.trim();
  const share = /^(\d+(?:\.\d+)?) ?%$/.exec(written)?.[1];
  const tokens =
    share === undefined ? readQuantity(written, TOKEN_UNITS) : shareOf(written, Number(share), model);
  if (tokens === undefined) throw refuse(written, 'is not a number of tokens');
  if (tokens < 1) throw refuse(written, 'leaves room for nothing: at least 1 token is needed');
  if (model && tokens > model.window) {
    throw refuse(written, `is more than ${model.name} takes: its window is ${model.window} tokens`);
  }
  return tokens;
}

function shareOf(written: string, share: number, model: Model | undefined): number {
  if (!model)
    throw refuse(written, 'is a percentage, and a percentage needs --model', 'such as: --model gpt-5');
  if (share > 100) throw refuse(written, `is more than the whole window of ${model.name}`);
  return Math.floor((model.window * share) / 100);
}

function refuse(written: string, why: string, hint = HINT): LoadoutError {
  return new LoadoutError('bad-budget', `the budget ${JSON.stringify(written)} ${why}`, {
    subject: '--budget',
    hint,
  });
}
