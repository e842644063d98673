// Reads histories in the shapes of several model interfaces, so that the rest of this folder handles one view
// of a message and writes each message back in its own shape.

import { LoadoutError } from '../model/loadout-error.ts';

/**
 * A message in one of the shapes that model interfaces use: our own, a message of OpenAI's chat completions, an item
 * of its responses, or a message of Anthropic. A history may mix them; each keeps its own.
 */
export type HistoryMessage = SessionMessage | Readonly<Record<string, unknown>>;

/** One text of a result; a result in several parts has several. */
export interface ResultText {
  readonly tool: string;
  readonly text: string;
}

/** One message in a form that does not depend on its shape. */
export interface MessageView {
  /** How many tools it calls. */
  readonly calls: number;
  /** How many results it holds. */
  readonly results: number;
  readonly texts: readonly ResultText[];
  /** The message with other texts in its results, in the same order. */
  readonly write: (texts: readonly string[]) => object;
  /** The message without its calls and results; null when nothing is left. */
  readonly rest: object | null;
  /** An item that must not stay without the call after it. */
  readonly goesWithCall: boolean;
  /** A list of items has a call of its own for each tool. */
  readonly isItem: boolean;
  /** Text of a user, for notes of our own. */
  readonly userText: string | null;
}

/** A message or a block before its shape is known. */
type Fields = Readonly<Record<string, unknown>>;

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const SHAPES =
  'messages with role and content as OpenAI (tool_calls, tool_call_id), Anthropic (tool_use, tool_result) or Loadout (toolCalls, toolCallId) have them, and items of OpenAI responses (function_call, function_call_output)';

/** Reads a history. A message without a known shape is an error: it would stay in the window unnoticed. */
export function viewHistory(messages: readonly object[]): readonly MessageView[] {
  const tools = new Map<string, string>();
  return messages.map((message, at) => {
    const view = isFields(message) ? viewOf(message, tools) : null;
    if (view !== null) return view;
    const shown = shortJson(message);
    throw new LoadoutError('bad-message', `messages[${at}] has no known shape: ${shown}`, {
      subject: `messages[${at}]`,
      hint: `allowed are ${SHAPES}; frameworks have adapters, see docs/guides/session.md`,
    });
  });
}

/** The beginning of a message, for errors. */
function shortJson(message: unknown): string {
  try {
    return (JSON.stringify(message) ?? String(message)).slice(0, 120);
  } catch {
    return 'an object that JSON cannot hold';
  }
}

/** Null for an unknown shape. `tools` collects the names of calls for the results that follow. */
function viewOf(message: Fields, tools: Map<string, string>): MessageView | null {
  const { role, type, content } = message;
  if (role === undefined) return typeof type === 'string' ? viewItem(message, type, tools) : null;
  if (typeof role !== 'string' || !ROLES.has(role)) return null;
  // a message may be an item of its own in a list of OpenAI responses
  if (type !== undefined && type !== 'message') return null;
  if (role === 'tool' || role === 'function') return viewToolMessage(message, tools);
  if (Array.isArray(content)) return viewBlocks(message, content, tools);
  if (typeof content !== 'string' && content !== null && content !== undefined) return null;
  const calls = readCalls(message, tools);
  if (calls === null || (calls === 0 && typeof content !== 'string')) return null;
  return { ...PLAIN, ...callView(message, calls), userText: role === 'user' ? (content as string) : null };
}

const PLAIN = { calls: 0, results: 0, texts: [], goesWithCall: false, isItem: false, userText: null };
const same = (message: Fields): Pick<MessageView, 'write' | 'rest'> => ({
  write: () => message,
  rest: message,
});

/** Calls in `tool_calls` or in our own `toolCalls`; null when they cannot be read. */
function readCalls(message: Fields, tools: Map<string, string>): number | null {
  const given = message.tool_calls ?? message.toolCalls ?? [];
  if (!Array.isArray(given)) return null;
  for (const call of given as readonly unknown[]) {
    if (!isFields(call)) return null;
    const named = [call.function, call.custom].find(isFields) ?? call;
    const name = named.name ?? call.tool;
    if (typeof call.id !== 'string' || typeof name !== 'string') return null;
    tools.set(call.id, name);
  }
  return given.length;
}

function callView(message: Fields, calls: number): Pick<MessageView, 'calls' | 'write' | 'rest'> {
  if (calls === 0) return { calls, ...same(message) };
  const { tool_calls: _, toolCalls: __, ...said } = message;
  const hasText = Array.isArray(said.content) ? said.content.length > 0 : (said.content ?? '') !== '';
  return { calls, write: () => message, rest: hasText ? said : null };
}

