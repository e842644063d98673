import { FUNCTION, objectWith, required } from '../schema/check-arguments.ts';
import type { NewToolResult, StoredToolResult, ToolResultHandle } from './tool-result.ts';

/** Where tool results live while the history holds handles. One contract suite runs on every implementation. */
export interface ToolResultStore {
  /** Durable once it resolves. The same result of the same tool is kept once, and becomes the latest. */
  put(result: NewToolResult): Promise<ToolResultHandle>;
  /** The exact bytes; null when the result is not here, was let go, or is damaged. */
  get(id: string): Promise<StoredToolResult | null>;
  handle(id: string): Promise<ToolResultHandle | null>;
  /** The latest first; `limit` of them at most. */
  list(limit?: number): Promise<readonly ToolResultHandle[]>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export const STORE = required(
  objectWith('a store such as openMemoryStore()', {
    put: FUNCTION,
    get: FUNCTION,
    handle: FUNCTION,
    list: FUNCTION,
  }),
);

export interface StoreLimits {
  /** A larger result is refused. */
  readonly maxResultBytes?: number;
  /** Above this, the oldest results go. */
  readonly maxTotalBytes?: number;
  readonly maxResults?: number;
}
