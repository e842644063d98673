// The exports of `loadout/session`. Adapters have subpaths of their own: `loadout/session/ai-sdk` and so on.

export { type AppendFile, openAppendFile } from '../platform/fs/append-file.ts';
// The recall block: the state that it is built from, and how it gets into a model call.
export { type BuilderOptions, ContextBuilder, type RecallBlock } from './context-builder.ts';
export { handleLine, type MentionedResult, readHandleLine } from './describe-result.ts';
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
  type RecallAccount,
} from './lean-agent.ts';
export type { HistoryMessage, SessionMessage, SessionToolCall } from './message-shapes.ts';
export { ContextPolicy, contextPolicySchema, type PolicyDict } from './policy/context-policy.ts';
export { loadContextPolicy, type PolicySource } from './policy/load-policy.ts';
export { type PlanState, RECALL_HEADER, type SessionState } from './recall-block.ts';
export { selectResult } from './result-excerpt.ts';
export { type HistoryOptions, type RewrittenHistory, rewriteHistory } from './rewrite-history.ts';
export { applySelector, type SelectedText } from './selectors/apply-selector.ts';
export { parseSelection, SELECTORS, type Selection, type SelectorName } from './selectors/selection.ts';
export { openFileStore } from './stores/file-store.ts';
export type { StoreOptions } from './stores/indexed-store.ts';
export { openMemoryStore } from './stores/indexed-store.ts';
export { type LogStoreOptions, openLogStore } from './stores/log-store.ts';
export type {
  NewToolResult,
  StoredToolResult,
  StoreLimits,
  ToolResultContent,
  ToolResultHandle,
  ToolResultStore,
} from './tool-result-store.ts';
