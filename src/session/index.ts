// What `loadout/session` offers, by name. Adapters have subpaths of their own: `loadout/session/ai-sdk` and so on.

export { type AppendFile, openAppendFile } from '../platform/fs/append-file.ts';
export { type BuilderOptions, type BuiltPack, ContextBuilder } from './context-builder.ts';
export { PACK_HEADER } from './fit-snippets.ts';
export { handleLine, type MentionedResult, readHandleLine } from './handle-line.ts';
export { type InjectableMessage, type InjectOptions, inject, type ModelInput } from './inject.ts';
export {
  type AgentEvent,
  type AgentResult,
  LeanAgent,
  type LeanAgentOptions,
  type LeanModel,
  type LeanTool,
  type ModelCall,
  type ModelChunk,
  type ModelReply,
  type PackAccount,
} from './lean-agent.ts';
export type { HistoryMessage } from './message-shapes.ts';
export { ContextPolicy } from './policy/context-policy.ts';
export { loadContextPolicy, type PolicySource } from './policy/load-policy.ts';
export { contextPolicySchema, type PolicyDict } from './policy/policy-fields.ts';
export { type HistoryOptions, type RewrittenHistory, rewriteHistory } from './rewrite-history.ts';
export { selectResult } from './select-result.ts';
export { applySelector, type SelectedText } from './selectors/apply-selector.ts';
export { parseSelection, SELECTORS, type Selection, type SelectorName } from './selectors/selection.ts';
export type { SessionMessage, SessionToolCall } from './session-message.ts';
export type { PlanState, SessionState } from './session-state.ts';
export { openFileStore } from './stores/file-store.ts';
export type { StoreOptions } from './stores/indexed-store.ts';
export { type LogStoreOptions, openLogStore } from './stores/log-store.ts';
export { openMemoryStore } from './stores/memory-store.ts';
export type { NewToolResult, StoredToolResult, ToolResultContent, ToolResultHandle } from './tool-result.ts';
export type { StoreLimits, ToolResultStore } from './tool-result-store.ts';
