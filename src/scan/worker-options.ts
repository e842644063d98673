import { needsGrammar } from '../parse/detect-language.ts';
import type { BatchFile } from './batch-attempts.ts';

/** Fewer files than these are parsed before the optimizing compiler has earned its second of work on a grammar. */
const WORTH_OPTIMIZING = 1_000;

const QUICK_GRAMMARS = '--liftoff-only';

/** Flags for the processes that parse these files. */
export function workerOptions(
  batches: readonly (readonly BatchFile[])[],
  nodeOptions: readonly string[],
): readonly string[] {
  if (nodeOptions.includes(QUICK_GRAMMARS)) return nodeOptions;
  let files = 0;
  for (const batch of batches) for (const { path, light } of batch) if (!light && needsGrammar(path)) files++;
  return files < WORTH_OPTIMIZING ? [...nodeOptions, QUICK_GRAMMARS] : nodeOptions;
}
