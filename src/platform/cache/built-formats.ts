import { readFileSync } from 'node:fs';

/** Set by the build, from the code that decides about what is stored. */
declare const __LOADOUT_SEGMENT_FORMAT__: number | undefined;
declare const __LOADOUT_RULES__: string | undefined;
declare const __LOADOUT_ENGINES__: string | undefined;

/** Numbers that change by themselves when other code would find something else in the same files. */
interface BuiltFormats {
  /** Of what parsers and the tokenizer find, and how it is laid out. */
  readonly segments: number;
  /** Of how files are classified and linked. */
  readonly rules: string;
}

/** When the sources run as they are, parsing is done by the worker that was built: its formats count. */
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

/** The versions of Node that will do, as `package.json` says it: `^20.19.0 || >=22.12.0`. */
export function neededNode(): string {
  return typeof __LOADOUT_ENGINES__ !== 'undefined'
    ? __LOADOUT_ENGINES__
    : JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).engines.node;
}
