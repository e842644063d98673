/** What stands between `[` and `]`: code ranges, maybe negated. */
export interface CharacterClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [low: number, high: number])[];
}

const NAMED_RANGES: ReadonlyMap<string, CharacterClass['ranges']> = new Map([
  ['alnum', ranges('09AZaz')],
  ['alpha', ranges('AZaz')],
  ['blank', ranges('\t\t  ')],
  ['cntrl', ranges('\x00\x1f\x7f\x7f')],
  ['digit', ranges('09')],
  ['graph', ranges('!~')],
  ['lower', ranges('az')],
  ['print', ranges(' ~')],
  ['punct', ranges('!/:@[`{~')],
  ['space', ranges('\t\r  ')],
  ['upper', ranges('AZ')],
  ['xdigit', ranges('09AFaf')],
]);

function ranges(ends: string): CharacterClass['ranges'] {
  return Array.from({ length: ends.length / 2 }, (_, i) => [
    ends.charCodeAt(2 * i),
    ends.charCodeAt(2 * i + 1),
  ]);
}

export function classContains(characterClass: CharacterClass, code: number): boolean {
  for (const [low, high] of characterClass.ranges) {
    if (code >= low && code <= high) return !characterClass.negated;
  }
  return characterClass.negated;
}

/** Reads the class whose `[` stands at `open`; null when it never closes or names an unknown `[:class:]`. */
export function readCharacterClass(
  pattern: string,
  open: number,
): { readonly characterClass: CharacterClass; readonly next: number } | null {
  let at = open + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at += 1;
  const found: (readonly [number, number])[] = [];
  let previous: number | null = null;
  // A `]` directly after the opening is a member, not the end.
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    if (at >= pattern.length) return null;
    if (pattern.startsWith('[:', at)) {
      const close = pattern.indexOf(']', at + 2);
      if (close === -1) return null;
      if (close > at + 2 && pattern[close - 1] === ':') {
        const named = NAMED_RANGES.get(pattern.slice(at + 2, close - 1));
        if (named === undefined) return null;
        found.push(...named);
        previous = null;
        at = close + 1;
        continue;
      }
    }
    const after = pattern[at + 1];
    const isRange: boolean = pattern[at] === '-' && previous !== null && after !== undefined && after !== ']';
    if (isRange) at += 1;
    if (pattern[at] === '\\') at += 1;
    const code = pattern.codePointAt(at);
    if (code === undefined) return null;
    found.push(isRange && previous !== null ? [previous, code] : [code, code]);
    previous = isRange ? null : code;
    at += code > 0xffff ? 2 : 1;
  }
  return { characterClass: { negated, ranges: found }, next: at + 1 };
}
