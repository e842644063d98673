export { answerHook } from './answer-hook.ts';
export { readClient } from './hook-call.ts';
export {
  type AnswerRecord,
  type FileRecord,
  type HookLogEntry,
  type HookRecord,
  listHookRepositories,
  logHook,
  readHookLog,
  readHookRecords,
} from './hook-log.ts';
export { rememberPackage, SHOWN_ID_LENGTH } from './report-gap.ts';
export { DEFAULT_TIMEOUT_MS } from './run-hook.ts';
