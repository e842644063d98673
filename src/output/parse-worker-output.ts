import { ANSWER_RULE, ParsingError } from './answer-errors.ts';
import { checkAnswer } from './check-answer.ts';
import { type AnswerSearch, findAnswerBlock } from './find-answer-block.ts';
import { parseAnswerJson } from './parse-answer-json.ts';
import type { ObjectSchema } from './schema/object-schema.ts';

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
    return new ParsingError('answer-too-large', what, `${what} Say it shorter.`);
  }
  if (search.kind === 'cut-off') {
    const where = `the fence ${search.fence} opened on line ${search.line} is never closed`;
    return new ParsingError(
      'answer-cut-off',
      `The answer is cut off: ${where}.`,
      `Your answer is cut off: ${where}. Send the whole answer again, shorter if need be. ${ANSWER_RULE}`,
    );
  }
  const found = nearMissText(search);
  return new ParsingError(
    'answer-not-found',
    `No JSON block found in worker output: expected a closed fenced block labelled json, got ${found}.`,
    `Your answer has no JSON block: there is ${found}. ${ANSWER_RULE}`,
  );
}

function nearMissText({ blocks, nearMiss }: Extract<AnswerSearch, { kind: 'none' }>): string {
  if (nearMiss?.reason === 'inside-another-fence')
    return `one on line ${nearMiss.line}, inside another fence`;
  if (nearMiss) return `one on line ${nearMiss.line}, indented by four columns or more`;
  if (blocks > 0) return `${blocks} fenced ${blocks === 1 ? 'block' : 'blocks'} without that label`;
  return 'text without a fenced block';
}
