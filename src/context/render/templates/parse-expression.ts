import type { Token } from './lex-expression.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';
import { COMPARE_OPERATORS, type CompareOperator, type Expression, TEST_NAMES } from './template-nodes.ts';

const MAX_LEVELS = 32;
const MAX_LINKS = 64;
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);
const RESERVED: ReadonlySet<string> = new Set(['if', 'else', 'or', 'and', 'not', 'in', 'is', 'for']);

/** Reads the tokens of one tag or output from left to right; there are no calls, no assignments, no sums. */
export class ExpressionParser {
  readonly place: TemplatePlace;
  private readonly tokens: readonly Token[];
  private at = 0;
  private level = 0;

  constructor(tokens: readonly Token[], place: TemplatePlace) {
    this.tokens = tokens;
    this.place = place;
  }

  /** Of `a if b else c`. */
  expression(): Expression {
    this.level += 1;
    if (this.level > MAX_LEVELS) this.fail(`more than ${MAX_LEVELS} levels in one expression`);
    const then = this.either();
    let result = then;
    if (this.takes('if')) {
      const when = this.either();
      this.expect('else');
      result = { kind: 'choose', when, then, otherwise: this.expression() };
    }
    this.level -= 1;
    return result;
  }

  name(): string {
    const token = this.tokens[this.at];
    if (token?.kind !== 'name' || RESERVED.has(token.text))
      return this.fail(`a name should be here, not ${this.next()}`);
    this.at += 1;
    return token.text;
  }

  string(): string {
    const token = this.tokens[this.at];
    if (token?.kind !== 'string') return this.fail(`a name in quotes should be here, not ${this.next()}`);
    this.at += 1;
    return token.value;
  }

  takes(text: string): boolean {
    const token = this.tokens[this.at];
    if (!token || token.kind === 'string' || token.text !== text) return false;
    this.at += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.takes(text)) this.fail(`"${text}" should be here, not ${this.next()}`);
  }

  end(): void {
    if (this.tokens[this.at]?.text === '(') this.fail('calls are not allowed');
    if (this.at < this.tokens.length) this.fail(`${this.next()} is not expected here`);
  }

  atEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  fail(what: string): never {
    throw new TemplateError('template-syntax', what, this.place);
  }

  private either(): Expression {
    return this.chain('either', ['or'], () => this.both());
  }

  private both(): Expression {
    return this.chain('both', ['and'], () => this.negation());
  }

  private negation(): Expression {
    let times = 0;
    while (this.takes('not')) times += 1;
    const of = this.comparison();
    if (times === 0) return of;
    const not: Expression = { kind: 'not', of };
    return times % 2 === 1 ? not : { kind: 'not', of: not };
  }

  private comparison(): Expression {
    const left = this.concat();
    const operator = this.compareOperator();
    return operator ? { kind: 'compare', operator, left, right: this.concat() } : left;
  }

  private compareOperator(): CompareOperator | null {
    const token = this.tokens[this.at];
    if (token?.text === 'not' && this.tokens[this.at + 1]?.text === 'in') {
      this.at += 2;
      return 'not in';
    }
    return COMPARE_OPERATORS.find((operator) => this.takes(operator)) ?? null;
  }

  private concat(): Expression {
    return this.chain('concat', ['~'], () => this.postfix());
  }

  private chain(
    kind: 'both' | 'either' | 'concat',
    marks: readonly string[],
    read: () => Expression,
  ): Expression {
    let left = read();
    let links = 0;
    while (marks.some((mark) => this.takes(mark))) {
      left = { kind, left, right: read() };
      links = this.link(links);
    }
    return left;
  }

  private postfix(): Expression {
    let value = this.primary();
    for (let links = 0; ; links = this.link(links)) {
      if (this.takes('.')) value = { kind: 'attribute', of: value, name: this.name() };
      else if (this.takes('[')) {
        value = { kind: 'index', of: value, key: this.expression() };
        this.expect(']');
      } else if (this.takes('|')) value = this.filter(value);
      else if (this.takes('is')) value = this.test(value);
      else if (this.tokens[this.at]?.text === '(') return this.fail('calls are not allowed');
      else return value;
    }
  }

  /** A chain is walked by recursion later: its length is a depth. */
  private link(links: number): number {
    if (links >= MAX_LINKS) this.fail(`more than ${MAX_LINKS} operators in a row`);
    return links + 1;
  }

  private filter(of: Expression): Expression {
    const name = this.name();
    return { kind: 'filter', of, name, given: this.takes('(') ? this.items(')') : [] };
  }

  private test(of: Expression): Expression {
    const negated = this.takes('not');
    const name = this.tokens[this.at]?.text;
    const test = TEST_NAMES.find((known) => known === name);
    if (!test) return this.fail(`${this.next()} is not a test; tests are ${TEST_NAMES.join(', ')}`);
    this.at += 1;
    return { kind: 'test', of, test, negated };
  }

  private items(close: string): readonly Expression[] {
    const items: Expression[] = [];
    while (!this.takes(close)) {
      if (items.length > 0) this.expect(',');
      items.push(this.expression());
    }
    return items;
  }

  private primary(): Expression {
    const token = this.tokens[this.at];
    if (token?.kind === 'string' || token?.kind === 'number') {
      this.at += 1;
      return { kind: 'literal', value: token.value };
    }
    if (this.takes('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (this.takes('[')) {
      this.level += 1;
      const items = this.items(']');
      this.level -= 1;
      return { kind: 'list', items };
    }
    const name = this.name();
    const constant = CONSTANTS.get(name);
    return constant === undefined ? { kind: 'name', name } : { kind: 'literal', value: constant };
  }

  private next(): string {
    const token = this.tokens[this.at];
    return token ? JSON.stringify(token.text.slice(0, 60)) : 'the end';
  }
}
