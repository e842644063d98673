import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { compactHistory } from './compact-history.ts';
import { handleLine, readHandleLine } from './handle-line.ts';
import type { SessionMessage } from './session-message.ts';
import type { ToolResultStore } from './tool-result-store.ts';

export interface HistoryOptions {
  /** Longer results are replaced by their handle. */
  readonly handleAboveChars?: number;
  /** Above this many bytes of JSON, old exchanges with tools leave the history as well. */
  readonly maxHistoryBytes?: number;
}

export interface RewrittenHistory {
  readonly messages: readonly SessionMessage[];
  /** Handles of what was stored now. */
  readonly stored: readonly string[];
  readonly notices: readonly Diagnostic[];
}

export const HANDLE_ABOVE_CHARS = 1_000;
export const MAX_HISTORY_BYTES = 48_000;

/**
 * The history with long tool results replaced by handles. The store has a result before the history loses it: a
 * crash in between leaves both, and the next call finds the same id. What was handed in does not change.
 */
export async function rewriteHistory(
  messages: readonly SessionMessage[],
  store: ToolResultStore,
  options: HistoryOptions = {},
): Promise<RewrittenHistory> {
  const { handleAboveChars = HANDLE_ABOVE_CHARS, maxHistoryBytes = MAX_HISTORY_BYTES } = options;
  const stored: string[] = [];
  const notices: Diagnostic[] = [];
  const keep = async (message: SessionMessage): Promise<SessionMessage | null> => {
    if (await isKept(message, store)) return message;
    try {
      const handle = await store.put({ tool: message.tool ?? 'tool', content: message.content });
      stored.push(handle.id);
      return { ...message, content: handleLine(handle) };
    } catch (error) {
      if (!(error instanceof LoadoutError)) throw error;
      notices.push({ code: 'result-not-stored', severity: 'warning', message: error.message });
      return null;
    }
  };
  const rewritten: SessionMessage[] = [];
  for (const message of messages) {
    const isLong = message.role === 'tool' && message.content.length > handleAboveChars;
    rewritten.push((isLong ? await keep(message) : null) ?? message);
  }
  const compact = await compactHistory(
    rewritten,
    maxHistoryBytes,
    async (message) => (await keep(message)) !== null,
  );
  return { messages: compact, stored, notices };
}

/** A tool may well print what looks like a handle: only one that the store knows counts. */
async function isKept({ content }: SessionMessage, store: ToolResultStore): Promise<boolean> {
  const mentioned = readHandleLine(content);
  return mentioned !== null && (await store.handle(mentioned.id)) !== null;
}
