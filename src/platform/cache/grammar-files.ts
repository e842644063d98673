// Reads the packaged grammars, and switches the optimizer for them.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { LoadoutError } from '../../model/loadout-error.ts';

/** Grammars ship compressed, a fifteenth of their size; unpacking one takes a few milliseconds. */
export function readPackagedGrammar(name: string): Uint8Array {
  const file = new URL(`./grammars/${name}.wasm.br`, import.meta.url);
  try {
    return brotliDecompressSync(readFileSync(file));
  } catch (cause) {
    throw new LoadoutError('grammar-missing', `the grammar "${name}" is not part of this installation`, {
      subject: name,
      hint: 'install the package again',
      cause,
    });
  }
}

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
