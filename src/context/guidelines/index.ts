export { BUILT_IN_GUIDELINES } from './built-in-guidelines.ts';
export { applicable, evaluateGuidelines, type Judgement, type Situation } from './evaluate-guidelines.ts';
export {
  type Audience,
  type FileGuard,
  type GuardRequest,
  guardFiles,
  type KeptFile,
  keptOut,
  leftOutByGuideline,
} from './guard-files.ts';
export {
  type LoadedGuideline,
  type LoadedGuidelines,
  loadGuidelines,
  REPOSITORY_GUIDELINES,
  USER_GUIDELINES,
} from './guideline-places.ts';
export { renderGuidelines } from './render-guidelines.ts';
export { toolDenial } from './restrictions.ts';
