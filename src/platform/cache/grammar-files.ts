import { readFileSync } from 'node:fs';
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
