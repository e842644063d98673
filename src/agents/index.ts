// The exports of the agent clients for other parts, which ask the table and never name a client.

export {
  type HookTrust,
  type InstallPlace,
  type JsonEntry,
  type LaunchCommand,
  SCOPES,
  type Scope,
  type SetUpExtra,
  type SetUpTarget,
} from './agent-client.ts';
export {
  type AgentAnswer,
  type AgentFailure,
  type AgentStart,
  type AgentUsage,
  type AgentWorker,
  type JsonSchemaObject,
  type NamedWorker,
  type ObeyedFile,
  plainArgument,
} from './agent-worker.ts';
export type { FileUse } from './file-tools.ts';
export {
  type AgentHooks,
  fitsLimit,
  HOOK_EVENTS,
  type HookAnswer,
  type HookEvent,
  type ModelMessage,
  NO_LIMIT,
  type TextLimit,
} from './hook-dialect.ts';
export { SERVER_TOOLS } from './install-parts.ts';
export { isRecord, type JsonRecord } from './json-events.ts';
export {
  CLIENTS,
  clientOf,
  DEFAULT_HOOK_CLIENT,
  HOOK_CLIENTS,
  type HookClient,
  hooksOf,
  INSTALL_CLIENTS,
  type InstallClient,
  installOf,
  WORKER_NAMES,
  type WorkerName,
  workerOf,
} from './table.ts';
