import type { ObjectSchema } from '../../schema/object-schema.ts';
import { ANSWER_RULE, ParsingError } from './answer-errors.ts';
import { checkAnswer } from './check-answer.ts';
import { type AnswerSearch, findAnswerBlock, type NearMiss } from './find-answer-block.ts';
import { parseAnswerJson } from './parse-answer-json.ts';

/**
 * What a model answered in its text. Only the last closed fenced block labelled json counts: no marker words,
 * no bare JSON. Throws `ParsingError` or `InvalidOutputError`; both carry a `feedback` to send back.
 */
export function parseWorkerOutput<Value>(text: string, schema: ObjectSchema<Value>): Value {
  const search = findAnswerBlock(text);
  if (search.kind !== 'found') throw missingAnswer(search);
  return checkAnswer(parseAnswerJson(search.json), schema);
}

function missingAnswer(search: Exclude<AnswerSearch, { kind: 'found' }>): ParsingError {
  if (search.kind === 'too-large') {
    const what = `The answer is too large: ${search.what}.`;
    return new ParsingError('answer-too-large', what, `${what} Say it shorter. ${ANSWER_RULE}`);
  }
  if (search.kind === 'cut-off') {
    const where = `the fence ${search.fence} opened on line ${search.line} is never closed`;
    return new ParsingError(
      'answer-cut-off',
      `The answer is cut off: ${where}.`,
      `Your answer is cut off: ${where}. Send the whole answer again, shorter if need be. ${ANSWER_RULE}`,
    );
  }
  if (search.kind === 'ambiguous') {
    const what = `the JSON block on line ${search.line} is indented or stands behind other text, and differs from the one on line ${search.other}`;
    return new ParsingError(
      'answer-ambiguous',
      `It is not clear which answer counts: ${what}.`,
      `It is not clear which of your answers counts: ${what}. Send one answer. ${ANSWER_RULE}`,
    );
  }
  const found = nearMissText(search);
  return new ParsingError(
    'answer-not-found',
    `No JSON block found in worker output: expected a closed fenced block labelled json, got ${found}.`,
    `Your answer has no JSON block: there is ${found}. ${ANSWER_RULE}`,
  );
}

const MISSES: Readonly<Record<NearMiss['reason'], string>> = {
  'inside-another-fence': 'inside another fence',
  'no-object': 'without a JSON object behind it',
  'never-closed': 'which is never closed',
};

function nearMissText({ blocks, nearMiss }: Extract<AnswerSearch, { kind: 'none' }>): string {
  if (nearMiss) return `one on line ${nearMiss.line}, ${MISSES[nearMiss.reason]}`;
  if (blocks > 0) return `${blocks} fenced ${blocks === 1 ? 'block' : 'blocks'} without that label`;
  return 'text without a fenced block';
}
