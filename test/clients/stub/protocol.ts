import type { ModelRequest, Reply } from './reply.ts';

/** The protocol of one service: how it is asked, and how it replies. */
export interface ServiceProtocol {
  matches(path: string): boolean;
  read(
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Omit<ModelRequest, 'number' | 'headers' | 'body' | 'path'>;
  /** Pieces of a stream of server-sent events, or one JSON body. */
  write(reply: SpokenReply, request: ModelRequest): WrittenReply;
  error(status: number, message: string): unknown;
}

export type SpokenReply = Extract<Reply, { kind: 'text' | 'tools' | 'structured' }>;

export type WrittenReply =
  | { readonly kind: 'stream'; readonly events: readonly StreamEvent[] }
  | { readonly kind: 'json'; readonly body: unknown };

export interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

export const USAGE = { input: 100, cached: 10, output: 20 } as const;

type Body = Readonly<Record<string, unknown>>;

export const asList = (value: unknown): readonly Body[] => (Array.isArray(value) ? (value as Body[]) : []);
export const asBody = (value: unknown): Body =>
  typeof value === 'object' && value !== null ? (value as Body) : {};
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a content field that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(part.text) || (part.content === undefined ? '' : textOf(part.content)))
    .filter((text) => text !== '')
    .join('\n');
}
