import { handleLine, readHandleLine } from '../handle-line.ts';
import { HANDLE_ABOVE_CHARS } from '../rewrite-history.ts';
import { SmallCache } from '../small-cache.ts';
import type { ToolResultStore } from '../tool-result-store.ts';

export interface AdapterOptions {
  /** The pack for the call that is about to be made: `async () => (await builder.build(state)).text`. */
  readonly pack: () => Promise<string> | string;
  /** With a store, long tool results leave the messages as handles. */
  readonly store?: ToolResultStore;
  readonly handleAboveChars?: number;
  /** Context of the repository, such as a rendered package. */
  readonly repository?: string;
}

const REMEMBERED = 256;

export type Shorten = (tool: string, text: string) => Promise<string>;

/**
 * Puts a long result into the store and gives the line that stands for it. Frameworks hand in the whole history
 * before every call: a text that was seen before is not hashed again.
 */
export function createShorten({ store, handleAboveChars = HANDLE_ABOVE_CHARS }: AdapterOptions): Shorten {
  const seen = new SmallCache<{ readonly text: string; readonly line: string }>(REMEMBERED);
  return async (tool, text) => {
    if (store === undefined || text.length <= handleAboveChars || readHandleLine(text) !== null) return text;
    const key = `${tool} ${text.length} ${text.slice(0, 64)} ${text.slice(-64)}`;
    const known = seen.get(key);
    if (known?.text === text) return known.line;
    const line = handleLine(await store.put({ tool, content: text }));
    seen.set(key, { text, line });
    return line;
  };
}
