import type * as TypeScript from 'typescript';
import type { Ts } from './compiler-parts.ts';

export function isFunctionValue(
  ts: Ts,
  value: TypeScript.Node,
): value is TypeScript.ArrowFunction | TypeScript.FunctionExpression {
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value);
}

/** `useCallback((a) => …)`, `memo(function …)`, `(… as const)`: the function inside is what the name means. */
export function meantValue(ts: Ts, value: TypeScript.Expression): TypeScript.Expression {
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
    return meantValue(ts, value.expression);
  if (ts.isCallExpression(value)) {
    const first = value.arguments[0];
    if (first && isFunctionValue(ts, first)) return first;
  }
  return value;
}

export function nameText(ts: Ts, name: TypeScript.ModuleExportName): string {
  return ts.isIdentifier(name) ? ts.idText(name) : name.text;
}
