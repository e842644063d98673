import type { Token } from './lex-expression.ts';
import { lexTemplate, type Segment } from './lex-template.ts';
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
