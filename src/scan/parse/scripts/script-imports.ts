import type * as TypeScript from 'typescript';
import { importedAs } from '../imported-as.ts';
import type { Ts } from './compiler-parts.ts';
import type { Node, ScriptFindings } from './script-findings.ts';
import { nameText } from './script-values.ts';

/** Statements that bring in or pass on what other modules define; false for every other statement. */
export function findImportStatement(found: ScriptFindings, node: Node): boolean {
  const { ts } = found;
  if (ts.isImportDeclaration(node)) importDeclaration(found, node);
  else if (ts.isExportDeclaration(node)) exportDeclaration(found, node);
  else if (ts.isImportEqualsDeclaration(node)) {
    if (ts.isExternalModuleReference(node.moduleReference))
      found.import('import', node.moduleReference.expression, [], node);
  } else return false;
  return true;
}

function importDeclaration(found: ScriptFindings, node: TypeScript.ImportDeclaration): void {
  const names: string[] = [];
  const clause = node.importClause;
  if (clause?.name) names.push(importedAs('default', nameText(found.ts, clause.name)));
  const bindings = clause?.namedBindings;
  if (bindings && found.ts.isNamespaceImport(bindings))
    names.push(importedAs('*', nameText(found.ts, bindings.name)));
  else if (bindings) for (const one of bindings.elements) names.push(nameOf(found.ts, one));
  found.import('import', node.moduleSpecifier, names, node);
}

function exportDeclaration(found: ScriptFindings, node: TypeScript.ExportDeclaration): void {
  if (!node.moduleSpecifier) return;
  const clause = node.exportClause;
  const names = !clause
    ? ['*']
    : found.ts.isNamedExports(clause)
      ? clause.elements.map((one) => nameOf(found.ts, one))
      : [importedAs('*', nameText(found.ts, clause.name))];
  found.import('reexport', node.moduleSpecifier, names, node);
}

function nameOf(ts: Ts, { propertyName, name }: TypeScript.ImportOrExportSpecifier): string {
  return importedAs(nameText(ts, propertyName ?? name), nameText(ts, name));
}

/** `require('x')`, `import('x')`, also behind `await`, `.name` and a call without arguments. */
export function findLoadingCall(found: ScriptFindings, value: Node | undefined, at: Node): void {
  const { ts } = found;
  if (!value) return;
  if (ts.isPropertyAccessExpression(value) || ts.isAwaitExpression(value))
    findLoadingCall(found, value.expression, at);
  else if (ts.isCallExpression(value)) {
    const callee = value.expression;
    const first = value.arguments[0];
    const loads =
      callee.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(callee) && nameText(ts, callee) === 'require');
    if (loads && first) found.import('import', first, ['*'], at);
    else if (first === undefined) findLoadingCall(found, callee, at);
  }
}
