// The machine that this process runs on, and the flags of Node for our processes.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The number of cores this process may use. */
export const coreCount = (): number => availableParallelism();

/** The path of a built program: beside the bundle, or in `dist/` when the sources run as they are. */
export function builtProgram(file: string): string {
  const beside = fileURLToPath(new URL(`./${file}`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));
}

/** Flags for processes that parse. */
export function parserNodeOptions(): readonly string[] {
  const major = Number(process.versions.node.split('.')[0]);
  return [
    // syntax trees die young: a larger nursery saves a tenth of the time
    '--max-semi-space-size=32',
    '--max-old-space-size=1024',
    // workers share the cores already: helper threads for collection only get in each other's way
    '--single-threaded-gc',
    // grammars are many small functions: inlining them, standard in later versions, is worth a seventh
    ...(major === 20 ? ['--experimental-wasm-inlining'] : []),
    // the optimizing wasm compiler of these versions takes gigabytes for large grammars, or aborts
    ...(major === 24 || major === 25 ? ['--liftoff-only'] : []),
  ];
}

/**
 * For a process that mostly waits. Its nursery would shrink while it waits, and grow again while it answers: a tenth of
 * the time of a prompt.
 */
export const STANDBY_NODE_OPTIONS: readonly string[] = ['--min-semi-space-size=16'];

/** Which characters are letters, digits and blanks depends on it. */
export const unicodeVersion = (): string => process.versions.unicode ?? '';
