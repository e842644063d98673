// Puts the recall block into the input of a model call and takes out the one of an earlier call.

import { MARK_END, MARK_START, markPack, stripMarked } from '../model/context-pack.ts';
import {
  type ArgumentKinds,
  checkArguments,
  FUNCTION,
  listOf,
  objectWith,
  oneOf,
  RECORD,
  required,
  TEXT,
} from '../schema/check-arguments.ts';

/** A message of any framework, as far as a recall block is concerned. */
export interface InjectableMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The input of a model call: a system prompt and messages. */
export interface ModelInput<Message> {
  readonly system: string;
  readonly messages: readonly Message[];
}

export interface InjectOptions<Message> {
  /**
   * `message` (default): the last message, after everything that a provider has cached. `system`: the end of the
   * system prompt, for models that take instructions from nowhere else; costs the cache of all messages.
   */
  readonly placement?: 'message' | 'system';
  /** How a message of this framework is made; `{ role: 'user', content: text }` when it is missing. */
  readonly createMessage?: (text: string) => Message;
  /** The text of a message when it is nothing but text, else null. */
  readonly readText?: (message: Message) => string | null;
  /** Context of the repository: stable, so it goes to the end of the system prompt, where it can be cached. */
  readonly repository?: string;
}

const INPUT_KINDS = {
  input: required(objectWith('{ system, messages }', { system: TEXT, messages: listOf(RECORD, 'messages') })),
  pack: required(TEXT),
};
const INJECT_KINDS: ArgumentKinds<InjectOptions<never>> = {
  placement: oneOf(['message', 'system']),
  createMessage: FUNCTION,
  readText: FUNCTION,
  repository: TEXT,
};

/**
 * Puts the recall block into the input of a model call, exactly once: the one of an earlier call is taken out first.
 * The given input is not changed. An empty block removes the earlier one and adds nothing.
 */
export function inject<Message extends InjectableMessage>(
  input: ModelInput<Message>,
  pack: string,
  options: InjectOptions<Message> = {},
): ModelInput<Message> {
  checkArguments('inject', { input, pack }, INPUT_KINDS);
  checkArguments('inject', options, INJECT_KINDS);
  const { placement = 'message', repository = '' } = options;
  const createMessage =
    options.createMessage ?? ((text) => ({ role: 'user', content: text }) as unknown as Message);
  const kept = input.messages.filter((message) => !isPack(message, options.readText ?? plainText));
  const sections = [
    stripMarked(input.system),
    ...(repository.trim() === '' ? [] : [markPack(repository)]),
    ...(placement === 'system' && pack !== '' ? [markPack(pack)] : []),
  ];
  const system = sections.filter((section) => section !== '').join('\n\n');
  if (placement === 'system' || pack === '') return { system, messages: kept };
  // an answer that the model is to continue must stay the last
  const at = kept.at(-1)?.role === 'assistant' ? kept.length - 1 : kept.length;
  return { system, messages: kept.toSpliced(at, 0, createMessage(markPack(pack))) };
}

/** A tool result is never taken for a recall block, even if it looks like one. */
export function isPack<Message extends InjectableMessage>(
  message: Message,
  readText: (message: Message) => string | null = plainText,
): boolean {
  if (message.role !== 'user' && message.role !== 'system') return false;
  const text = readText(message) ?? '';
  return text.startsWith(MARK_START) && text.endsWith(MARK_END);
}

/** The text of a message whose content is a text or a single part of text. */
function plainText({ content }: InjectableMessage): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.length !== 1) return null;
  const [part] = content as readonly { readonly text?: unknown }[];
  return typeof part?.text === 'string' ? part.text : null;
}
