// The public API, by name. Heavy parts live at subpaths: `loadout/parse`.

export type { Settings } from './config/settings.ts';
export { readTrust, type TrustState } from './config/trust/read-trust.ts';
export { analyzeTask } from './context/analyze/analyze-task.ts';
export type { DomainContext } from './context/analyze/task-domains.ts';
export { InvalidOutputError, ParsingError } from './context/answers/answer-errors.ts';
export { type AnsweringRole, answerSchemaFor, parseRoleOutput } from './context/answers/answer-schema-for.ts';
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
} from './context/answers/answer-schemas.ts';
export { parseNative, parseNativeText } from './context/answers/parse-native.ts';
export { parseWorkerOutput } from './context/answers/parse-worker-output.ts';
export type { ChangeSelection } from './context/compose/change.ts';
export type { RepositoryMap } from './context/map.ts';
export {
  type ContextPacker,
  type ContextPackerOptions,
  createContextPacker,
  type GitDiffOptions,
  type PromptOptions,
} from './context/prompt/context-packer.ts';
export { estimateTokens } from './context/prompt/prompt-limits.ts';
export type {
  ExtraContext,
  PatternUse,
  Prompt,
  PromptFile,
  PromptPart,
} from './context/prompt/prompt-parts.ts';
export { renderPrompt, templateForRole } from './context/prompt/render-prompt.ts';
export { listTemplates, renderTemplate } from './context/render/templates/render-template.ts';
export { TemplateError } from './context/render/templates/template-error.ts';
export { type OpenRolesOptions, openRoles } from './context/roles/open-roles.ts';
export type { LoadedRole, Role, RoleFinding, RoleSource } from './context/roles/role.ts';
export {
  createRoleLoader,
  type RoleCheck,
  type RoleLoader,
  type RoleLoaderOptions,
} from './context/roles/role-loader.ts';
export { RoleValidationError } from './context/roles/role-validation-error.ts';
export type { ContextItem, ContextPack, OmittedItem, Receipt } from './model/context-pack.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export type { SkipReason } from './model/file-entry.ts';
export type {
  FoundSymbol,
  KnowledgeStore,
  KnownFile,
  RankedList,
  StoreCall,
  StoreCapabilities,
  StoreFilter,
  StoreHit,
  StoreQuery,
  StoreSnapshot,
  StoreUpdate,
  UpdateReceipt,
} from './model/knowledge-store.ts';
export { LoadoutError } from './model/loadout-error.ts';
export type { LineSpan, RankedFile, RankedSymbol, Ranking, Signal } from './model/ranking.ts';
export type { LanguageLinks, ScanMode, ScanResult } from './model/scan-result.ts';
export type {
  CodeFence,
  Keyword,
  PathMention,
  QuotedText,
  StackFrame,
  SymbolMention,
  TaskAction,
  TaskAnalysis,
  TaskWord,
  TaskZone,
} from './model/task-analysis.ts';
export type { ScanStep } from './scan/run-scan.ts';
export type { ObjectSchema } from './schema/object-schema.ts';
export {
  createLoadout,
  type Loadout,
  type LoadoutOptions,
  type Package,
  type PackRequest,
  type RankRequest,
} from './surfaces/library/create-loadout.ts';
export {
  packTaskContext,
  type TaskContext,
  type TaskContextOptions,
} from './surfaces/library/pack-task-context.ts';
export {
  type ChangedFilesOptions,
  changedFiles,
  type MapOptions,
  map,
  type RepositoryOptions,
  type ScanOptions,
  scan,
} from './surfaces/library/scan-and-map.ts';
