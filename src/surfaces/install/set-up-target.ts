import type { JsonEntry } from './edit-json.ts';

export const CLIENTS = ['claude', 'codex', 'gemini', 'copilot', 'opencode', 'cursor'] as const;
export type Client = (typeof CLIENTS)[number];

export const SCOPES = ['project', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/** How the client starts us. */
export interface LaunchCommand {
  readonly program: string;
  readonly args: readonly string[];
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
      /** Table and its lines. */
      readonly table: string;
      readonly lines: readonly string[];
    };

/** Folders that paths of the targets begin with. */
export interface ClientHomes {
  /** The repository, or the user's home. */
  readonly base: string;
  readonly scope: Scope;
  /** Where the clients keep the user's settings; all but Cursor can be told another place. */
  readonly claudeHome: string;
  /** The one file of Claude Code that is not in its folder. */
  readonly claudeFile: string;
  readonly codexHome: string;
  readonly geminiHome: string;
  readonly copilotHome: string;
  readonly openCodeHome: string;
}
