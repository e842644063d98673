// Walks the syntax tree of a script and reports definitions, tests and imports. Locals are skipped, but functions and
// classes inside functions are found.
import type * as TypeScript from 'typescript';
import type { SymbolKind } from '../../../model/symbol.ts';
import { importedAs } from '../language.ts';
import type { Ts } from './compiler-parts.ts';
import type { Node, ScriptFindings } from './typescript-engine.ts';

/** Calls whose first string argument names a test or a suite. */
const TEST_CALLS = /^(describe|it|test|suite|context|specify|bench)$/;

/** Scripts without such a call are not searched for tests. */
const LOADING_CALL = /\b(?:require|import)\s*\(/;

/** Walks the statements of one script and reports their definitions, including those in bodies. */
export class ScriptCollector {
  readonly #found: ScriptFindings;
  readonly #ts: Ts;
  readonly #loadsByCall: boolean;

  constructor(found: ScriptFindings) {
    this.#found = found;
    this.#ts = found.ts;
    this.#loadsByCall = LOADING_CALL.test(found.text);
  }

  statements(nodes: readonly Node[], local: boolean): void {
    for (const node of nodes) this.statement(node, local);
  }

  /** `local`: the statement is inside a function, where variables are not kept. */
  statement(node: Node, local: boolean): void {
    const ts = this.#ts;
    if (findImportStatement(this.#found, node) || findTypeDeclaration(this.#found, node)) return;
    if (ts.isFunctionDeclaration(node)) {
      this.#found.define('function', node.name ?? 'default', node, node.body);
      this.#body(node.body);
    } else if (ts.isClassDeclaration(node)) this.#classLike(node, node, node.name ?? 'default');
    else if (ts.isModuleDeclaration(node)) this.#module(node);
    else if (ts.isVariableStatement(node)) this.#variables(node, local);
    else if (ts.isExportAssignment(node)) this.#exportAssignment(node);
    else if (ts.isExpressionStatement(node)) this.#expression(node, local);
    else this.#nested(node, local);
  }

  #classLike(node: TypeScript.ClassLikeDeclaration, whole: Node, name: Node | string): void {
    const ts = this.#ts;
    this.#found.define('class', name, whole, this.#found.braces(node.members, node));
    for (const member of node.members) {
      if (ts.isConstructorDeclaration(member)) {
        this.#found.define('constructor', 'constructor', member, member.body);
        this.#body(member.body);
      } else if (ts.isMethodDeclaration(member) || ts.isAccessor(member)) {
        this.#found.define('method', member.name, member, member.body);
        this.#body(member.body);
      } else if (ts.isPropertyDeclaration(member)) this.#property(member.name, member, member.initializer);
      else if (ts.isIndexSignatureDeclaration(member)) this.#found.define('property', '[index]', member);
    }
  }

  /** `namespace A.B` is two modules, one inside the other. */
  #module(node: TypeScript.ModuleDeclaration): void {
    const ts = this.#ts;
    const body = node.body;
    this.#found.define('module', ts.isStringLiteral(node.name) ? node.name.text : node.name, node, body);
    if (body && ts.isModuleBlock(body)) this.statements(body.statements, false);
    else if (body && ts.isModuleDeclaration(body)) this.#module(body);
  }

  /**
   * A variable or property. A function or class as its value makes it one; a long literal is left out of the signature.
   */
  #property(
    name: Node | string,
    whole: Node,
    value: TypeScript.Expression | undefined,
    kind: SymbolKind = 'property',
  ): void {
    const ts = this.#ts;
    const bare = value && meantValue(ts, value);
    if (bare && isFunctionValue(ts, bare)) {
      this.#found.define(kind === 'property' ? 'method' : 'function', name, whole, bare.body);
      if (ts.isBlock(bare.body)) this.#body(bare.body);
      else this.#nested(bare.body);
    } else if (bare && ts.isClassExpression(bare)) this.#classLike(bare, whole, name);
    else if (bare && this.#isLong(bare)) {
      this.#found.define(kind, name, whole, bare);
      findLoadingCall(this.#found, value, whole);
      if (ts.isObjectLiteralExpression(bare)) this.#objectMembers(bare);
      else this.#nested(bare, false);
    } else {
      this.#found.define(kind, name, whole);
      findLoadingCall(this.#found, value, whole);
    }
  }

  /** Several lines: a body rather than a part of the signature. */
  #isLong(value: Node): boolean {
    return value.end - value.pos > 60 && this.#found.text.slice(value.pos, value.end).includes('\n');
  }

  /** Of an object literal, methods and functions are definitions; plain values are not. */
  #objectMembers(object: TypeScript.ObjectLiteralExpression): void {
    const ts = this.#ts;
    for (const member of object.properties) {
      if (ts.isMethodDeclaration(member) || ts.isAccessor(member)) {
        this.#found.define('method', member.name, member, member.body);
        this.#body(member.body);
      } else if (ts.isPropertyAssignment(member)) {
        const value = meantValue(ts, member.initializer);
        if (isFunctionValue(ts, value)) this.#property(member.name, member, member.initializer);
      }
    }
  }

  /** Several variables in one statement keep their own part of it. */
  #variables(node: TypeScript.VariableStatement, local: boolean): void {
    const ts = this.#ts;
    const { declarations } = node.declarationList;
    for (const declaration of declarations) {
      if (local) {
        findLoadingCall(this.#found, declaration.initializer, node);
        if (declaration.initializer) this.#nested(declaration.initializer);
        continue;
      }
      const whole = declarations.length === 1 ? node : declaration;
      if (!isExported(ts, node) && findLoadingVariable(this.#found, declaration, node)) continue;
      const kind = node.declarationList.flags & ts.NodeFlags.Const ? 'constant' : 'variable';
      if (ts.isIdentifier(declaration.name))
        this.#property(declaration.name, whole, declaration.initializer, kind);
      else {
        findLoadingCall(this.#found, declaration.initializer, node);
        this.#destructured(declaration.name, whole, kind);
      }
    }
  }

  /** Each name of `const { a, b: [c] } = …` is a definition. */
  #destructured(pattern: TypeScript.BindingPattern, whole: Node, kind: SymbolKind): void {
    for (const element of pattern.elements) {
      if (this.#ts.isOmittedExpression(element)) continue;
      if (this.#ts.isIdentifier(element.name)) this.#found.define(kind, element.name, whole);
      else this.#destructured(element.name, whole, kind);
    }
  }

  /** `export default …` and `export = …`. A value without a name is called `default`. */
  #exportAssignment(node: TypeScript.ExportAssignment): void {
    const ts = this.#ts;
    const value = meantValue(ts, node.expression);
    if (isFunctionValue(ts, value)) this.#property('default', node, node.expression, 'function');
    else if (ts.isObjectLiteralExpression(value)) {
      this.#found.define('variable', 'default', node, value);
      this.#objectMembers(value);
    } else this.#nested(node.expression, false);
  }

  /** `module.exports = …`, `Foo.prototype.bar = function …`, `describe('…', () => …)` and plain calls. */
  #expression(node: TypeScript.ExpressionStatement, local: boolean): void {
    const ts = this.#ts;
    const { expression } = node;
    if (!local && ts.isBinaryExpression(expression) && ts.isPropertyAccessExpression(expression.left)) {
      const value = meantValue(ts, expression.right);
      findLoadingCall(this.#found, expression.right, node);
      if (isFunctionValue(ts, value) || ts.isClassExpression(value))
        this.#property(expression.left.name, node, expression.right, 'variable');
      else if (ts.isObjectLiteralExpression(value)) this.#objectMembers(value);
      else this.#nested(value, local);
      return;
    }
    if (ts.isCallExpression(expression) && this.#testCall(node, expression)) return;
    this.#nested(expression, local);
  }

  /** `describe('…', () => …)` and the like; also `test.only` and `it.each`. */
  #testCall(node: Node, call: TypeScript.CallExpression): boolean {
    const ts = this.#ts;
    const root = ts.isPropertyAccessExpression(call.expression)
      ? call.expression.expression
      : call.expression;
    if (!ts.isIdentifier(root) || !TEST_CALLS.test(nameText(ts, root))) return false;
    const title = call.arguments[0];
    const run = call.arguments.find((one) => isFunctionValue(ts, one));
    if (!title || !ts.isStringLiteralLike(title) || !run) return false;
    const { body } = run as TypeScript.ArrowFunction;
    this.#found.define('test', title.text, node, body);
    if (ts.isBlock(body)) this.#body(body);
    return true;
  }

  #body(body: TypeScript.Block | undefined): void {
    if (body) this.statements(body.statements, true);
  }

  /**
   * Searches a node that defines nothing itself. Expressions inside functions are only searched in files that load
   * modules by a call: they are most of a file, and nothing else in them is kept.
   */
  #nested(node: Node, local = true): void {
    const ts = this.#ts;
    if (ts.isBlock(node)) {
      this.statements(node.statements, true);
      return;
    }
    const deep = this.#loadsByCall || !local;
    if (deep && ts.isCallExpression(node)) findLoadingCall(this.#found, node, node);
    ts.forEachChild(node, (child) => {
      if (ts.isStatement(child)) this.statement(child, true);
      else if (ts.isCaseBlock(child) || ts.isCaseOrDefaultClause(child) || ts.isCatchClause(child))
        this.#nested(child, local);
      else if (deep && child.kind > ts.SyntaxKind.LastToken) this.#nested(child, local);
    });
  }
}

/** Interfaces, enums and type aliases, whose members hold no code; false for every other statement. */
function findTypeDeclaration(found: ScriptFindings, node: TypeScript.Node): boolean {
  const { ts } = found;
  if (ts.isInterfaceDeclaration(node)) interfaceDeclaration(found, node);
  else if (ts.isTypeAliasDeclaration(node)) found.define('type', node.name, node);
  else if (ts.isEnumDeclaration(node)) {
    found.define('enum', node.name, node, found.braces(node.members, node));
    for (const member of node.members) found.define('enum-member', member.name, member);
  } else return false;
  return true;
}

function interfaceDeclaration(found: ScriptFindings, node: TypeScript.InterfaceDeclaration): void {
  const { ts } = found;
  found.define('interface', node.name, node, found.braces(node.members, node));
  for (const member of node.members) {
    if (ts.isMethodSignature(member)) found.define('method', member.name, member);
    else if (ts.isPropertySignature(member)) found.define('property', member.name, member);
    else if (ts.isIndexSignatureDeclaration(member)) found.define('property', '[index]', member);
    else if (ts.isCallSignatureDeclaration(member)) found.define('method', '(call)', member);
    else if (ts.isConstructSignatureDeclaration(member)) found.define('constructor', 'new', member);
  }
}

/** Statements that import or re-export; false for every other statement. */
function findImportStatement(found: ScriptFindings, node: Node): boolean {
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

/** `require('x')` and `import('x')`, also with `await`, `.name` or a call without arguments around them. */
function findLoadingCall(found: ScriptFindings, value: Node | undefined, at: Node): void {
  const { ts } = found;
  if (!value) return;
  if (ts.isPropertyAccessExpression(value) || ts.isAwaitExpression(value))
    findLoadingCall(found, value.expression, at);
  else if (ts.isCallExpression(value)) {
    const callee = value.expression;
    const first = value.arguments[0];
    if (isLoader(ts, callee) && first) found.import('import', first, ['*'], at);
    else if (first === undefined) findLoadingCall(found, callee, at);
  }
}

/**
 * `const { a, b: c } = require('x')` and the like take names from another file, as an import statement does, and define
 * none. False for every other variable.
 */
function findLoadingVariable(
  found: ScriptFindings,
  { name, initializer }: TypeScript.VariableDeclaration,
  at: Node,
): boolean {
  const loaded = initializer && loadedModule(found.ts, initializer);
  const names = loaded && boundNames(found.ts, name, loaded.member);
  if (!names) return false;
  found.import('import', loaded.specifier, names, at);
  return true;
}

/** The module of `require('x')`, `await import('x')` and `require('x').member`; null for any other value. */
function loadedModule(
  ts: Ts,
  value: TypeScript.Expression,
): { readonly specifier: TypeScript.Expression; readonly member: string } | null {
  if (ts.isAwaitExpression(value)) return loadedModule(ts, value.expression);
  if (ts.isPropertyAccessExpression(value)) {
    const inside = loadedModule(ts, value.expression);
    return inside?.member === '*'
      ? { ...inside, member: ts.idText(value.name as TypeScript.Identifier) }
      : null;
  }
  if (!ts.isCallExpression(value) || !isLoader(ts, value.expression)) return null;
  const [specifier] = value.arguments;
  return specifier && ts.isStringLiteralLike(specifier) ? { specifier, member: '*' } : null;
}

function isLoader(ts: Ts, callee: TypeScript.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isIdentifier(callee) && ts.idText(callee) === 'require';
}

/** The names that a pattern takes from a module; null for a pattern that takes more than names. */
function boundNames(ts: Ts, name: TypeScript.BindingName, member: string): string[] | null {
  if (ts.isIdentifier(name)) return [importedAs(member, ts.idText(name))];
  // What is taken from a member of a module may be defined anywhere.
  if (member !== '*' || name.kind !== ts.SyntaxKind.ObjectBindingPattern) return null;
  const names: string[] = [];
  for (const { name: local, propertyName, dotDotDotToken } of (name as TypeScript.ObjectBindingPattern)
    .elements) {
    if (!ts.isIdentifier(local) || dotDotDotToken) return null;
    if (propertyName && !ts.isIdentifier(propertyName)) return null;
    names.push(importedAs(ts.idText(propertyName ?? local), ts.idText(local)));
  }
  return names;
}

function isExported(ts: Ts, node: TypeScript.VariableStatement): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** Arrow functions and function expressions. */
function isFunctionValue(
  ts: Ts,
  value: TypeScript.Node,
): value is TypeScript.ArrowFunction | TypeScript.FunctionExpression {
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value);
}

/**
 * The value that a name stands for: in `useCallback((a) => …)`, `memo(function …)` and `(… as const)` it is the
 * function inside.
 */
function meantValue(ts: Ts, value: TypeScript.Expression): TypeScript.Expression {
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
    return meantValue(ts, value.expression);
  if (ts.isCallExpression(value)) {
    const first = value.arguments[0];
    if (first && isFunctionValue(ts, first)) return first;
  }
  return value;
}

function nameText(ts: Ts, name: TypeScript.ModuleExportName): string {
  return ts.isIdentifier(name) ? ts.idText(name) : name.text;
}
