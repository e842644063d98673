import type { HookClient } from './hook-call.ts';

export interface TextLimit {
  /** UTF-16 units. */
  readonly characters: number;
  /** UTF-8. */
  readonly bytes: number;
}

const NONE = Number.POSITIVE_INFINITY;

/**
 * What a client takes as additional context in one piece, a little below where it begins to cut: Claude Code keeps
 * 10,000 characters, Codex 2,500 tokens that it counts as four bytes each. Copilot says nothing of a limit, and is
 * treated like Claude Code.
 */
const LIMITS: Readonly<Record<HookClient, TextLimit>> = {
  claude: { characters: 9_900, bytes: NONE },
  codex: { characters: NONE, bytes: 9_800 },
  gemini: { characters: NONE, bytes: NONE },
  copilot: { characters: 9_900, bytes: NONE },
  opencode: { characters: NONE, bytes: NONE },
};

export const contextLimit = (client: HookClient): TextLimit => LIMITS[client];
export const NO_LIMIT: TextLimit = { characters: NONE, bytes: NONE };

export function fitsLimit(text: string, { characters, bytes }: TextLimit): boolean {
  return text.length <= characters && (bytes === NONE || Buffer.byteLength(text) <= bytes);
}
