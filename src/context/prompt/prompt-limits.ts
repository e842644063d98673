import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { checkArguments, required, TEXT } from '../../schema/check-arguments.ts';
import type { ItemSource, SourceReader } from '../compose/index.ts';
import { CHARACTERS_PER_TOKEN } from '../fit/index.ts';

// The limits of a prompt, the notices that say when one is reached, and the reader that keeps to them.

/** Room for a template that is not known yet: about 1000 tokens. */
export const TEMPLATE_OVERHEAD_CHARACTERS = 4000;
/** A larger file is not shown. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** Of all files that are read for one prompt. */
export const MAX_TOTAL_BYTES = 10 * 1024 * 1024;
/** Of the files in `always_include`. They ignore the budget, so they have a limit of their own. */
export const MAX_ALWAYS_INCLUDE_BYTES = 2 * 1024 * 1024;

// Notices in the text of a prompt. Agents and tests read them, so their wording is fixed.
export const OVERHEAD_WARNING = '[WARNING: Template overhead exceeds token budget; no file context included]';
export const OVER_BUDGET_WARNING = '[WARNING: Context exceeds budget even with required content only]';
export const FILE_TOO_LARGE = '[File exceeds size limit]';
export const TOTAL_TOO_LARGE = '[Skipped: would exceed total size cap]';
export const UNREADABLE = '[Could not read file]';
export const IN_REQUIRED_CONTEXT = '[Shown under Required Context]';
export const RESTRICTED = '[Not shown: outside the paths of this role]';
export const keptByGuideline = (id: string): string => `[Not shown: kept out by the guideline ${id}]`;
export const ALWAYS_INCLUDE_CAPPED = `[WARNING: always_include capped at ${MAX_ALWAYS_INCLUDE_BYTES / 1024}KB]`;

/** A rough count: four characters make a token. */
export function estimateTokens(text: string): number {
  checkArguments('estimateTokens', { text }, { text: required(TEXT) });
  return Math.floor(text.length / CHARACTERS_PER_TOKEN);
}

/** A file, or the reason why it is not shown. */
type PromptRead =
  | { readonly kind: 'text'; readonly source: ItemSource; readonly bytes: number }
  | { readonly kind: 'too-large' | 'over-total' | 'unreadable' | 'gone' };

/** Reads files for one prompt. */
export interface PromptReader {
  /** The same path gives the same result and counts once. */
  read(path: string): PromptRead;
}

/** A reader with a limit for each file and a limit for all files together. */
export function createPromptReader(root: SafeRoot, sources: SourceReader): PromptReader {
  const known = new Map<string, PromptRead>();
  let left = MAX_TOTAL_BYTES;
  const readNew = (path: string): PromptRead => {
    const stat = root.stat(path);
    if (stat === null) return { kind: 'gone' };
    const { size } = stat.hint;
    if (stat.type !== 'file') return { kind: 'unreadable' };
    if (size > MAX_FILE_BYTES) return { kind: 'too-large' };
    if (size > left) return { kind: 'over-total' };
    const source = sources.read(path);
    if (source === null) return { kind: 'unreadable' };
    left -= size;
    return { kind: 'text', source, bytes: size };
  };
  return {
    read(path) {
      let read = known.get(path);
      if (read === undefined) {
        read = readNew(path);
        known.set(path, read);
      }
      return read;
    },
  };
}
