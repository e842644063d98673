import { checkArguments, required, TEXT } from '../../schema/check-arguments.ts';

/** What a template adds around the files, before it is known: about 1000 tokens. */
export const TEMPLATE_OVERHEAD_CHARACTERS = 4000;
export const CHARACTERS_PER_TOKEN = 4;
export const MAX_FILE_BYTES = 1024 * 1024;
export const MAX_TOTAL_BYTES = 10 * 1024 * 1024;
export const MAX_ALWAYS_INCLUDE_BYTES = 2 * 1024 * 1024;

export const OVERHEAD_WARNING = '[WARNING: Template overhead exceeds token budget; no file context included]';
export const OVER_BUDGET_WARNING = '[WARNING: Context exceeds budget even with required content only]';
export const FILE_TOO_LARGE = '[File exceeds size limit]';
export const TOTAL_TOO_LARGE = '[Skipped: would exceed total size cap]';
export const UNREADABLE = '[Could not read file]';
export const IN_REQUIRED_CONTEXT = '[Shown under Required Context]';
export const RESTRICTED = '[Not shown: outside the paths of this role]';
export const keptByGuideline = (id: string): string => `[Not shown: kept out by the guideline ${id}]`;
export const ALWAYS_INCLUDE_CAPPED = `[WARNING: always_include capped at ${MAX_ALWAYS_INCLUDE_BYTES / 1024}KB]`;

/** Roughly: four characters make a token. */
export function estimateTokens(text: string): number {
  checkArguments('estimateTokens', { text }, { text: required(TEXT) });
  return Math.floor(text.length / CHARACTERS_PER_TOKEN);
}
