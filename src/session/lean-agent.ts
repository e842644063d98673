// A small agent loop that uses everything in this folder. It is an example for integrators, and the tests of a whole
// session run it.

import {
  type ArgumentKinds,
  checkArguments,
  FUNCTION,
  listOf,
  mapWith,
  objectWith,
  RECORD,
  required,
  TEXT,
  wholeNumber,
} from '../schema/check-arguments.ts';
import { ContextBuilder, type RecallBlock } from './context-builder.ts';
import { handleLine } from './describe-result.ts';
import { inject } from './inject.ts';
import type { SessionMessage, SessionToolCall } from './message-shapes.ts';
import { type ContextPolicy, POLICY } from './policy/context-policy.ts';
import type { SessionState } from './recall-block.ts';
import { type HistoryOptions, rewriteHistory } from './rewrite-history.ts';
import { openMemoryStore } from './stores/indexed-store.ts';
import { STORE, type ToolResultContent, type ToolResultStore } from './tool-result-store.ts';

/** The input of one model call. */
export interface ModelCall {
  readonly system: string;
  readonly messages: readonly SessionMessage[];
  readonly tools: readonly string[];
}

/** Text, tool calls, or both. Without tool calls the run ends. */
export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly SessionToolCall[];
}

/** A piece of a reply that is streamed. */
export type ModelChunk =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: SessionToolCall };

/** The model of the caller, whatever its provider. */
export interface LeanModel {
  complete(call: ModelCall): Promise<ModelReply>;
  stream(call: ModelCall): AsyncIterable<ModelChunk>;
}

/** A tool of the caller. An exception becomes a result that begins with "error:". */
export type LeanTool = (input: unknown) => Promise<ToolResultContent> | ToolResultContent;

/** Only the model is required. */
export interface LeanAgentOptions extends HistoryOptions {
  readonly model: LeanModel;
  readonly tools?: Readonly<Record<string, LeanTool>>;
  readonly systemPrompt?: string;
  /** The conservative default when it is missing. */
  readonly policy?: ContextPolicy;
  readonly store?: ToolResultStore;
  /** Model calls of one run; 20 when it is missing. */
  readonly maxSteps?: number;
  /** Plan and facts, asked for before every call. */
  readonly state?: () => Pick<SessionState, 'plan' | 'facts' | 'requests'>;
}

/** The end of a run. */
export interface AgentResult {
  readonly answer: string;
  readonly messages: readonly SessionMessage[];
  /** Model calls that were made. */
  readonly steps: number;
  /** False when `maxSteps` ended the run. */
  readonly isFinished: boolean;
  /** The recall block of each call without its text: which results it holds, which it leaves out, and why. */
  readonly packs: readonly RecallAccount[];
}

/** The results that one recall block holds and leaves out. */
export interface RecallAccount extends Omit<RecallBlock, 'text'> {
  /** Which call it was for, from 1. */
  readonly step: number;
  /** Characters of the recall block. */
  readonly size: number;
}

/** An event of `stream`: the account of each recall block, text as it comes, tool results, and the end. */
export type AgentEvent =
  | { readonly kind: 'pack'; readonly pack: RecallAccount }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-result'; readonly call: SessionToolCall; readonly content: string }
  | { readonly kind: 'end'; readonly result: AgentResult };

const AGENT_KINDS: ArgumentKinds<LeanAgentOptions> = {
  model: required(objectWith('a model with complete and stream', { complete: FUNCTION, stream: FUNCTION })),
  tools: mapWith('functions by name', FUNCTION),
  systemPrompt: TEXT,
  policy: POLICY,
  store: STORE,
  maxSteps: wholeNumber(1),
  state: FUNCTION,
  handleAboveChars: wholeNumber(0),
  maxHistoryBytes: wholeNumber(0),
};
const RUN_KINDS = { mission: required(TEXT), history: listOf(RECORD, 'messages') };

/**
 * A small agent loop that shows a session end to end: the recall block is rebuilt and injected before every model call,
 * and results leave the history as handles. An example that works, not a framework.
 */
export class LeanAgent {
  readonly builder: ContextBuilder;
  readonly store: ToolResultStore;
  readonly #options: LeanAgentOptions;

