// Answers: the JSON that an agent returns for a task. One schema for each role, and the readers that check against it.
export {
  type AnsweringRole,
  type AnyAnswer,
  answerSchemaFor,
  type GenericOutput,
  genericOutput,
  type ImplementationOutput,
  implementationOutput,
  type PlanOutput,
  planOutput,
  type ReviewIssue,
  type ReviewOutput,
  reviewOutput,
} from './answer-schemas.ts';
export {
  ANSWER_RULE,
  InvalidOutputError,
  ParsingError,
  parseNative,
  parseNativeText,
  parseRoleOutput,
  parseWorkerOutput,
} from './parse-worker-output.ts';
export { plainJson, showRefusal } from './plain-json.ts';
