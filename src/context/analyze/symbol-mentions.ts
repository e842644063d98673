import { isFiller } from '../../model/stop-words.ts';
import type { SymbolMention, TaskZone } from '../../model/task-analysis.ts';
import { isFileName } from './file-names.ts';
import type { Passage } from './passage.ts';
import type { SymbolChain } from './symbol-chains.ts';
import { isCapitalized, isCompound, isKeyword } from './symbol-shape.ts';
import { isWordUnit } from './word-runs.ts';

type Form = SymbolMention['form'];

/** Words that hold a place of code in prose: `Foo.bar` is a name, `e.g` is not. */
const ABBREVIATION = /^(?:e\.g|i\.e|a\.k\.a|p\.s|vs|etc|w\.r\.t|a\.m|p\.m|z\.b|d\.h|u\.a|bzw|ca)$/i;

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

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Pairs of backticks, single or double, on one line. */
function backtickSpans(text: string): Span[] {
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

/** `foo`, `foo()`, `Foo.bar(x)` alone between backticks, perhaps with marks of a variable or a type. */
function isWholeSpan(text: string, { start, end }: SymbolChain, span: Span): boolean {
  const ahead = text.slice(span.start, start).trim();
  if (!/^(?:[-@$&*.#:<!]|new |class |def |function )*$/.test(ahead)) return false;
  const behind = text.slice(end, span.end).trim();
  return behind === '' || /^(?:\([^()]{0,120}\)|[?!*&:;,=>/]{1,3}|<[\w, ]{1,40}>)$/.test(behind);
}

/** A segment of a path, an option or an address is no symbol. */
function isPartOfPath(text: string, { start, end, segments }: SymbolChain): boolean {
  const ahead = text[start - 1] ?? ' ';
  const behind = text[end] ?? ' ';
  if (ahead === '/' || ahead === '\\') return true;
  if (behind === '/' && /[\w.]/.test(text[end + 1] ?? ' ')) return true;
  return ahead === '@' && segments.length > 1 && /\w/.test(text[start - 2] ?? ' ');
}

/** The name behind a word that defines one. */
function isDefined(text: string, start: number): boolean {
  return DEFINING.test(text.slice(Math.max(0, start - 12), start));
}

/** Where every word is capitalised, a capital says nothing. */
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
