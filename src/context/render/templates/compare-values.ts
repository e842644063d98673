import { isList, isObject, ownValue, type TemplateValue } from './template-data.ts';
import type { CompareOperator } from './template-nodes.ts';

const MAX_PART_CHARACTERS = 256;

/** The result of a comparison, or why the two cannot be compared. */
export function compareValues(
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
