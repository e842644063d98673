import { lexExpression, type Token } from './lex-expression.ts';
import { ExpressionParser } from './parse-expression.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';
import type { IfBranch, ParsedTemplate, TemplateNode } from './template-nodes.ts';

const MAX_LEVELS = 32;
const TAGS = ['extends', 'block', 'include', 'if', 'for', 'raw'];

export function parseTemplate(name: string, source: string): ParsedTemplate {
  return new TemplateParser(name, lexTemplate(source, name)).parse();
}

/** Where a list of nodes ended: at one of the tags it was to end at, whose words are still to be read. */
interface Body {
  readonly nodes: readonly TemplateNode[];
  readonly closedBy: string;
  readonly closing: ExpressionParser;
}

class TemplateParser {
  private readonly name: string;
  private readonly segments: readonly Segment[];
  private readonly blocks = new Map<string, readonly TemplateNode[]>();
  private parent: ParsedTemplate['parent'] = null;
  private at = 0;
  private level = 0;

  constructor(name: string, segments: readonly Segment[]) {
    this.name = name;
    this.segments = segments;
  }

  parse(): ParsedTemplate {
    const start: TemplatePlace = { template: this.name, line: 1 };
    const { nodes } = this.body([''], 'the template', start);
    if (this.parent) for (const node of nodes) refuseOutsideBlock(node);
    return { name: this.name, parent: this.parent, body: nodes, blocks: this.blocks };
  }

  private body(ends: readonly string[], opener: string, place: TemplatePlace): Body {
    this.level += 1;
    if (this.level > MAX_LEVELS) throw syntax(`more than ${MAX_LEVELS} tags inside each other`, place);
    const nodes: TemplateNode[] = [];
    for (;;) {
      const segment = this.segments[this.at];
      this.at += 1;
      if (!segment) {
        if (!ends.includes('')) throw syntax(`${opener} is not closed with "${ends.at(-1)}"`, place);
        this.level -= 1;
        return { nodes, closedBy: '', closing: new ExpressionParser([], place) };
      }
      if (segment.kind === 'text') nodes.push(segment);
      else if (segment.kind === 'output') nodes.push(output(segment.tokens, segment.place));
      else {
        const words = new ExpressionParser(segment.tokens, segment.place);
        const end = ends.find((one) => one !== '' && words.takes(one));
        if (end) {
          this.level -= 1;
          return { nodes, closedBy: end, closing: words };
        }
        nodes.push(...this.tag(words, nodes));
      }
    }
  }

  private tag(words: ExpressionParser, before: readonly TemplateNode[]): readonly TemplateNode[] {
    if (words.takes('if')) return [this.ifTag(words)];
    if (words.takes('for')) return [this.forTag(words)];
    if (words.takes('block')) return [this.blockTag(words)];
    if (words.takes('include')) {
      const name = words.string();
      words.end();
      return [{ kind: 'include', name, place: words.place }];
    }
    if (words.takes('extends')) {
      const isFirst = this.level === 1 && !this.parent && before.every(isWhiteSpace);
      if (!isFirst) words.fail('"extends" must come first, and once');
      this.parent = { name: words.string(), place: words.place };
      words.end();
      return [];
    }
    return words.fail(`this tag is not known or has nothing to close; tags are ${TAGS.join(', ')}`);
  }

  private ifTag(words: ExpressionParser): TemplateNode {
    const branches: IfBranch[] = [];
    let reading = words;
    for (;;) {
      const when = reading.expression();
      reading.end();
      const { nodes, closedBy, closing } = this.body(['elif', 'else', 'endif'], '"if"', words.place);
      branches.push({ when, body: nodes, place: reading.place });
      reading = closing;
      if (closedBy === 'elif') continue;
      const otherwise = closedBy === 'else' ? this.lastBody(closing, 'endif', '"if"', words.place) : [];
      if (closedBy === 'endif') closing.end();
      return { kind: 'if', branches, otherwise, place: words.place };
    }
  }

  private forTag(words: ExpressionParser): TemplateNode {
    const names = [words.name()];
    if (words.takes(',')) names.push(words.name());
    words.expect('in');
    const over = words.expression();
    words.end();
    const { nodes, closedBy, closing } = this.body(['else', 'endfor'], '"for"', words.place);
    const otherwise = closedBy === 'else' ? this.lastBody(closing, 'endfor', '"for"', words.place) : [];
    if (closedBy === 'endfor') closing.end();
    return { kind: 'for', names, over, body: nodes, otherwise, place: words.place };
  }

  private lastBody(words: ExpressionParser, end: string, opener: string, place: TemplatePlace) {
    words.end();
    const { nodes, closing } = this.body([end], opener, place);
    closing.end();
    return nodes;
  }

  private blockTag(words: ExpressionParser): TemplateNode {
    const name = words.name();
    words.end();
    if (this.blocks.has(name)) words.fail(`the block ${JSON.stringify(name)} is there twice`);
    // Taken before its body is read, so that a block inside cannot have the same name.
    this.blocks.set(name, []);
    const { nodes, closing } = this.body(['endblock'], `the block "${name}"`, words.place);
    if (!closing.atEnd() && closing.name() !== name)
      closing.fail(`this closes the block ${JSON.stringify(name)}`);
    closing.end();
    this.blocks.set(name, nodes);
    return { kind: 'block', name, place: words.place };
  }
}

function output(tokens: readonly Token[], place: TemplatePlace): TemplateNode {
  const words = new ExpressionParser(tokens, place);
  const value = words.expression();
  words.end();
  return { kind: 'output', value, place };
}

function isWhiteSpace(node: TemplateNode): boolean {
  return node.kind === 'text' && node.text.trim() === '';
}

function refuseOutsideBlock(node: TemplateNode): void {
  if (node.kind === 'block' || isWhiteSpace(node)) return;
  const what = 'a template that extends another shows its blocks only: something stands outside of them';
  throw syntax(what, node.place);
}

function syntax(what: string, place: TemplatePlace): TemplateError {
  return new TemplateError('template-syntax', what, place);
}

type Segment =
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
function lexTemplate(source: string, name: string): readonly Segment[] {
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