/** A result as a message of its own. */
function viewToolMessage(message: Fields, tools: ReadonlyMap<string, string>): MessageView | null {
  const { content, tool, name } = message;
  const id = message.tool_call_id ?? message.toolCallId;
  const named = [tool, tools.get(String(id)), name].find((one) => typeof one === 'string') ?? 'tool';
  const slots = slotsOf(content, named as string);
  if (slots === null) return null;
  const write = (texts: readonly string[]) => ({ ...message, content: slots.write(texts) });
  return { ...PLAIN, results: 1, texts: slots.texts, write, rest: null };
}

/** Blocks of Anthropic, or parts of OpenAI: calls and results are mixed with text. */
function viewBlocks(
  message: Fields,
  blocks: readonly unknown[],
  tools: Map<string, string>,
): MessageView | null {
  const slots: ({ at: number } & Slots)[] = [];
  let calls = readCalls(message, tools);
  if (calls === null) return null;
  const said: unknown[] = [];
  for (const [at, block] of blocks.entries()) {
    if (!isFields(block) || typeof block.type !== 'string') return null;
    // parts of the AI SDK, which has an adapter: they would be taken for something else here
    if (block.type === 'tool-call' || block.type === 'tool-result') return null;
    if (block.type === 'tool_use' && typeof block.id === 'string') {
      calls += 1;
      tools.set(block.id, String(block.name));
    } else if (block.type === 'tool_result') {
      const found = slotsOf(block.content ?? '', tools.get(String(block.tool_use_id)) ?? 'tool');
      if (found === null) return null;
      slots.push({ at, ...found });
      // thoughts of the model belong to its call and are of no use without it
    } else if (block.type !== 'thinking' && block.type !== 'redacted_thinking') said.push(block);
  }
  const texts = slots.flatMap((slot) => slot.texts);
  const write = (given: readonly string[]) => {
    let from = 0;
    const content = [...blocks];
    for (const slot of slots) {
      const own = given.slice(from, from + slot.texts.length);
      from += slot.texts.length;
      content[slot.at] = { ...(blocks[slot.at] as Fields), content: slot.write(own) };
    }
    return { ...message, content };
  };
  const isBusy = calls > 0 || slots.length > 0;
  const { tool_calls: _, ...rest } = message;
  return {
    ...PLAIN,
    calls,
    results: slots.length,
    texts,
    write,
    rest: !isBusy ? message : said.length > 0 ? { ...rest, content: said } : null,
  };
}

/** An item of OpenAI's responses. */
function viewItem(item: Fields, type: string, tools: Map<string, string>): MessageView | null {
  const isItem = true;
  if (type === 'reasoning') return { ...PLAIN, ...same(item), goesWithCall: true, isItem };
  if (type === 'function_call' || type === 'custom_tool_call') {
    if (typeof item.call_id !== 'string' || typeof item.name !== 'string') return null;
    tools.set(item.call_id, item.name);
    return { ...PLAIN, calls: 1, write: () => item, rest: null, isItem };
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const slots = slotsOf(item.output, tools.get(String(item.call_id)) ?? 'tool');
    if (slots === null) return null;
    const write = (texts: readonly string[]) => ({ ...item, output: slots.write(texts) });
    return { ...PLAIN, results: 1, texts: slots.texts, write, rest: null, isItem };
  }
  // searches and the like that run at the provider
  return /_call$|_call_output$|^item_reference$|^compaction/.test(type)
    ? { ...PLAIN, ...same(item), isItem }
    : null;
}

/** The texts of a result, and how to write others in their place. */
interface Slots {
  readonly texts: readonly ResultText[];
  readonly write: (texts: readonly string[]) => unknown;
}

/** The texts of a result: a text, or parts of which some are. */
function slotsOf(content: unknown, tool: string): Slots | null {
  if (typeof content === 'string') return { texts: [{ tool, text: content }], write: ([text]) => text };
  if (!Array.isArray(content)) return null;
  const parts = content as readonly unknown[];
  const isKnown = (part: unknown): part is Fields =>
    isFields(part) && typeof part.type === 'string' && part.type !== 'tool-result';
  if (!parts.every(isKnown)) return null;
  const places = parts.flatMap((part, at) => (typeof part.text === 'string' ? [at] : []));
  return {
    texts: places.map((at) => ({ tool, text: String(parts[at]!.text) })),
    write: (texts) =>
      parts.map((part, at) => (places.includes(at) ? { ...part, text: texts[places.indexOf(at)]! } : part)),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A call of a tool by the model. */
export interface SessionToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** A message of a conversation, in the shape that most model interfaces can be mapped to. */
export interface SessionMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant. */
  readonly toolCalls?: readonly SessionToolCall[];
  /** Of a tool: which call it answers, and which tool it was. */
  readonly toolCallId?: string;
  readonly tool?: string;
}
