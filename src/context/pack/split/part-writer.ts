import { LoadoutError } from '../../../model/loadout-error.ts';

export interface PartWriterOptions {
  /** Most tokens of a part. */
  readonly limit: number;
  readonly count: (text: string) => number;
  /** What each part begins and ends with. */
  readonly head: (part: number) => string;
  readonly tail: string;
  /** Takes the text of the parts in order, numbered from 1. */
  readonly write: (part: number, text: string) => void | Promise<void>;
}

export interface PartWriter {
  /** Room for the pieces of an empty part. */
  readonly room: number;
  /** Writes a piece that fits into an empty part; opens the next part when this one is full. */
  add(text: string, tokens: number): Promise<void>;
  /** Ends the last part; resolves to how many there are and what they count. */
  finish(): Promise<{ readonly parts: number; readonly tokens: number }>;
}

/** Fills numbered parts one after the other; none has a token too many. */
export function createPartWriter({ limit, count, head, tail, write }: PartWriterOptions): PartWriter {
  const tailTokens = count(tail);
  // later numbers have more digits
  const headTokens = count(head(9_999));
  const room = limit - headTokens - tailTokens;
  if (room < 1)
    throw new LoadoutError('bad-flag', `--split: a part of ${limit} tokens has no room for its own frame`, {
      subject: '--split',
      hint: 'give at least 1k',
    });
  let part = 0;
  let left = 0;
  let total = 0;
  const put = async (text: string, tokens: number) => {
    if (text === '') return;
    total += tokens;
    await write(part, text);
  };
  const next = async () => {
    if (part > 0) await put(tail, tailTokens);
    part++;
    left = room;
    await put(head(part), count(head(part)));
  };
  return {
    room,
    async add(text, tokens) {
      if (part === 0 || tokens > left) await next();
      left -= tokens;
      await put(text, tokens);
    },
    async finish() {
      if (part > 0) await put(tail, tailTokens);
      return { parts: part, tokens: total };
    },
  };
}
