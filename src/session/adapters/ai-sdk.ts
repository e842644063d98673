// The adapter for the AI SDK of Vercel: a middleware around a language model. The package itself is not
// imported; the types here are the part of its interface that is used.

import { inject } from '../inject.ts';
import { type AdapterOptions, createShorten, type Shorten, shortenParts } from './adapter-options.ts';

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A message of a prompt; tool results are parts of its content. */
interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
}

/** The parameters of a call; all but the prompt pass through unchanged. */
interface CallParameters {
  readonly prompt: readonly unknown[];
}

/** The argument of `wrapLanguageModel`, as far as it is used here. */
export interface RecallBlockMiddleware<Version extends string> {
  readonly specificationVersion: Version;
  readonly transformParams: <Parameters extends CallParameters>(call: {
    readonly params: Parameters;
  }) => Promise<Parameters>;
}

/**
 * Middleware for the AI SDK: `wrapLanguageModel({ model, middleware: recallBlockMiddleware({ pack }) })`. It runs
 * before every call, streaming or not; the text that it adds reaches the model and never the history.
 */
export function recallBlockMiddleware<Version extends string = 'v4'>(
  options: AdapterOptions & { readonly specificationVersion?: Version },
): RecallBlockMiddleware<Version> {
  const shorten = createShorten(options);
  return {
    specificationVersion: (options.specificationVersion ?? 'v4') as Version,
    async transformParams({ params }) {
      const prompt = params.prompt as readonly PromptMessage[];
      const messages = await Promise.all(prompt.map((message) => shortenResults(message, shorten)));
      const { messages: injected } = inject({ system: '', messages }, await options.pack(), {
        createMessage: (text): PromptMessage => ({
          role: 'user',
          content: [{ type: 'text', text } satisfies TextPart],
        }),
      });
      return { ...params, prompt: withRepository(injected, options.repository ?? '') };
    },
  };
}

/** Behind the system messages, in front of the conversation. */
function withRepository(messages: readonly PromptMessage[], repository: string): readonly PromptMessage[] {
  const { system } = inject({ system: '', messages: [] }, '', { repository });
  if (system === '') return messages;
  const first = messages.findIndex(({ role }) => role !== 'system');
  return messages.toSpliced(first === -1 ? messages.length : first, 0, { role: 'system', content: system });
}

/** The output of a tool: text, JSON, parts of content, or an error. */
interface ResultOutput {
  readonly type: string;
  readonly value?: unknown;
}

/** A part of a tool message. */
interface ResultPart {
  readonly type: string;
  readonly toolName?: string;
  readonly output?: ResultOutput;
}

/** The same message when it holds no long result. */
async function shortenResults(message: PromptMessage, shorten: Shorten): Promise<PromptMessage> {
  if (message.role !== 'tool' || !Array.isArray(message.content)) return message;
  const content = await Promise.all(
    (message.content as readonly ResultPart[]).map(async (part) => {
      const { toolName = 'tool', output } = part;
      if (part.type !== 'tool-result' || output === undefined) return part;
      const shortened = await shortenOutput(output, toolName, shorten);
      return shortened === output ? part : { ...part, output: shortened };
    }),
  );
  return { ...message, content };
}

/** Errors are passed on unchanged. */
async function shortenOutput(output: ResultOutput, tool: string, shorten: Shorten): Promise<ResultOutput> {
  const { type, value } = output;
  if (type === 'content' && Array.isArray(value)) {
    const parts = await shortenParts(value, tool, shorten);
    return parts === value ? output : { ...output, value: parts };
  }
  if (type !== 'text' && type !== 'json') return output;
  const text = type === 'text' ? String(value) : JSON.stringify(value);
  const line = await shorten(tool, text);
  return line === text ? output : { ...output, type: 'text', value: line };
}
