export { ANSWER_RULE, InvalidOutputError, ParsingError } from './answer-errors.ts';
export { type AnsweringRole, type AnyAnswer, answerSchemaFor, parseRoleOutput } from './answer-schema-for.ts';
export {
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
export { parseNative, parseNativeText } from './parse-native.ts';
export { parseWorkerOutput } from './parse-worker-output.ts';
export { plainJson, showRefusal } from './plain-json.ts';
