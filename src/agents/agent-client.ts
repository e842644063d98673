import type { Environment } from '../platform/environment.ts';
import type { AgentWorker } from './agent-worker.ts';
import type { AgentHooks } from './hook-dialect.ts';
import type { JsonRecord } from './json-events.ts';

/**
 * Everything that differs between agent clients. A new client is one file with one of these and its row in `table.ts`:
 * all other code asks the table and never names a client. What a client cannot do is left out.
 */
export interface AgentClient {
  /** As users write it: `loadout init ID`, `--client ID`, `--cli ID`. */
  readonly id: string;
  /** As its makers write it. */
  readonly name: string;
  readonly program: string;
  /** It can work on a task without a terminal. */
  readonly worker?: AgentWorker;
  /** It calls programs at events. */
  readonly hooks?: AgentHooks;
  /** `loadout init` can set it up. */
  readonly install?: AgentInstall;
  /** What is special about it as a client of our MCP server. */
  readonly mcp?: AgentMcp;
  /** Files in which repositories write down rules for it, beside `AGENTS.md`. */
  readonly conventionFiles?: readonly string[];
  /** The folder of a repository that holds its set-up and nothing else: rarely what a task needs. */
  readonly settingsFolder?: string;
}

/** What `loadout init` writes for a client, as data: `surfaces/install` does the writing. */
export interface AgentInstall {
  /**
   * Where it reads its hooks, MCP servers, agents and skills, and what belongs there. `tools` are those that the user's
   * guidelines refuse: files of a repository, which others read as well, do not name them.
   */
  targets(place: InstallPlace, launch: LaunchCommand, tools: readonly string[]): readonly SetUpTarget[];
  /** What is left for the user to do. */
  readonly nextSteps: readonly string[];
  /** Scopes in which it can be made to ask before it uses a tool that the user's guidelines refuse. */
  readonly refusesToolsIn: readonly Scope[];
  /** It skips hooks that its user has not trusted, and can be asked which. */
  readonly hookTrust?: HookTrustQuestion;
}

export const SCOPES = ['project', 'user'] as const;
/** For one repository, or for all repositories of the user. */
export type Scope = (typeof SCOPES)[number];

/** How the client starts us. */
export interface LaunchCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Where a set-up goes. */
export interface InstallPlace {
  readonly scope: Scope;
  /** The repository, or the user's home. */
  readonly base: string;
  readonly home: string;
  /** Variables by which users move the settings of a client. */
  readonly env: Environment;
}

/** One file of a client and what is ours in it. */
export type SetUpTarget =
  | {
      readonly kind: 'json';
      readonly path: string;
      readonly what: string;
      readonly entries: readonly JsonEntry[];
      /** Other clients read the same entry: it alone does not mean that this one was set up. */
      readonly isShared?: boolean;
    }
  /** The whole file is ours. */
  | { readonly kind: 'file'; readonly path: string; readonly what: string; readonly text: string }
  | {
      readonly kind: 'toml';
      readonly path: string;
      readonly what: string;
      /** Id of the client: our block in the file says how to take it out. */
      readonly owner: string;
      /** Table and its lines. */
      readonly table: string;
      readonly lines: readonly string[];
    };

/** Something that belongs into a JSON file of a client. */
export interface JsonEntry {
  /** Names from the root down. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** `member`: the last name of the path; `element`: one more in the list that the path names. */
  readonly kind: 'member' | 'element';
  /** Tells an entry of ours, of this or another version, from those of others; for elements. */
  readonly isOurs?: (value: unknown) => boolean;
  /** It is not wanted any more: what an earlier set-up wrote is taken out. */
  readonly isGone?: boolean;
}

/** What a client says about hooks of ours that it has found. */
export type HookTrust =
  | { readonly found: number; readonly untrusted: number; readonly off: number }
  | { readonly problem: string };

/** How to ask the client itself which hooks it trusts: it alone knows. */
export interface HookTrustQuestion {
  /** Its program with these arguments takes a line of JSON for each message and answers with lines of JSON. */
  readonly args: readonly string[];
  messages(cwd: string): readonly unknown[];
  /** Null when a line is not the answer. */
  read(message: unknown): HookTrust | null;
  /** What users do about hooks that are not trusted, not seen, or switched off. */
  readonly advice: { readonly trust: string; readonly find: string; readonly switchOn: string };
}

interface AgentMcp {
  /** How the name begins that it gives to servers. */
  readonly announcedAs: string;
  /** A little below where it cuts a result or puts a file in its place; absent when it is told or not known. */
  readonly resultLimit?: McpResultLimit;
  /** What to say in `_meta` of a tool, for this client alone. */
  toolMeta?(tool: McpToolTraits): JsonRecord;
}

interface McpResultLimit {
  /** Of UTF-8. */
  readonly bytes: number;
  readonly lines?: number;
}

interface McpToolTraits {
  /** Clients that load tools late should have this one at once. */
  readonly isMain: boolean;
  readonly maxResultCharacters: number;
}
