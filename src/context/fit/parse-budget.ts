import { LoadoutError } from '../../model/loadout-error.ts';
import { readQuantity, TOKEN_UNITS } from '../../schema/quantity.ts';
import type { Model } from './models.ts';

const HINT = "give tokens such as 30000 or 30k, or a share of the model's window such as 50% with --model";

/** `30k`, `100000` or, of a named model's window, `50%`: as tokens, never more than the model takes. */
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
