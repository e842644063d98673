import { needsGrammar } from '../parse/detect-language.ts';
import type { BatchFile } from './batch-attempts.ts';

/** Fewer files than these are parsed before the optimizing compiler has earned its second of work on a grammar. */
const WORTH_OPTIMIZING = 1_000;

const QUICK_GRAMMARS = '--liftoff-only';

/**
 * V8 optimizes hot code in another thread. Where every core parses, that thread waits for seconds, and all the while
 * the code runs as it is: better to stop for a moment.
 */
export const COMPILE_AT_ONCE = '--no-concurrent-recompilation';

/** Flags for the processes that parse these files. */
export function workerOptions(
  batches: readonly (readonly BatchFile[])[],
  nodeOptions: readonly string[],
  fillsMachine: boolean,
): readonly string[] {
  const flags = fillsMachine ? [...nodeOptions, COMPILE_AT_ONCE] : nodeOptions;
  if (flags.includes(QUICK_GRAMMARS)) return flags;
  let files = 0;
  for (const batch of batches) for (const { path, light } of batch) if (!light && needsGrammar(path)) files++;
  return files < WORTH_OPTIMIZING ? [...flags, QUICK_GRAMMARS] : flags;
}
