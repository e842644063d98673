import { nearestName } from '../../../schema/nearest-name.ts';
import {
  isList,
  isObject,
  isTruthy,
  ownValue,
  type TemplateObject,
  type TemplateValue,
} from './template-data.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';
import { kindOf, TEMPLATE_FILTERS } from './template-filters.ts';
import type { TemplateMeter } from './template-limits.ts';
import type { CompareOperator, Expression, TestName } from './template-nodes.ts';

/** What a name leads to when it is not there; an error as soon as it is used. */
class Undefined {
  /** Made when it is needed: `is defined` asks often, and looking for the nearest name takes long. */
  readonly message: () => string;

  constructor(message: () => string) {
    this.message = message;
  }
}

const MAX_SHOWN_NAMES = 12;
const MAX_COMPARED_NAMES = 200;

/** Works out expressions at one place of a template, with the names that can be seen from there. */
export class Evaluator {
  private readonly scopes: readonly TemplateObject[];
  private readonly meter: TemplateMeter;
  private readonly place: TemplatePlace;

  constructor(scopes: readonly TemplateObject[], meter: TemplateMeter, place: TemplatePlace) {
    this.scopes = scopes;
    this.meter = meter;
    this.place = place;
  }

  value(expression: Expression): TemplateValue {
    const value = this.evaluate(expression);
    if (!(value instanceof Undefined)) return value;
    throw new TemplateError('template-undefined', value.message(), this.place);
  }

  isTrue(expression: Expression): boolean {
    return isTruthy(this.value(expression));
  }

  /** What an output writes. The rest is refused: a prompt with "None" or "[object]" in it helps nobody. */
  text(expression: Expression): string {
    const value = this.value(expression);
    if (typeof value !== 'object') return String(value);
    return this.fail(
      `${shown(expression)} is ${kindOf(value)} and cannot be written; use default, join or tojson`,
    );
  }

  fail(what: string): never {
    throw new TemplateError('template-value', what, this.place);
  }

  private evaluate(expression: Expression): TemplateValue | Undefined {
    this.meter.spend(this.place);
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'list':
        return expression.items.map((item) => this.value(item));
      case 'name':
        return this.name(expression.name);
      case 'attribute':
        return this.member(expression.of, expression.name);
      case 'index':
        return this.member(expression.of, this.value(expression.key));
      case 'filter':
        return this.filter(expression);
      case 'test':
        return testValue(expression.test, this.evaluate(expression.of)) !== expression.negated;
      case 'not':
        return !this.isTrue(expression.of);
      case 'both':
        return this.eitherOf(expression, false);
      case 'either':
        return this.eitherOf(expression, true);
      case 'choose':
        return this.value(this.isTrue(expression.when) ? expression.then : expression.otherwise);
      case 'concat': {
        const [left, right] = [this.text(expression.left), this.text(expression.right)];
        this.meter.spend(this.place, left.length + right.length);
        return left + right;
      }
      case 'compare':
        return this.compare(expression);
    }
  }

  /** `and` and `or` give one of the two values, and look at the right one only when it is needed. */
  private eitherOf({ left, right }: { left: Expression; right: Expression }, wanted: boolean): TemplateValue {
    const first = this.value(left);
    return isTruthy(first) === wanted ? first : this.value(right);
  }

  private compare({ operator, left, right }: Extract<Expression, { kind: 'compare' }>): boolean {
    const values = [this.value(left), this.value(right)] as const;
    for (const value of values) if (typeof value === 'string') this.meter.spend(this.place, value.length);
    const result = compareValues(operator, ...values);
    return typeof result === 'boolean' ? result : this.fail(result.problem);
  }

  private name(name: string): TemplateValue | Undefined {
    for (const scope of this.scopes) {
      const value = ownValue(scope, name);
      if (value !== undefined) return value;
    }
    return new Undefined(() =>
      notThere(
        name,
        null,
        this.scopes.flatMap((scope) => Object.keys(scope)),
      ),
    );
  }

  private member(of: Expression, key: TemplateValue): TemplateValue | Undefined {
    const owner = this.value(of);
    if (typeof key === 'string' && isObject(owner)) return this.own(owner, key, of);
    const item = typeof key === 'number' && isList(owner) ? owner[key] : undefined;
    return item ?? (item === null ? null : new Undefined(() => notThere(showKey(key), of, [])));
  }

  private own(owner: TemplateObject, name: string, of: Expression | null): TemplateValue | Undefined {
    const value = ownValue(owner, name);
    return value === undefined ? new Undefined(() => notThere(name, of, Object.keys(owner))) : value;
  }

  private filter({ of, name, given }: Extract<Expression, { kind: 'filter' }>): TemplateValue {
    if (name === 'default') return this.defaultFilter(of, given);
    const filter = TEMPLATE_FILTERS.get(name);
    if (!filter) {
      const known = ['default', ...TEMPLATE_FILTERS.keys()].sort();
      return this.fail(`there is no filter ${JSON.stringify(name)}; filters are ${known.join(', ')}`);
    }
    const [least, most] = filter.takes;
    if (given.length < least || given.length > most) {
      const taken = least === most ? least : `${least} to ${most}`;
      this.fail(`the filter ${name} takes ${taken} arguments, not ${given.length}`);
    }
    return filter.apply(this.value(of), {
      given: given.map((one) => this.value(one)),
      reserve: (characters) => this.meter.spend(this.place, characters),
      fail: (what) => this.fail(`the filter ${name} ${what}`),
    });
  }

  /** `x|default(y)` for what is not there; `x|default(y, true)` also for what is empty. */
  private defaultFilter(of: Expression, given: readonly Expression[]): TemplateValue {
    if (given.length > 2) this.fail(`the filter default takes at most 2 arguments, not ${given.length}`);
    const value = this.evaluate(of);
    const alsoEmpty = given[1] !== undefined && this.isTrue(given[1]);
    if (!(value instanceof Undefined) && (!alsoEmpty || isTruthy(value))) return value;
    return given[0] ? this.value(given[0]) : '';
  }
}

