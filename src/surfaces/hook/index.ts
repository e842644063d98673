export { answerHook } from './answer-hook.ts';
export { readClient } from './hook-call.ts';
export { type HookLogEntry, logHook } from './hook-log.ts';
export {
  type AnswerRecord,
  type FileRecord,
  type HookRecord,
  listHookRepositories,
  readHookLog,
  readHookRecords,
} from './hook-records.ts';
export { rememberPackage, SHOWN_ID_LENGTH } from './report-gap.ts';
export { DEFAULT_TIMEOUT_MS } from './run-hook.ts';
