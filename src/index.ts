// The public API, by name. Heavy parts live at subpaths: `loadout/parse`.
export { analyzeTask } from './analyze/analyze-task.ts';
export type { DomainContext } from './analyze/task-domains.ts';
export type { Settings } from './config/settings.ts';
export { readTrust, type TrustState } from './config/trust/read-trust.ts';
export {
  createLoadout,
  type Loadout,
  type LoadoutOptions,
  type Package,
  type PackRequest,
  type RankRequest,
} from './create-loadout.ts';
export {
  type ChangedFilesOptions,
  changedFiles,
  type MapOptions,
  map,
  type RepositoryOptions,
  type ScanOptions,
  scan,
} from './library.ts';
export type { RepositoryMap } from './map-repository.ts';
export type { ContextItem, ContextPack, OmittedItem, Receipt } from './model/context-pack.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export type { SkipReason } from './model/file-entry.ts';
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
export { InvalidOutputError, ParsingError } from './output/answer-errors.ts';
export { type AnsweringRole, answerSchemaFor, parseRoleOutput } from './output/answer-schema-for.ts';
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
} from './output/answer-schemas.ts';
export { parseNative, parseNativeText } from './output/parse-native.ts';
export { parseWorkerOutput } from './output/parse-worker-output.ts';
export type { ObjectSchema } from './output/schema/object-schema.ts';
export type { ChangeSelection } from './pack/change/read-change.ts';
export {
  packTaskContext,
  type TaskContext,
  type TaskContextOptions,
} from './pack-task-context.ts';
export {
  type ContextPacker,
  type ContextPackerOptions,
  createContextPacker,
  type GitDiffOptions,
  type PromptOptions,
} from './prompt/context-packer.ts';
export type { ExtraContext } from './prompt/extra-parts.ts';
export type { PatternUse, Prompt, PromptFile, PromptPart } from './prompt/prompt.ts';
export { estimateTokens } from './prompt/prompt-limits.ts';
export { renderPrompt } from './prompt/render-prompt.ts';
export { templateForRole } from './prompt/template-for-role.ts';
export { listTemplates, renderTemplate } from './render/templates/render-template.ts';
export { TemplateError } from './render/templates/template-error.ts';
export { type OpenRolesOptions, openRoles } from './roles/open-roles.ts';
export type { LoadedRole, Role, RoleFinding, RoleSource } from './roles/role.ts';
export {
  createRoleLoader,
  type RoleCheck,
  type RoleLoader,
  type RoleLoaderOptions,
} from './roles/role-loader.ts';
export { RoleValidationError } from './roles/role-validation-error.ts';
export type { ScanStep } from './scan/run-scan.ts';
