import { isWordUnit } from './word-runs.ts';

/** A name as it stands in the text, with what qualifies it. */
export interface SymbolChain {
  /** As written: `$this->load`. */
  readonly written: string;
  readonly segments: readonly string[];
  readonly start: number;
  readonly end: number;
}

const MAX_SEGMENTS = 12;
const MAX_NAME = 128;
const DOLLAR = 36;

function isNameUnit(unit: number): boolean {
  return unit === DOLLAR || isWordUnit(unit);
}

function isNameStart(unit: number): boolean {
  return isNameUnit(unit) && !(unit >= 48 && unit <= 57);
}

/** How long the separator at a place is: `.`, `?.`, `::`, `->`, `#`, and `\` in front of a capital; 0 for none. */
function separatorLength(text: string, at: number): number {
  const [here, next] = [text[at], text[at + 1]];
  if (here === '.' || here === '#') return 1;
  if ((here === ':' && next === ':') || (here === '-' && next === '>') || (here === '?' && next === '.'))
    return 2;
  if (here !== '\\') return 0;
  const length = next === '\\' ? 2 : 1;
  const capital = text.charCodeAt(at + length);
  return capital >= 65 && capital <= 90 ? length : 0;
}

function nameEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isNameUnit(text.charCodeAt(at))) at++;
  return at;
}

function withoutDollars(segment: string): string {
  return segment.includes('$') ? segment.replace(/^\$+|\$+$/g, '') : segment;
}

/** Lower-case letters alone are a name only between backticks or in front of a parenthesis. */
function isPlainWord(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit < 97 || unit > 122) return false;
  }
  return true;
}

/** The names in a text, qualified or not, in order; plain words that nothing marks as a name are left out. */
export function symbolChains(text: string): SymbolChain[] {
  const chains: SymbolChain[] = [];
  const hasBacktick = text.includes('`');
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (!isNameUnit(unit)) {
      at++;
      continue;
    }
    const start = at;
    at = nameEnd(text, at);
    // a number is no name, and neither is what hangs on it
    if (!isNameStart(unit)) continue;
    const segments = [withoutDollars(text.slice(start, at))];
    let isLong = at - start > MAX_NAME;
    for (let length = separatorLength(text, at); length > 0; length = separatorLength(text, at)) {
      const next = at + length;
      if (next >= text.length || !isNameStart(text.charCodeAt(next))) break;
      at = nameEnd(text, next);
      isLong ||= at - next > MAX_NAME || segments.length >= MAX_SEGMENTS;
      if (!isLong) segments.push(withoutDollars(text.slice(next, at)));
    }
    if (segments.length === 1 && !hasBacktick && text[at] !== '(' && isPlainWord(segments[0]!)) continue;
    if (!isLong && !segments.includes(''))
      chains.push({ written: text.slice(start, at), segments, start, end: at });
  }
  return chains;
}
