import { setFlagsFromString } from 'node:v8';

/** Only the function of this number is ever optimized; -1 for all. No grammar has so many. */
const NONE = '--wasm-tier-up-filter=1000000';
const ALL = '--wasm-tier-up-filter=-1';

/** Versions that know the flag, and whose optimizer is used at all (see `parserNodeOptions`). */
const major = Number(process.versions.node.split('.')[0]);
const isKnown = major >= 20 && major < 24;

let areOptimized = true;

/**
 * Whether wasm functions that are first called from now on may be optimized once they have run for a while. Grammars
 * have lexers for which that takes a second, even if only three files are to be read.
 */
export function optimizeNewGrammars(wanted: boolean): void {
  if (!isKnown || wanted === areOptimized) return;
  areOptimized = wanted;
  setFlagsFromString(wanted ? ALL : NONE);
}
