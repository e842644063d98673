// The contract of a store of tool results, and its data. Implementations are in stores/.

import { type ArgumentKind, FUNCTION, objectWith } from '../schema/check-arguments.ts';

/** Where tool results live while the history holds handles. One contract suite runs on every implementation. */
export interface ToolResultStore {
  /** Durable once it resolves. The same result of the same tool is kept once, and becomes the latest. */
  put(result: NewToolResult): Promise<ToolResultHandle>;
  /** The exact bytes; null when the result is not here, was let go, or is damaged. */
  get(id: string): Promise<StoredToolResult | null>;
  /** The handle of a result; null when it is not here. */
  handle(id: string): Promise<ToolResultHandle | null>;
  /** The latest first; `limit` of them at most. */
  list(limit?: number): Promise<readonly ToolResultHandle[]>;
  /** Unknown ids are fine. */
  remove(id: string): Promise<void>;
  /** Every later call is refused with `store-closed`. */
  close(): Promise<void>;
}

/** The store of a caller, by what it can do. */
export const STORE: ArgumentKind = objectWith('a store such as openMemoryStore()', {
  put: FUNCTION,
  get: FUNCTION,
  handle: FUNCTION,
  list: FUNCTION,
});

/** When results are refused or let go. */
export interface StoreLimits {
  /** A larger result is refused. */
  readonly maxResultBytes?: number;
  /** Above this, the oldest results go. */
  readonly maxTotalBytes?: number;
  readonly maxResults?: number;
}

/** The value that a tool returned: text, bytes, or anything that JSON can hold. */
export type ToolResultContent = string | Uint8Array | JsonContent;

type JsonContent =
  | null
  | boolean
  | number
  | readonly ToolResultContent[]
  | { readonly [key: string]: unknown };

/** A result to keep. */
export interface NewToolResult {
  readonly tool: string;
  readonly content: ToolResultContent;
  /** Guessed from the content when it is missing. */
  readonly mime?: string;
}

/** Stands for a stored result: the history holds this, the store holds the bytes. */
export interface ToolResultHandle {
  /** Of tool, type and bytes: the same result of the same tool has the same id. */
  readonly id: string;
  readonly tool: string;
  /** Counts up with every `put`; the latest has the highest. */
  readonly order: number;
  /** In bytes. */
  readonly size: number;
  /** Exact with a tokenizer, else an estimate. */
  readonly tokens: number;
  /** The beginning on one line, without secrets. */
  readonly preview: string;
  readonly mime: string;
}

/** A result with its bytes. */
export interface StoredToolResult {
  readonly handle: ToolResultHandle;
  /** Exactly the bytes that the tool gave. */
  readonly bytes: Uint8Array;
}

/** The form of an id. */
export const RESULT_ID = /^tr_[0-9a-f]{32}$/;
