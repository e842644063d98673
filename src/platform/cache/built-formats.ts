// Numbers that the build puts into the program: the formats of stored data and the versions of Node.

import { readFileSync } from 'node:fs';

/** Set by the build, as hashes of the code that decides what is stored. */
declare const __LOADOUT_SEGMENT_FORMAT__: number | undefined;
declare const __LOADOUT_RULES__: string | undefined;
declare const __LOADOUT_ENGINES__: string | undefined;

/** Numbers that the build changes when the code may find something else in the same files. */
interface BuiltFormats {
  /** For the findings of parsers and the tokenizer, and their layout on disk. */
  readonly segments: number;
  /** For the rules that classify and link files. */
  readonly rules: string;
}

/** Sources that run without a build still parse in the built worker, so its formats count. */
function readFormats(): BuiltFormats {
  if (typeof __LOADOUT_SEGMENT_FORMAT__ !== 'undefined' && typeof __LOADOUT_RULES__ !== 'undefined')
    return { segments: __LOADOUT_SEGMENT_FORMAT__, rules: __LOADOUT_RULES__ };
  try {
    return JSON.parse(readFileSync(new URL('../../../dist/formats.json', import.meta.url), 'utf8'));
  } catch {
    return { segments: 0, rules: 'unbuilt' };
  }
}

/** The formats of this build. */
export const BUILT_FORMATS: BuiltFormats = readFormats();

/** The versions of Node that Loadout runs on, from `package.json`: `^20.19.0 || >=22.12.0`. */
export function neededNode(): string {
  return typeof __LOADOUT_ENGINES__ !== 'undefined'
    ? __LOADOUT_ENGINES__
    : JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).engines.node;
}
