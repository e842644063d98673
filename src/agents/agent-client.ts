import type { Environment } from '../platform/environment.ts';
import type { AgentWorker } from './agent-worker.ts';
import type { AgentHooks } from './hook-dialect.ts';
import type { JsonRecord } from './json-events.ts';

/**
 * Everything that differs between agent clients. A new client is one file with one of these and its row in `table.ts`:
 * all other code asks the table and never names a client. Leave out the parts that the client cannot do.
 */
export interface AgentClient {
  /** Its name in commands: `loadout init ID`, `--client ID`, `--cli ID`. */
  readonly id: string;
  /** Its name in text for people. */
  readonly name: string;
  readonly program: string;
  /** How it works on a task without a terminal. */
  readonly worker?: AgentWorker;
  /** How it calls programs at events. */
  readonly hooks?: AgentHooks;
  /** The files that `loadout init` writes for it. */
  readonly install?: AgentInstall;
  /** How it differs from other clients of our MCP server. */
  readonly mcp?: AgentMcp;
  /** Files with rules for it in a repository, besides `AGENTS.md`. */
  readonly conventionFiles?: readonly string[];
  /** The folder of a repository that holds only its settings. Tasks rarely need these files. */
  readonly settingsFolder?: string;
}

/** The files that `loadout init` writes for a client, as data. `surfaces/install` writes them. */
export interface AgentInstall {
  /**
   * The files for its hooks, MCP servers, agents and skills, with their content. `tools` are the tools that the user's
   * guidelines refuse. Files of a repository do not name them, because other people read these files, too.
   */
  targets(place: InstallPlace, launch: LaunchCommand, tools: readonly string[]): readonly SetUpTarget[];
  /** The folder of the user that it creates when it is first used. It shows that the client is on this machine. */
  userFolder(home: string, env: Environment): string;
  /** The message for people who open a repository with these files but have no Loadout. */
  readonly withoutLoadout: string;
  /** Steps that the user has to take. */
  readonly nextSteps: readonly string[];
  /** Scopes in which it can be made to ask before it uses a tool that the user's guidelines refuse. */
  readonly refusesToolsIn: readonly Scope[];
  /** Parts that it can have on request. */
  readonly extras?: readonly SetUpExtra[];
  /** How to ask it which hooks it trusts, if it skips others. */
  readonly hookTrust?: HookTrustQuestion;
}

export const SCOPES = ['project', 'user'] as const;
/** For one repository, or for all repositories of the user. */
export type Scope = (typeof SCOPES)[number];

/** The command by which a client starts Loadout. */
export interface LaunchCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Where the files of a client go. */
export interface InstallPlace {
  readonly scope: Scope;
  /** The repository, or the user's home. */
  readonly base: string;
  readonly home: string;
  /** Variables with which users move the settings of a client. */
  readonly env: Environment;
}

/** One file of a client, and Loadout's part of it. */
export type SetUpTarget =
  | {
      readonly kind: 'json';
      readonly path: string;
      readonly what: string;
      readonly entries: readonly JsonEntry[];
      /** Other clients read the same entry, so it does not show that this client was set up. */
      readonly isShared?: boolean;
      /** For this user only, so it is not committed. */
      readonly isPersonal?: boolean;
      /** Keys that the client itself adds to the file. A file that `init` created and that has only these is removed. */
      readonly clientKeys?: readonly string[];
    }
  /** The whole file is Loadout's. */
  | { readonly kind: 'file'; readonly path: string; readonly what: string; readonly text: string }
  | {
      readonly kind: 'toml';
      readonly path: string;
      readonly what: string;
      /** The id of the client. A comment in the file uses it to say how to remove the block. */
      readonly owner: string;
      /** The name of a table, and its lines. */
      readonly table: string;
      readonly lines: readonly string[];
    };

/** One value in a JSON file of a client. */
export interface JsonEntry {
  /** Names from the root down. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** `member`: the path names the value; `element`: the path names a list that gets one more value. */
  readonly kind: 'member' | 'element';
  /** For elements and entries on request: whether a value was written by any version of Loadout. */
  readonly isOurs?: (value: unknown) => boolean;
  /** Not wanted any more: an entry of an earlier set-up is removed. */
  readonly isGone?: boolean;
  /** Written only when the user asks for it. Another value is the user's: it is neither replaced nor removed. */
  readonly request?: EntryRequest;
}

/** An entry that `loadout init` writes only with a flag of its own. */
interface EntryRequest {
  readonly flag: SetUpExtra;
  /** Other files in which the client finds such a value. If one exists, Loadout's value would hide the user's. */
  readonly otherFiles: readonly string[];
  /** Advice for a user who wants both. */
  readonly advice: string;
}

/** Parts of a set-up that are installed only on request. */
export type SetUpExtra = 'status-line';

/** A client's answer about Loadout's hooks. */
export type HookTrust =
  | { readonly found: number; readonly untrusted: number; readonly off: number }
  | { readonly problem: string };

/** How to ask a client which hooks it trusts. Only the client knows. */
export interface HookTrustQuestion {
  /** With these arguments its program reads a line of JSON for each message and answers in lines of JSON. */
  readonly args: readonly string[];
  messages(cwd: string): readonly unknown[];
  /** Null when a line is not the answer. */
  read(message: unknown): HookTrust | null;
  /** Advice for hooks that are not trusted, not seen, or switched off. */
  readonly advice: { readonly trust: string; readonly find: string; readonly switchOn: string };
}

/** A client of the MCP server. */
interface AgentMcp {
  /** The beginning of the name with which it introduces itself. */
  readonly announcedAs: string;
  /** A little less than the size at which it cuts a result or writes it to a file; absent when tools state their own. */
  readonly resultLimit?: McpResultLimit;
  /** The `_meta` of a tool, for this client only. */
  toolMeta?(tool: {
    /** Clients that load tools on demand should load this one at once. */
    readonly isMain: boolean;
    readonly maxResultCharacters: number;
  }): JsonRecord;
}

/** How large a result of a tool may be. */
interface McpResultLimit {
  /** Of UTF-8. */
  readonly bytes: number;
  readonly lines?: number;
}
