import type { ExchangeOutcome, ExchangeRequest, HttpLine } from '../../platform/http-client.ts';

/** One exchange: the expected request, and the recorded answer. */
export interface Recorded {
  readonly method: string;
  /** Without the address; the query string too. */
  readonly path: RegExp;
  /** Must be in the body. */
  readonly body?: readonly string[];
  readonly status: number;
  readonly answer: unknown;
}

export interface RecordedLine extends HttpLine {
  readonly asked: readonly ExchangeRequest[];
  /** Recorded exchanges that were not used. */
  readonly left: () => number;
}

/** A connection that replays a recorded conversation. Requests must match the record exactly. */
export function recordedLine(exchanges: readonly Recorded[]): RecordedLine {
  const asked: ExchangeRequest[] = [];
  const waiting = [...exchanges];
  return {
    asked,
    left: () => waiting.length,
    exchange: async (request): Promise<ExchangeOutcome> => {
      asked.push(request);
      const path = request.url.replace(/^https?:\/\/[^/]+/, '');
      const next = waiting.shift();
      const fits =
        next?.method === request.method &&
        next.path.test(path) &&
        (next.body ?? []).every((part) => request.body?.includes(part));
      if (!next || !fits)
        throw new Error(`not in the record: ${request.method} ${path} ${request.body ?? ''}`);
      const text = JSON.stringify(next.answer);
      return { kind: 'answer', status: next.status, text, retryAfterMs: 0, bytesSent: text.length };
    },
    close: () => {},
  };
}
