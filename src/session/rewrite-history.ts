// Shortens a history: long tool results become handles, and old exchanges leave it. Results are stored before
// they are replaced.

import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import {
  type ArgumentKinds,
  checkArguments,
  listOf,
  RECORD,
  required,
  wholeNumber,
} from '../schema/check-arguments.ts';
import { handleLine, readHandleLine } from './describe-result.ts';
import {
  type HistoryMessage,
  type MessageView,
  type ResultText,
  type SessionMessage,
  viewHistory,
} from './message-shapes.ts';
import { STORE, type ToolResultStore } from './tool-result-store.ts';

/** When results and exchanges leave the history. */
export interface HistoryOptions {
  /** Longer results are replaced by their handle. */
  readonly handleAboveChars?: number;
  /** Above this many bytes of JSON, old exchanges with tools leave the history as well. */
  readonly maxHistoryBytes?: number;
}

/** The shorter history, with its handles and notices. */
export interface RewrittenHistory<Message extends HistoryMessage = SessionMessage> {
  /** In the shape that they came in. */
  readonly messages: readonly Message[];
  /** Handles of the results that this call stored. */
  readonly stored: readonly string[];
  readonly notices: readonly Diagnostic[];
}

export const HANDLE_ABOVE_CHARS = 1_000;
/** Of the JSON of all messages. */
const MAX_HISTORY_BYTES = 48_000;

const HISTORY_KINDS = {
  messages: required(listOf(RECORD, 'messages')),
  store: required(STORE),
};
const OPTION_KINDS: ArgumentKinds<HistoryOptions> = {
  handleAboveChars: wholeNumber(0),
  maxHistoryBytes: wholeNumber(0),
};

/**
 * The history with long tool results replaced by handles, in the shape that it came in: our own, or that of OpenAI or
 * Anthropic. The store has a result before the history loses it: a crash in between leaves both, and the next call
 * finds the same id. The given history does not change.
 */
export async function rewriteHistory<Message extends HistoryMessage>(
  messages: readonly Message[],
  store: ToolResultStore,
  options: HistoryOptions = {},
): Promise<RewrittenHistory<Message>> {
  checkArguments('rewriteHistory', { messages, store }, HISTORY_KINDS);
  checkArguments('rewriteHistory', options, OPTION_KINDS, 'kept');
  const { handleAboveChars = HANDLE_ABOVE_CHARS, maxHistoryBytes = MAX_HISTORY_BYTES } = options;
  const stored: string[] = [];
  const notices: Diagnostic[] = [];
  /** The line that replaces a text; null when the store does not take it. */
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

/** A tool may print a text that looks like a handle, so only handles that the store knows count. */
async function isKept(text: string, store: ToolResultStore): Promise<boolean> {
  const mentioned = readHandleLine(text);
  return mentioned !== null && (await store.handle(mentioned.id)) !== null;
}

const NOTE = /^\[(\d{1,9}) earlier tool results? (?:is|are) kept outside\]$/;
/** The newest exchanges stay, because the model is working on them. */
const LATEST_EXCHANGES = 3;

/** A message that every interface takes. */
const noteOf = (count: number) => ({
  role: 'user',
  content: `[${count} earlier tool ${count === 1 ? 'result is' : 'results are'} kept outside]`,
});

const sizeOf = (message: object): number => Buffer.byteLength(JSON.stringify(message)) + 1;

/**
 * When the history is larger than the limit, the oldest exchanges with tools leave it, down to half the limit: the
 * beginning then stays the same for many calls, and with it what a provider has cached. A call and its results go
 * together; what people said, and what the model said to them, stays. `keep` stores the results of a message, or says
 * that it could not: then their exchange stays as well.
 */
async function compactHistory<Message extends object>(
  messages: readonly Message[],
  limit: number,
  keep: (view: MessageView) => Promise<boolean>,
): Promise<readonly Message[]> {
  let size = messages.reduce((sum, message) => sum + sizeOf(message), 1);
  if (size <= limit) return messages;
  const views = viewHistory(messages);
  const left = new Map<number, object | null>();
  let count = 0;
  let noteAt = views.findIndex(isNote);
  if (noteAt !== -1) count = Number(NOTE.exec(views[noteAt]!.userText!)![1]);
  for (const exchange of findExchanges(views).slice(0, -LATEST_EXCHANGES)) {
    if (size <= limit / 2) break;
    if (!(await keepAll(exchange, views, keep))) continue;
    for (const at of exchange) {
      const { rest, goesWithCall, results } = views[at]!;
      const stays = goesWithCall ? null : rest;
      left.set(at, stays);
      size -= sizeOf(messages[at]!) - (stays === null ? 0 : sizeOf(stays));
      count += results;
    }
    if (noteAt === -1) noteAt = exchange[0]!;
  }
  if (left.size === 0) return messages;
  return messages.flatMap((message, at) => {
    const after = left.has(at) ? left.get(at)! : isNote(views[at]!) ? null : message;
    const kept = [...(at === noteAt ? [noteOf(count)] : []), ...(after === null ? [] : [after])];
    return kept as unknown as Message[];
  });
}

const isNote = ({ userText }: MessageView): boolean => userText !== null && NOTE.test(userText);

/** False as soon as one message of the exchange cannot be stored. */
async function keepAll(
  exchange: readonly number[],
  views: readonly MessageView[],
  keep: (view: MessageView) => Promise<boolean>,
): Promise<boolean> {
  for (const at of exchange) if (!(await keep(views[at]!))) return false;
  return true;
}

/** Calls with the results right after them, as places in the history; one that is not answered yet is not finished. */
function findExchanges(views: readonly MessageView[]): number[][] {
  const found: number[][] = [];
  for (let at = 0; at < views.length; at++) {
    if (views[at]!.calls === 0) continue;
    let first = at;
    while (views[first - 1]?.goesWithCall) first -= 1;
    let end = at + 1;
    let calls = views[at]!.calls;
    // items have one call each, and thoughts between them
    while (views[at]!.isItem && (views[end]?.calls || views[end]?.goesWithCall)) calls += views[end++]!.calls;
    let results = 0;
    while (views[end]?.results && !views[end]!.calls) results += views[end++]!.results;
    if (results >= calls) found.push(Array.from({ length: end - first }, (_, place) => first + place));
    at = end - 1;
  }
  return found;
}
