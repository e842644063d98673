// The table of agent clients. Everything else asks this table and names no client.

import type { AgentClient, AgentInstall } from './agent-client.ts';
import type { AgentWorker } from './agent-worker.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import type { AgentHooks } from './hook-dialect.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** One row for each client, in alphabetical order, because lists for people come from here. */
const ROWS = [claude, codex, copilot, cursor, gemini, opencode, qwen] as const;
type Row = (typeof ROWS)[number];

/** All agent clients. */
export const CLIENTS: readonly AgentClient[] = ROWS;

/** Ids of the clients that can work on tasks, call hooks, or be set up. */
export type WorkerName = Extract<Row, { readonly worker: AgentWorker }>['id'];
export type HookClient = Extract<Row, { readonly hooks: AgentHooks }>['id'];
export type InstallClient = Extract<Row, { readonly install: AgentInstall }>['id'];

/** The clients for `--cli`, `--client` and `loadout init`. */
export const WORKER_NAMES = idsWith('worker') as readonly WorkerName[];
export const HOOK_CLIENTS = idsWith('hooks') as readonly HookClient[];
export const INSTALL_CLIENTS = idsWith('install') as readonly InstallClient[];

/** The client of hooks that are called without `--client`. */
export const DEFAULT_HOOK_CLIENT = CLIENTS.find(({ hooks }) => hooks?.isDefault)!.id as HookClient;

/** The row of a client. */
export function clientOf(id: Row['id']): AgentClient {
  return CLIENTS.find((client) => client.id === id)!;
}

export const workerOf = (id: WorkerName): AgentWorker => clientOf(id).worker!;
export const hooksOf = (id: HookClient): AgentHooks => clientOf(id).hooks!;
export const installOf = (id: InstallClient): AgentInstall => clientOf(id).install!;

function idsWith(part: 'worker' | 'hooks' | 'install'): readonly string[] {
  return CLIENTS.filter((client) => client[part] !== undefined).map(({ id }) => id);
}