  constructor(options: LeanAgentOptions) {
    checkArguments('LeanAgent', options, AGENT_KINDS);
    this.#options = options;
    this.store = options.store ?? openMemoryStore();
    this.builder = new ContextBuilder({
      store: this.store,
      ...(options.policy === undefined ? {} : { policy: options.policy }),
    });
  }

  /** Runs to the end and returns the result. */
  async execute(mission: string, history: readonly SessionMessage[] = []): Promise<AgentResult> {
    checkArguments('execute', { mission, history }, RUN_KINDS);
    const { model } = this.#options;
    for await (const event of this.#run(mission, history, async function* (call) {
      const reply = await model.complete(call);
      if (reply.text !== '') yield { kind: 'text', text: reply.text };
      return reply;
    })) {
      if (event.kind === 'end') return event.result;
    }
    throw new Error('the run ended without a result');
  }

  /** The same run, event by event. */
  stream(mission: string, history: readonly SessionMessage[] = []): AsyncGenerator<AgentEvent> {
    checkArguments('stream', { mission, history }, RUN_KINDS);
    const { model } = this.#options;
    return this.#run(mission, history, async function* (call) {
      const toolCalls: SessionToolCall[] = [];
      let text = '';
      for await (const chunk of model.stream(call)) {
        if (chunk.kind === 'tool-call') toolCalls.push(chunk.call);
        else {
          text += chunk.text;
          yield { kind: 'text', text: chunk.text };
        }
      }
      return { text, toolCalls };
    });
  }

  async *#run(
    mission: string,
    history: readonly SessionMessage[],
    ask: (call: ModelCall) => AsyncGenerator<AgentEvent, ModelReply>,
  ): AsyncGenerator<AgentEvent> {
    const { maxSteps = 20 } = this.#options;
    let messages: readonly SessionMessage[] = [...history, { role: 'user', content: mission }];
    const packs: RecallAccount[] = [];
    for (let steps = 1; ; steps++) {
      const rewritten = await rewriteHistory(messages, this.store, this.#options);
      messages = rewritten.messages;
      const { call, built } = await this.#prepare(mission, messages);
      const { text: shown, receipts, notices } = built;
      const pack = { step: steps, size: shown.length, receipts, notices: [...rewritten.notices, ...notices] };
      packs.push(pack);
      yield { kind: 'pack', pack };
      const { text, toolCalls } = yield* ask(call);
      messages = [
        ...messages,
        { role: 'assistant', content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) },
      ];
      for (const call of toolCalls) {
        const content = await this.#use(call);
        yield { kind: 'tool-result', call, content };
        messages = [...messages, { role: 'tool', content, tool: call.tool, toolCallId: call.id }];
      }
      const isFinished = toolCalls.length === 0;
      if (isFinished || steps >= maxSteps) {
        ({ messages } = await rewriteHistory(messages, this.store, this.#options));
        yield { kind: 'end', result: { answer: text, messages, steps, isFinished, packs } };
        return;
      }
    }
  }

  /** The input of the next call, with a recall block for the present state. */
  async #prepare(
    mission: string,
    messages: readonly SessionMessage[],
  ): Promise<{ call: ModelCall; built: RecallBlock }> {
    const { systemPrompt = '', tools = {}, state } = this.#options;
    const built = await this.builder.build({ ...state?.(), mission, messages });
    const call = { ...inject({ system: systemPrompt, messages }, built.text), tools: Object.keys(tools) };
    return { call, built };
  }

  /** The text of a tool's result. A tool that is missing or throws gives a text that says so. */
  async #use({ tool, input }: SessionToolCall): Promise<string> {
    const { tools = {} } = this.#options;
    if (!Object.hasOwn(tools, tool)) return `error: there is no tool ${tool}`;
    try {
      const content = await tools[tool]!(input);
      if (typeof content === 'string') return content;
      // bytes need not be text: as they are they can only be in the store
      if (content instanceof Uint8Array) return handleLine(await this.store.put({ tool, content }));
      return JSON.stringify(content) ?? '';
    } catch (error) {
      return `error: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
