// The public API, by name. Heavy parts live at subpaths: `loadout/parse`.

export type { Settings } from './config/index.ts';
export { readTrust, type TrustState } from './config/index.ts';
export type { DomainContext } from './context/analyze/index.ts';
export { analyzeTask } from './context/analyze/index.ts';
export {
  type AnsweringRole,
  answerSchemaFor,
  type GenericOutput,
  genericOutput,
  type ImplementationOutput,
  InvalidOutputError,
  implementationOutput,
  ParsingError,
  type PlanOutput,
  parseNative,
  parseNativeText,
  parseRoleOutput,
  parseWorkerOutput,
  planOutput,
  type ReviewIssue,
  type ReviewOutput,
  reviewOutput,
} from './context/answers/index.ts';
export type { ChangeSelection } from './context/compose/index.ts';
export type { RepositoryMap } from './context/map.ts';
export type {
  ExtraContext,
  PatternUse,
  Prompt,
  PromptFile,
  PromptPart,
} from './context/prompt/index.ts';
export {
  type ContextPacker,
  type ContextPackerOptions,
  createContextPacker,
  estimateTokens,
  type GitDiffOptions,
  type PromptOptions,
  renderPrompt,
  templateForRole,
} from './context/prompt/index.ts';
export { listTemplates, renderTemplate, TemplateError } from './context/render/index.ts';
export type { LoadedRole, Role, RoleFinding, RoleSource } from './context/roles/index.ts';
export {
  createRoleLoader,
  type OpenRolesOptions,
  openRoles,
  type RoleCheck,
  type RoleLoader,
  type RoleLoaderOptions,
  RoleValidationError,
} from './context/roles/index.ts';
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
export type { LineSpan, RankedBlock, RankedFile, RankedSymbol, Ranking, Signal } from './model/ranking.ts';
export type { LanguageLinks, ScanMode, ScanResult } from './model/snapshot.ts';
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
export type { ScanStep } from './scan/index.ts';
export type { ObjectSchema } from './schema/object-schema.ts';
export {
  createLoadout,
  type Loadout,
  type LoadoutOptions,
  type Package,
  type PackRequest,
  packTaskContext,
  type RankRequest,
  type TaskContext,
  type TaskContextOptions,
} from './surfaces/library/create-loadout.ts';
export {
  type ChangedFilesOptions,
  changedFiles,
  type MapOptions,
  map,
  type RepositoryOptions,
  type ScanOptions,
  scan,
} from './surfaces/library/scan-and-map.ts';
