import type { SessionMessage } from './session-message.ts';

const NOTE = /^\[(\d{1,9}) earlier tool results? (?:is|are) kept outside\]$/;
/** The model is in the middle of these. */
const LATEST_EXCHANGES = 3;

const noteOf = (count: number): SessionMessage => ({
  role: 'user',
  content: `[${count} earlier tool ${count === 1 ? 'result is' : 'results are'} kept outside]`,
});

const sizeOf = (message: SessionMessage): number => Buffer.byteLength(JSON.stringify(message)) + 1;

/**
 * When the history is larger than the limit, the oldest exchanges with tools leave it, down to half the limit: the
 * beginning then stays the same for many calls, and with it what a provider has cached. A call and its results go
 * together; what people said, and what the model said to them, stays. `keep` stores a result, or says that it could
 * not: then its exchange stays as well.
 */
export async function compactHistory(
  messages: readonly SessionMessage[],
  limit: number,
  keep: (message: SessionMessage) => Promise<boolean>,
): Promise<readonly SessionMessage[]> {
  let size = messages.reduce((sum, message) => sum + sizeOf(message), 1);
  if (size <= limit) return messages;
  const exchanges = findExchanges(messages).slice(0, -LATEST_EXCHANGES);
  const left = new Map<number, SessionMessage | null>();
  let count = 0;
  let noteAt = messages.findIndex(isNote);
  if (noteAt !== -1) count = Number(NOTE.exec(messages[noteAt]!.content)![1]);
  for (const { call, results } of exchanges) {
    if (size <= limit / 2) break;
    if (
      !(await keepAll(
        results.map((at) => messages[at]!),
        keep,
      ))
    )
      continue;
    const { toolCalls: _, ...said } = messages[call]!;
    left.set(call, said.content === '' ? null : said);
    for (const at of results) left.set(at, null);
    size -= [call, ...results].reduce((sum, at) => sum + sizeOf(messages[at]!), 0);
    size += said.content === '' ? 0 : sizeOf(said);
    count += results.length;
    if (noteAt === -1) noteAt = call;
  }
  if (left.size === 0) return messages;
  return messages.flatMap((message, at) => {
    const after = left.has(at) ? left.get(at)! : isNote(message) ? null : message;
    return [...(at === noteAt ? [noteOf(count)] : []), ...(after === null ? [] : [after])];
  });
}

const isNote = ({ role, content }: SessionMessage): boolean => role === 'user' && NOTE.test(content);

async function keepAll(
  results: readonly SessionMessage[],
  keep: (message: SessionMessage) => Promise<boolean>,
): Promise<boolean> {
  for (const result of results) if (!(await keep(result))) return false;
  return true;
}

/** Calls of an assistant with the results right behind them; one that is not answered yet is not finished. */
function findExchanges(messages: readonly SessionMessage[]): { call: number; results: number[] }[] {
  const found: { call: number; results: number[] }[] = [];
  messages.forEach(({ role, toolCalls = [] }, call) => {
    if (role !== 'assistant' || toolCalls.length === 0) return;
    const results: number[] = [];
    for (let at = call + 1; messages[at]?.role === 'tool'; at++) results.push(at);
    if (results.length >= toolCalls.length) found.push({ call, results });
  });
  return found;
}
