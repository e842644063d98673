import { ScriptBodyScanner } from './script-body-scanner.ts';

/**
 * Most of a script is function bodies and values, and almost nothing in them is kept. This blanks those that hold
 * no definition, no import and no test, so that the parser builds a tree of what matters only. Offsets stay as they
 * are. Where the text does not add up, it is returned unchanged.
 */
export function blankScriptBodies(text: string): string {
  const scanner = new ScriptBodyScanner(text);
  if (!scanner.run() || scanner.ranges.length === 0) return text;
  let blanked = '';
  let at = 0;
  for (const [start, end] of scanner.ranges) {
    blanked += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}
