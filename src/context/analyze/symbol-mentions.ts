import { isFiller } from '../../model/stop-words.ts';
import type { SymbolMention, TaskZone } from '../../model/task-analysis.ts';
import { isFileName } from './file-names.ts';
import type { Passage } from './read-passages.ts';
import { isWordUnit } from './word-runs.ts';

// Names in a task that look like definitions: `Foo.bar`, `parse()`, `snake_case`, or a word between backticks.

type Form = SymbolMention['form'];

/** Abbreviations with dots: `Foo.bar` is a name, `e.g` is not. */
const ABBREVIATION = /^(?:e\.g|i\.e|a\.k\.a|p\.s|vs|etc|w\.r\.t|a\.m|p\.m|z\.b|d\.h|u\.a|bzw|ca)$/i;

/** Words in code that come before the name of a type. */
const DEFINING =
  /(?:class|struct|interface|enum|trait|impl|type|object|module|namespace|extends|implements|new|record) $/;

/** Names that look like a definition, in order of appearance, each once per form and zone. */
export function symbolMentions(passages: readonly Passage[]): SymbolMention[] {
  const found = new Map<string, { -readonly [K in keyof SymbolMention]: SymbolMention[K] }>();
  for (const { text, zone, chains } of passages) {
    const spans = backtickSpans(text);
    let span = 0;
    for (const chain of chains) {
      while (span < spans.length && spans[span]!.end <= chain.start) span++;
      const form = formOf(text, chain, zone, spans[span]);
      if (form === null) continue;
      const name = chain.segments.at(-1)!;
      const qualifiers = chain.segments.slice(0, -1);
      const key = `${chain.segments.join('.')}\0${form}\0${zone}`;
      const known = found.get(key);
      if (known) known.count++;
      else found.set(key, { name, qualifiers, form, zone, count: 1 });
    }
  }
  return [...found.values()];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Pairs of backticks, single or double, on one line. */
export function backtickSpans(text: string): Span[] {
  const spans: Span[] = [];
  let open = text.indexOf('`');
  while (open !== -1) {
    let start = open;
    while (text[start] === '`') start++;
    const end = text.indexOf('`', start);
    if (end === -1) break;
    spans.push({ start, end });
    let after = end;
    while (text[after] === '`') after++;
    open = text.indexOf('`', after);
  }
  return spans;
}

/** How a name is written; null when it is not a symbol. The strongest form wins. */
function formOf(text: string, chain: SymbolChain, zone: TaskZone, span: Span | undefined): Form | null {
  const { segments, start, end, written } = chain;
  const name = segments.at(-1)!;
  if (ABBREVIATION.test(written) || isPartOfPath(text, chain)) return null;
  const isInside = span !== undefined && span.start <= start && end <= span.end;
  if (isInside && isWholeSpan(text, chain, span))
    return isKeyword(name) && segments.length === 1 ? null : 'backtick';
  if (text[end] === '(' && !isKeyword(name) && !/^\((?:s|es|ed|ing)\)/.test(text.slice(end, end + 5)))
    return 'call';
  if (segments.length > 1) return isFileName(written) ? null : 'qualified';
  const inCode = zone === 'code' || zone === 'trace';
  if (text[start - 1] === '<' && isCapitalized(name) && !isWordUnit(text.charCodeAt(start - 2)))
    return 'call';
  if (isCompound(name)) return 'compound';
  if (inCode) return isCapitalized(name) && isDefined(text, start) ? 'capitalized' : null;
  if (zone === 'boilerplate' || !isCapitalized(name) || isFiller(name.toLowerCase())) return null;
  return isInside || !opensSentence(text, start) ? 'capitalized' : null;
}

/** Whether a name is alone between backticks: `foo`, `foo()`, `Foo.bar(x)`, perhaps with marks such as `$` or `<`. */
function isWholeSpan(text: string, { start, end }: SymbolChain, span: Span): boolean {
  const ahead = text.slice(span.start, start).trim();
  if (!/^(?:[-@$&*.#:<!]|new |class |def |function )*$/.test(ahead)) return false;
  const behind = text.slice(end, span.end).trim();
  return behind === '' || /^(?:\([^()]{0,120}\)|[?!*&:;,=>/]{1,3}|<[\w, ]{1,40}>)$/.test(behind);
}

/** Whether a name is a segment of a path, an option or an address, and so no symbol. */
function isPartOfPath(text: string, { start, end, segments }: SymbolChain): boolean {
  const ahead = text[start - 1] ?? ' ';
  const behind = text[end] ?? ' ';
  if (ahead === '/' || ahead === '\\') return true;
  if (behind === '/' && /[\w.]/.test(text[end + 1] ?? ' ')) return true;
  return ahead === '@' && segments.length > 1 && /\w/.test(text[start - 2] ?? ' ');
}

/** Whether a word such as `class` comes before the name. */
function isDefined(text: string, start: number): boolean {
  return DEFINING.test(text.slice(Math.max(0, start - 12), start));
}

/** Whether a sentence begins here. There a capital letter says nothing. */
function opensSentence(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && /[\s"'*_([>#-]/.test(text[at]!)) {
    if (start - at > 40) return true;
    at--;
  }
  return (
    at < 0 ||
    '.!?:;•。！？：'.includes(text[at]!) ||
    (text[at] === ')' && /^\s*\d{1,2}\)$/.test(text.slice(0, at + 1)))
  );
}

/** Products and companies that are written like symbols. */
const PRODUCT_NAMES = new Set(
  `github gitlab bitbucket javascript typescript coffeescript macos ios ipados iphone ipad youtube
  stackoverflow linkedin postgresql mysql sqlite mongodb mariadb graphql websocket websockets openai
  chatgpt powershell intellij vscode webstorm pycharm ubuntu wordpress jsfiddle codepen codesandbox
  stackblitz npmjs nodejs restapi readthedocs devtools`.split(/\s+/),
);

/** `URLs`, `ORed`. */
const INFLECTED_ACRONYM = /^[A-Z]{2,}(?:s|ed|ing)$/;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindOf(character: string): number {
  if (character >= '0' && character <= '9') return DIGIT;
  const lower = character.toLowerCase();
  if (lower !== character) return UPPER;
  return lower !== character.toUpperCase() ? LOWER : OTHER;
}

/** Whether capitals and digits are where a sentence has none: `aB`, `HTTPServer`, `Linear1D`, `Python3`. */
function isCamel(name: string): boolean {
  let before = OTHER;
  let capitals = 0;
  for (let at = 0; at < name.length; at++) {
    const kind = kindOf(name[at]!);
    if (before === LOWER && kind === UPPER) return true;
    // "HTTPServer" continues with a word, "URLs" does not.
    if (capitals > 1 && kind === LOWER && at + 1 < name.length && kindOf(name[at + 1]!) === LOWER)
      return true;
    if (kind === DIGIT && at > 0 && kindOf(name[0]!) === UPPER && name.length > 2) return true;
    capitals = kind === UPPER ? capitals + 1 : 0;
    before = kind;
  }
  return false;
}

/** `snake_case`, `CamelCase`, `SCREAMING_CASE`, `__dunder__`: no word of a sentence is written like this. */
function isCompound(name: string): boolean {
  if (name.length < 3 || PRODUCT_NAMES.has(name.toLowerCase())) return false;
  if (!name.includes('_')) return isCamel(name) && !INFLECTED_ACRONYM.test(name);
  const bare = name.replace(/^_+/, '');
  const kind = kindOf(bare[0] ?? '');
  return (kind === LOWER || kind === UPPER) && bare.length > 1;
}

/** `Calendar`, `LPOP`: perhaps a name, perhaps just a noun. */
function isCapitalized(name: string): boolean {
  if (name.length < 2 || kindOf(name[0]!) !== UPPER) return false;
  return !PRODUCT_NAMES.has(name.toLowerCase()) && !INFLECTED_ACRONYM.test(name);
}

/** Keywords that can come before a parenthesis without being called. */
const KEYWORDS = new Set(
  `if else elif for foreach while until switch case match return function fn func def fun sub catch except
  with and or not in is as new throw raise await yield typeof sizeof instanceof assert when unless do try
  let const var val import export class struct enum trait impl interface extends super self this cls print
  lambda void int str string bool float double char long any none null nil true false undefined del pass
  break continue from where select public private protected static final async mut ref pub use mod begin
  end then type typename template namespace using require include`.split(/\s+/),
);

function isKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}

/** A name as written in the text, with its qualifiers. */
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

/** The length of the separator: `.`, `?.`, `::`, `->`, `#`, or `\` before a capital; 0 for none. */
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

/** Whether a word has only small letters. It is a name only between backticks or before a parenthesis. */
function isPlainWord(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit < 97 || unit > 122) return false;
  }
  return true;
}

/** The names in a text, qualified or not, in order. Plain words without any mark of a name are left out. */
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
    // A number is not a name, and neither are the letters after it.
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
