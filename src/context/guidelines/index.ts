// Guidelines: rules about what an agent may see and should know. `guardFiles` is the filter for every way out.
export { BUILT_IN_GUIDELINES } from './built-in-guidelines.ts';
export {
  applicable,
  evaluateGuidelines,
  type Judgement,
  renderGuidelines,
  type Situation,
  toolDenial,
} from './evaluate-guidelines.ts';
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
