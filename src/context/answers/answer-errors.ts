import { LoadoutError } from '../../model/loadout-error.ts';
import type { ValueIssue } from '../../schema/value-issues.ts';

export type ParsingErrorCode =
  | 'answer-not-found'
  | 'answer-cut-off'
  | 'answer-ambiguous'
  | 'answer-too-large'
  | 'answer-not-json';

/** There is no answer that could be read. */
export class ParsingError extends LoadoutError {
  /** Short, to be sent back to the model as it is. */
  readonly feedback: string;

  constructor(code: ParsingErrorCode, message: string, feedback: string) {
    super(code, message, { subject: 'answer', hint: feedback });
    this.feedback = feedback;
  }
}

/** The answer was read and is not what the role asks for. */
export class InvalidOutputError extends LoadoutError {
  /** Short, to be sent back to the model as it is. */
  readonly feedback: string;
  /** The first hundred of them. */
  readonly issues: readonly ValueIssue[];

  constructor(message: string, feedback: string, issues: readonly ValueIssue[]) {
    super('answer-invalid', message, { subject: 'answer', hint: feedback });
    this.feedback = feedback;
    this.issues = issues;
  }
}

export const ANSWER_RULE =
  'End your response with one fenced code block labelled json (a line ```json, the JSON object, a line ```), ' +
  'not indented and not inside another fence.';
