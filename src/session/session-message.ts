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
