/** What a tool gave back: text, bytes, or anything that JSON can hold. */
export type ToolResultContent = string | Uint8Array | JsonContent;

type JsonContent =
  | null
  | boolean
  | number
  | readonly ToolResultContent[]
  | { readonly [key: string]: unknown };

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
  readonly tokens: number;
  /** The beginning on one line, without secrets. */
  readonly preview: string;
  readonly mime: string;
}

export interface StoredToolResult {
  readonly handle: ToolResultHandle;
  /** Exactly what the tool gave. */
  readonly bytes: Uint8Array;
}

export const RESULT_ID = /^tr_[0-9a-f]{32}$/;
