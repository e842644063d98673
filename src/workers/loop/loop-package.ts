import type { Settings } from '../../config/settings.ts';
import { buildPackage } from '../../context/pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { LoopPackage } from './loop-environment.ts';

export interface PackageSource {
  readonly repository: string;
  readonly settings: Settings;
  /** The loop's own files say nothing about the task. */
  readonly loopFolder: string;
  readonly signal: AbortSignal;
}

const BYTES_PER_TOKEN = 4;
/** Less than this many tokens hold no file worth reading. */
const MIN_TOKENS = 300;
const MAX_TRIES = 4;

/** A context package of at most so many bytes; null when the repository has nothing to say that fits. */
export async function buildLoopPackage(
  source: PackageSource,
  task: string,
  maxBytes: number,
): Promise<LoopPackage | null> {
  const { repository, settings, loopFolder, signal } = source;
  let tokens = Math.min(settings.tokenBudget, Math.floor(maxBytes / BYTES_PER_TOKEN));
  for (let tried = 0; tried < MAX_TRIES && tokens >= MIN_TOKENS; tried += 1) {
    const { pack, text } = await buildPackage({
      repo: repository,
      settings: { ...settings, tokenBudget: tokens },
      task,
      allow: (path) => !path.startsWith(`${loopFolder}/`),
      signal,
    }).catch(nothingWhenEmpty);
    const bytes = Buffer.byteLength(text);
    if (pack === null || pack.items.length === 0) return null;
    if (bytes <= maxBytes) return { id: pack.id, text };
    tokens = Math.floor((tokens * maxBytes * 0.97) / bytes);
  }
  return null;
}

function nothingWhenEmpty(error: unknown): { pack: null; text: string } {
  if (error instanceof LoadoutError && error.code === 'empty-task') return { pack: null, text: '' };
  throw error;
}
