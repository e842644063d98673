import { needsGrammar } from '../parse/detect-language.ts';
import type { SegmentJobFile } from './open-segment.ts';

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
  queued: readonly SegmentJobFile[],
  nodeOptions: readonly string[],
  fillsMachine: boolean,
): readonly string[] {
  const flags = fillsMachine ? [...nodeOptions, COMPILE_AT_ONCE] : nodeOptions;
  if (flags.includes(QUICK_GRAMMARS)) return flags;
  const files = queued.filter(({ path, light }) => !light && needsGrammar(path)).length;
  return files < WORTH_OPTIMIZING ? [...flags, QUICK_GRAMMARS] : flags;
}
