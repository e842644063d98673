import { lexExpression, type Token } from './lex-expression.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';

export type Segment =
  | { readonly kind: 'text'; readonly text: string; readonly place: TemplatePlace }
  | { readonly kind: 'output' | 'tag'; readonly tokens: readonly Token[]; readonly place: TemplatePlace };

const MAX_SOURCE_CHARACTERS = 256 * 1024;
const OPEN = /\{[{%#][-+]?/g;
const END_RAW = /\{%[-+]?\s*endraw\s*([-+]?)%\}/g;

/** What goes from the text behind a mark: nothing, one line break, or all white space. */
type Trim = 'nothing' | 'line-break' | 'all';

/**
 * Cuts a source into text and what stands between marks. White space is treated as Jinja does with
 * `trim_blocks` and `lstrip_blocks`: a tag or a comment alone on its line leaves nothing behind.
 */
export function lexTemplate(source: string, name: string): readonly Segment[] {
  if (source.length > MAX_SOURCE_CHARACTERS) {
    const what = `the template has ${source.length} characters; at most ${MAX_SOURCE_CHARACTERS} are read`;
    throw new TemplateError('template-limit', what, { template: name, line: 1 });
  }
  return new TemplateLexer(source.replace(/\r\n/g, '\n').replace(/\n$/, ''), name).segments();
}

class TemplateLexer {
  private readonly source: string;
  private readonly name: string;
  private readonly found: Segment[] = [];
  private at = 0;
  private trim: Trim = 'nothing';
  private startsLine = true;
  private line = 1;
  private counted = 0;

  constructor(source: string, name: string) {
    this.source = source;
    this.name = name;
  }

  segments(): readonly Segment[] {
    for (;;) {
      OPEN.lastIndex = this.at;
      const open = OPEN.exec(this.source);
      if (!open) break;
      this.addText(open.index, open[0]);
      this.readMark(open.index, open[0]);
    }
    this.addText(this.source.length, '');
    return this.found;
  }

  private readMark(start: number, open: string): void {
    const place = this.placeAt(start);
    const inside = start + open.length;
    if (open[1] === '#') {
      const end = this.source.indexOf('#}', inside);
      if (end < 0) throw new TemplateError('template-syntax', 'the comment is not closed with "#}"', place);
      this.moveTo(end + 2, this.source[end - 1] === '-' && end > inside ? 'all' : 'line-break');
      return;
    }
    const isTag = open[1] === '%';
    const { tokens, end, trimsAfter } = lexExpression(this.source, inside, isTag ? '%}' : '}}', place);
    this.moveTo(end, trimsAfter ? 'all' : isTag ? 'line-break' : 'nothing');
    const isRaw = isTag && tokens.length === 1 && tokens[0]?.text === 'raw';
    if (isRaw) this.readRaw(place, trimsAfter);
    else this.found.push({ kind: isTag ? 'tag' : 'output', tokens, place });
  }

  private readRaw(place: TemplatePlace, trimsAfter: boolean): void {
    // As in Jinja: the line break behind this one tag stays.
    this.trim = trimsAfter ? 'all' : 'nothing';
    END_RAW.lastIndex = this.at;
    const end = END_RAW.exec(this.source);
    if (!end) throw new TemplateError('template-syntax', '"raw" is not closed with "endraw"', place);
    this.addText(end.index, end[0].slice(0, 3).trimEnd());
    this.moveTo(end.index + end[0].length, end[1] === '-' ? 'all' : 'line-break');
  }

  private moveTo(at: number, trim: Trim): void {
    this.at = at;
    this.trim = trim;
    this.startsLine = false;
  }

  private addText(end: number, nextOpen: string): void {
    const place = this.placeAt(this.at);
    let text = this.source.slice(this.at, end);
    if (this.trim === 'all') text = text.trimStart();
    else if (this.trim === 'line-break' && text.startsWith('\n')) {
      text = text.slice(1);
      this.startsLine = true;
    }
    if (nextOpen.endsWith('-')) text = text.trimEnd();
    else if (/^\{[%#]$/.test(nextOpen)) text = this.withoutIndentation(text);
    if (text !== '') this.found.push({ kind: 'text', text, place });
  }

  private withoutIndentation(text: string): string {
    const lineStart = text.lastIndexOf('\n') + 1;
    const isAlone = (lineStart > 0 || this.startsLine) && /^[ \t]*$/.test(text.slice(lineStart));
    return isAlone ? text.slice(0, lineStart) : text;
  }

  private placeAt(offset: number): TemplatePlace {
    for (; this.counted < offset; this.counted += 1) {
      if (this.source[this.counted] === '\n') this.line += 1;
    }
    return { template: this.name, line: this.line };
  }
}
