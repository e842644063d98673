// The adapter for LangChain: hooks for `createMiddleware`. The package itself is not imported, so that the
// caller hands over the class of its messages.

import { type InjectableMessage, inject } from '../inject.ts';
import { type AdapterOptions, createShorten, shortenParts } from './adapter-options.ts';

/** A message of LangChain, as far as it is used here. */
interface ChainMessage {
  content: unknown;
  getType(): string;
}

/** The request of a model call. */
interface ModelRequest {
  readonly messages: readonly ChainMessage[];
  readonly systemMessage: { readonly text: string; concat(text: string): unknown };
}

/** The request of a tool call. */
interface ToolRequest {
  readonly toolCall: { readonly name: string };
}

export interface LangchainOptions<Message extends ChainMessage> extends AdapterOptions {
  /** The class `HumanMessage` of `@langchain/core/messages`. */
  readonly HumanMessage: new (
    text: string,
  ) => Message;
}

/** The argument of `createMiddleware`; the types of requests and answers stay those of the framework. */
export interface RecallBlockHooks {
  readonly name: string;
  readonly wrapModelCall: <Request extends ModelRequest, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ) => Promise<Answer>;
  readonly wrapToolCall: <Request extends ToolRequest, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ) => Promise<Answer>;
}

/** LangChain's types of messages as roles. */
const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

/**
 * Hooks for LangChain: `createMiddleware(recallBlockHooks({ HumanMessage, pack, store }))`. The model sees the recall block,
 * the state of the agent does not keep it; long results become handles as soon as the tool gives them.
 */
export function recallBlockHooks<Message extends ChainMessage>(
  options: LangchainOptions<Message>,
): RecallBlockHooks {
  const shorten = createShorten(options);
  return {
    name: 'LoadoutContextPack',
    async wrapModelCall(request, handler) {
      const { system, messages } = inject(
        { system: '', messages: request.messages.map(asInjectable) },
        await options.pack(),
        {
          repository: options.repository ?? '',
          createMessage: (text) => asInjectable(new options.HumanMessage(text)),
        },
      );
      const alreadyThere = system === '' || request.systemMessage.text.endsWith(system);
      return handler({
        ...request,
        messages: messages.map(({ original }) => original),
        ...(alreadyThere ? {} : { systemMessage: request.systemMessage.concat(`\n\n${system}`) }),
      });
    },
    async wrapToolCall(request, handler) {
      const answer = await handler(request);
      // a command of the graph is not a message
      if (!isMessage(answer)) return answer;
      const { content } = answer;
      const { name } = request.toolCall;
      // the framework made the message for this call alone, and its class cannot be made here
      if (typeof content === 'string') answer.content = await shorten(name, content);
      else if (Array.isArray(content)) answer.content = await shortenParts(content, name, shorten);
      return answer;
    },
  };
}

/** A message of LangChain in the shape that `inject` handles. */
interface WrappedMessage extends InjectableMessage {
  readonly original: ChainMessage;
}

function asInjectable(original: ChainMessage): WrappedMessage {
  const type = original.getType();
  return { role: ROLES[type] ?? type, content: original.content, original };
}

function isMessage(answer: unknown): answer is ChainMessage {
  return typeof answer === 'object' && answer !== null && 'content' in answer && 'getType' in answer;
}