function testValue(test: TestName, value: TemplateValue | Undefined): boolean {
  if (value instanceof Undefined) return false;
  switch (test) {
    case 'defined':
      return true;
    case 'none':
      return value === null;
    case 'mapping':
      return isObject(value);
    case 'sequence':
      return isList(value);
    case 'string':
    case 'number':
      return typeof value === test;
  }
}

/** A list or an object can be any size, and one without a prototype is no text at all. */
function showKey(key: TemplateValue): string {
  if (typeof key !== 'object' || key === null) return String(key);
  return isList(key) ? '[a list]' : '[an object]';
}

function notThere(name: string, of: Expression | null, known: readonly string[]): string {
  const whole = of ? `${shown(of)}.${name}` : name;
  const near = nearestName(name, known.slice(0, MAX_COMPARED_NAMES));
  const names = known.length > MAX_SHOWN_NAMES ? [...known.slice(0, MAX_SHOWN_NAMES), '…'] : known;
  const help = near ? ` (did you mean ${near}?)` : names.length > 0 ? `; there is ${names.join(', ')}` : '';
  return `${JSON.stringify(whole.slice(0, 200))} is undefined${help}`;
}

function shown(expression: Expression): string {
  if (expression.kind === 'name') return expression.name;
  if (expression.kind === 'attribute') return `${shown(expression.of)}.${expression.name}`;
  return '(…)';
}

const MAX_PART_CHARACTERS = 256;

/** The result of a comparison, or why the two cannot be compared. */
function compareValues(
  operator: CompareOperator,
  left: TemplateValue,
  right: TemplateValue,
): boolean | { readonly problem: string } {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case 'in':
      return contains(right, left);
    case 'not in': {
      const inside = contains(right, left);
      return typeof inside === 'boolean' ? !inside : inside;
    }
    default:
      return order(operator, left, right);
  }
}

function contains(whole: TemplateValue, part: TemplateValue): boolean | { readonly problem: string } {
  if (isList(whole)) return whole.includes(part);
  if (typeof part === 'string') {
    // Looking for a long text can take the product of both lengths.
    if (part.length > MAX_PART_CHARACTERS)
      return { problem: `"in" looks for at most ${MAX_PART_CHARACTERS} characters` };
    if (typeof whole === 'string') return whole.includes(part);
    if (isObject(whole)) return ownValue(whole, part) !== undefined;
  }
  return { problem: '"in" looks for a text in a text, for a value in a list or for a key in an object' };
}

function order(
  operator: '<' | '<=' | '>' | '>=',
  left: TemplateValue,
  right: TemplateValue,
): boolean | { readonly problem: string } {
  const comparable =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!comparable) return { problem: `"${operator}" compares two numbers or two texts` };
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
