import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { compactHistory } from './compact-history.ts';
import { handleLine, readHandleLine } from './handle-line.ts';
import { type HistoryMessage, type ResultText, viewHistory } from './message-shapes.ts';
import type { SessionMessage } from './session-message.ts';
import type { ToolResultStore } from './tool-result-store.ts';

export interface HistoryOptions {
  /** Longer results are replaced by their handle. */
  readonly handleAboveChars?: number;
  /** Above this many bytes of JSON, old exchanges with tools leave the history as well. */
  readonly maxHistoryBytes?: number;
}

export interface RewrittenHistory<Message extends HistoryMessage = SessionMessage> {
  /** In the shape that they came in. */
  readonly messages: readonly Message[];
  /** Handles of what was stored now. */
  readonly stored: readonly string[];
  readonly notices: readonly Diagnostic[];
}

export const HANDLE_ABOVE_CHARS = 1_000;
export const MAX_HISTORY_BYTES = 48_000;

/**
 * The history with long tool results replaced by handles, in the shape that it came in: our own, or that of OpenAI or
 * Anthropic. The store has a result before the history loses it: a crash in between leaves both, and the next call
 * finds the same id. What was handed in does not change.
 */
export async function rewriteHistory<Message extends HistoryMessage>(
  messages: readonly Message[],
  store: ToolResultStore,
  options: HistoryOptions = {},
): Promise<RewrittenHistory<Message>> {
  const { handleAboveChars = HANDLE_ABOVE_CHARS, maxHistoryBytes = MAX_HISTORY_BYTES } = options;
  const stored: string[] = [];
  const notices: Diagnostic[] = [];
  /** The line that stands for a text; null when the store does not take it. */
  const keep = async ({ tool, text }: ResultText): Promise<string | null> => {
    if (await isKept(text, store)) return text;
    try {
      const handle = await store.put({ tool, content: text });
      stored.push(handle.id);
      return handleLine(handle);
    } catch (error) {
      if (!(error instanceof LoadoutError)) throw error;
      notices.push({ code: 'result-not-stored', severity: 'warning', message: error.message });
      return null;
    }
  };
  const rewritten: Message[] = [];
  for (const [at, { texts, write }] of viewHistory(messages).entries()) {
    const after: string[] = [];
    for (const one of texts)
      after.push((one.text.length > handleAboveChars ? await keep(one) : null) ?? one.text);
    const isSame = after.every((text, place) => text === texts[place]!.text);
    rewritten.push(isSame ? messages[at]! : (write(after) as Message));
  }
  const compact = await compactHistory(rewritten, maxHistoryBytes, async ({ texts }) => {
    for (const one of texts) if ((await keep(one)) === null) return false;
    return true;
  });
  return { messages: compact, stored, notices };
}

/** A tool may well print what looks like a handle: only one that the store knows counts. */
async function isKept(text: string, store: ToolResultStore): Promise<boolean> {
  const mentioned = readHandleLine(text);
  return mentioned !== null && (await store.handle(mentioned.id)) !== null;
}
