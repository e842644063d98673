// Shared by the adapters for agent frameworks: their options, and how long results become handles.

import { createHash } from 'node:crypto';
import { handleLine, readHandleLine } from '../describe-result.ts';
import { HANDLE_ABOVE_CHARS } from '../rewrite-history.ts';
import { SmallCache } from '../safe-texts.ts';
import type { ToolResultStore } from '../tool-result-store.ts';

export interface AdapterOptions {
  /** The recall block for the next model call: `async () => (await builder.build(state)).text`. */
  readonly pack: () => Promise<string> | string;
  /** With a store, long tool results leave the messages as handles. */
  readonly store?: ToolResultStore;
  /** Results with more characters leave the messages; 1,000 when it is missing. */
  readonly handleAboveChars?: number;
  /** Context of the repository, such as a rendered package. */
  readonly repository?: string;
}

/** Lines that are kept by the hash of their result. */
const REMEMBERED = 20_000;

/** The text itself when it is short, else the line of its handle. */
export type Shorten = (tool: string, text: string) => Promise<string>;

/**
 * Puts a long result into the store and returns the line that replaces it. Frameworks pass the whole history
 * before every call: a result that was seen before is not written again, and its text is not held here.
 */
export function createShorten({ store, handleAboveChars = HANDLE_ABOVE_CHARS }: AdapterOptions): Shorten {
  const lines = new SmallCache<string>(REMEMBERED);
  return async (tool, text) => {
    if (store === undefined || text.length <= handleAboveChars || readHandleLine(text) !== null) return text;
    const key = createHash('sha256').update(`${tool}\n`).update(text, 'utf16le').digest('base64');
    const known = lines.get(key);
    if (known !== undefined) return known;
    const line = handleLine(await store.put({ tool, content: text }));
    lines.set(key, line);
    return line;
  };
}

/** Shortens each text of a result that has parts; pictures and files stay. The same list when nothing was long. */
export async function shortenParts<Part>(
  parts: readonly Part[],
  tool: string,
  shorten: Shorten,
): Promise<readonly Part[]> {
  const shortened = await Promise.all(
    parts.map(async (part) => {
      const { text } = (part ?? {}) as { readonly text?: unknown };
      if (typeof text !== 'string') return part;
      const line = await shorten(tool, text);
      return line === text ? part : { ...part, text: line };
    }),
  );
  return shortened.some((part, at) => part !== parts[at]) ? shortened : parts;
}
