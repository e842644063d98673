import type * as TypeScript from 'typescript';
import type { SymbolKind } from '../model/symbol.ts';
import { blankScriptBodies } from './blank-script-bodies.ts';
import type { RawDefinition, RawImport, TypeScriptStructure } from './language.ts';
import type { LocatedImport, RawStructure } from './structure.ts';

type Ts = typeof TypeScript.default;
type Node = TypeScript.Node;

/** Calls whose first string argument names a test or a suite. */
const TEST_CALLS = /^(describe|it|test|suite|context|specify|bench)$/;

const LOADING_CALL = /\b(?:require|import)\s*\(/;

class Collector {
  readonly definitions: RawDefinition[] = [];
  readonly imports: LocatedImport[] = [];
  readonly #ts: Ts;
  readonly #file: TypeScript.SourceFile;
  readonly #loadsByCall: boolean;

  constructor(ts: Ts, file: TypeScript.SourceFile) {
    this.#ts = ts;
    this.#file = file;
    this.#loadsByCall = LOADING_CALL.test(file.text);
  }

  #startOf(node: Node): number {
    return node.getStart(this.#file, false);
  }

  #text(node: Node): string {
    return this.#file.text.slice(this.#startOf(node), node.end);
  }

  #define(
    kind: SymbolKind,
    name: Node | string,
    whole: Node,
    body?: { pos: number; end: number } | undefined,
  ): void {
    const { text } = this.#file;
    const start = this.#startOf(whole);
    let headerEnd = body ? body.pos : whole.end;
    // `pos` stands before the white space and comments in front of a node
    while (body && headerEnd < body.end && /\s/.test(text[headerEnd]!)) headerEnd++;
    this.definitions.push({
      kind,
      name: typeof name === 'string' ? name : this.#text(name),
      nameStart: typeof name === 'string' ? start : this.#startOf(name),
      start,
      headerEnd,
      bodyEnd: body ? body.end : whole.end,
      end: whole.end,
    });
  }

  /** From the opening brace of a member list to its closing one. */
  #braces(members: TypeScript.NodeArray<Node>, whole: Node): { pos: number; end: number } {
    return { pos: this.#file.text.lastIndexOf('{', members.pos), end: whole.end };
  }

  #import(kind: RawImport['kind'], specifier: Node | undefined, names: readonly string[], at: Node): void {
    if (specifier && this.#ts.isStringLiteralLike(specifier))
      this.imports.push({ kind, specifier: specifier.text, names, start: this.#startOf(at), end: at.end });
  }

  statements(nodes: readonly Node[], local: boolean): void {
    for (const node of nodes) this.statement(node, local);
  }

  statement(node: Node, local: boolean): void {
    const ts = this.#ts;
    if (ts.isImportDeclaration(node)) this.#importDeclaration(node);
    else if (ts.isExportDeclaration(node)) this.#exportDeclaration(node);
    else if (ts.isImportEqualsDeclaration(node)) {
      if (ts.isExternalModuleReference(node.moduleReference))
        this.#import('import', node.moduleReference.expression, [], node);
    } else if (ts.isFunctionDeclaration(node)) {
      this.#define('function', node.name ?? 'default', node, node.body);
      this.#body(node.body);
    } else if (ts.isClassDeclaration(node)) this.#classLike(node, node, node.name ?? 'default');
    else if (ts.isInterfaceDeclaration(node)) this.#interface(node);
    else if (ts.isTypeAliasDeclaration(node)) this.#define('type', node.name, node);
    else if (ts.isEnumDeclaration(node)) this.#enum(node);
    else if (ts.isModuleDeclaration(node)) this.#module(node);
    else if (ts.isVariableStatement(node)) this.#variables(node, local);
    else if (ts.isExportAssignment(node)) this.#exportAssignment(node);
    else if (ts.isExpressionStatement(node)) this.#expression(node, local);
    else this.#nested(node, local);
  }

  #importDeclaration(node: TypeScript.ImportDeclaration): void {
    const names: string[] = [];
    const clause = node.importClause;
    if (clause?.name) names.push('default');
    const bindings = clause?.namedBindings;
    if (bindings && this.#ts.isNamespaceImport(bindings)) names.push('*');
    else if (bindings) for (const one of bindings.elements) names.push((one.propertyName ?? one.name).text);
    this.#import('import', node.moduleSpecifier, names, node);
  }

  #exportDeclaration(node: TypeScript.ExportDeclaration): void {
    if (!node.moduleSpecifier) return;
    const clause = node.exportClause;
    const names =
      clause && this.#ts.isNamedExports(clause)
        ? clause.elements.map((one) => (one.propertyName ?? one.name).text)
        : ['*'];
    this.#import('reexport', node.moduleSpecifier, names, node);
  }

  #classLike(node: TypeScript.ClassLikeDeclaration, whole: Node, name: Node | string): void {
    const ts = this.#ts;
    this.#define('class', name, whole, this.#braces(node.members, node));
    for (const member of node.members) {
      if (ts.isConstructorDeclaration(member)) {
        this.#define('constructor', 'constructor', member, member.body);
        this.#body(member.body);
      } else if (ts.isMethodDeclaration(member) || ts.isAccessor(member)) {
        this.#define('method', member.name, member, member.body);
        this.#body(member.body);
      } else if (ts.isPropertyDeclaration(member)) this.#property(member.name, member, member.initializer);
      else if (ts.isIndexSignatureDeclaration(member)) this.#define('property', '[index]', member);
    }
  }

  #interface(node: TypeScript.InterfaceDeclaration): void {
    const ts = this.#ts;
    this.#define('interface', node.name, node, this.#braces(node.members, node));
    for (const member of node.members) {
      if (ts.isMethodSignature(member)) this.#define('method', member.name, member);
      else if (ts.isPropertySignature(member)) this.#define('property', member.name, member);
      else if (ts.isIndexSignatureDeclaration(member)) this.#define('property', '[index]', member);
      else if (ts.isCallSignatureDeclaration(member)) this.#define('method', '(call)', member);
      else if (ts.isConstructSignatureDeclaration(member)) this.#define('constructor', 'new', member);
    }
  }

  #enum(node: TypeScript.EnumDeclaration): void {
    this.#define('enum', node.name, node, this.#braces(node.members, node));
    for (const member of node.members) this.#define('enum-member', member.name, member);
  }

  #module(node: TypeScript.ModuleDeclaration): void {
    const ts = this.#ts;
    const body = node.body;
    this.#define('module', ts.isStringLiteral(node.name) ? node.name.text : node.name, node, body);
    if (body && ts.isModuleBlock(body)) this.statements(body.statements, false);
    else if (body && ts.isModuleDeclaration(body)) this.#module(body);
  }

  /** A function or class as a value is defined like one; a long literal value is left out of the signature. */
  #property(
    name: Node,
    whole: Node,
    value: TypeScript.Expression | undefined,
    kind: SymbolKind = 'property',
  ): void {
    const ts = this.#ts;
    const bare = value && this.#unwrap(value);
    if (bare && (ts.isArrowFunction(bare) || ts.isFunctionExpression(bare))) {
      this.#define(kind === 'property' ? 'method' : 'function', name, whole, bare.body);
      if (ts.isBlock(bare.body)) this.#body(bare.body);
      else this.#nested(bare.body);
    } else if (bare && ts.isClassExpression(bare)) this.#classLike(bare, whole, name);
    else if (bare && this.#isLong(bare)) {
      this.#define(kind, name, whole, bare);
      this.#require(value, whole);
      if (ts.isObjectLiteralExpression(bare)) this.#objectMembers(bare);
      else this.#nested(bare, false);
    } else {
      this.#define(kind, name, whole);
      this.#require(value, whole);
    }
  }

  /** `useCallback((a) => …)`, `memo(function …)`, `(… as const)`: the function inside is what the name means. */
  #unwrap(value: TypeScript.Expression): TypeScript.Expression {
    const ts = this.#ts;
    if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
      return this.#unwrap(value.expression);
    if (ts.isCallExpression(value)) {
      const first = value.arguments[0];
      if (first && (ts.isArrowFunction(first) || ts.isFunctionExpression(first))) return first;
    }
    return value;
  }

  #isLong(value: Node): boolean {
    return value.end - value.pos > 60 && this.#file.text.slice(value.pos, value.end).includes('\n');
  }

  #objectMembers(object: TypeScript.ObjectLiteralExpression): void {
    const ts = this.#ts;
    for (const member of object.properties) {
      if (ts.isMethodDeclaration(member) || ts.isAccessor(member)) {
        this.#define('method', member.name, member, member.body);
        this.#body(member.body);
      } else if (ts.isPropertyAssignment(member)) {
        const value = this.#unwrap(member.initializer);
        if (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
          this.#property(member.name, member, member.initializer);
      }
    }
  }

  #variables(node: TypeScript.VariableStatement, local: boolean): void {
    const ts = this.#ts;
    const { declarations } = node.declarationList;
    for (const declaration of declarations) {
      if (local) {
        this.#require(declaration.initializer, node);
        if (declaration.initializer) this.#nested(declaration.initializer);
        continue;
      }
      const whole = declarations.length === 1 ? node : declaration;
      const kind = node.declarationList.flags & ts.NodeFlags.Const ? 'constant' : 'variable';
      if (ts.isIdentifier(declaration.name))
        this.#property(declaration.name, whole, declaration.initializer, kind);
      else {
        this.#require(declaration.initializer, node);
        this.#destructured(declaration.name, whole, kind);
      }
    }
  }

  #destructured(pattern: TypeScript.BindingPattern, whole: Node, kind: SymbolKind): void {
    for (const element of pattern.elements) {
      if (this.#ts.isOmittedExpression(element)) continue;
      if (this.#ts.isIdentifier(element.name)) this.#define(kind, element.name, whole);
      else this.#destructured(element.name, whole, kind);
    }
  }

  #exportAssignment(node: TypeScript.ExportAssignment): void {
    const ts = this.#ts;
    const value = this.#unwrap(node.expression);
    if (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
      this.#property(node, node, node.expression, 'function');
    else if (ts.isObjectLiteralExpression(value)) {
      this.#define('variable', 'default', node, value);
      this.#objectMembers(value);
    } else this.#nested(node.expression, false);
  }

  /** `module.exports = …`, `Foo.prototype.bar = function …`, `describe('…', () => …)` and plain calls. */
  #expression(node: TypeScript.ExpressionStatement, local: boolean): void {
    const ts = this.#ts;
    const { expression } = node;
    if (!local && ts.isBinaryExpression(expression) && ts.isPropertyAccessExpression(expression.left)) {
      const value = this.#unwrap(expression.right);
      this.#require(expression.right, node);
      if (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isClassExpression(value))
        this.#property(expression.left.name, node, expression.right, 'variable');
      else if (ts.isObjectLiteralExpression(value)) this.#objectMembers(value);
      else this.#nested(value, local);
      return;
    }
    if (ts.isCallExpression(expression) && this.#testCall(node, expression)) return;
    this.#nested(expression, local);
  }

  #testCall(node: Node, call: TypeScript.CallExpression): boolean {
    const ts = this.#ts;
    const root = ts.isPropertyAccessExpression(call.expression)
      ? call.expression.expression
      : call.expression;
    if (!ts.isIdentifier(root) || !TEST_CALLS.test(root.text)) return false;
    const title = call.arguments[0];
    const run = call.arguments.find((one) => ts.isArrowFunction(one) || ts.isFunctionExpression(one));
    if (!title || !ts.isStringLiteralLike(title) || !run) return false;
    const { body } = run as TypeScript.ArrowFunction;
    this.#define('test', title.text, node, body);
    if (ts.isBlock(body)) this.#body(body);
    return true;
  }

  #body(body: TypeScript.Block | undefined): void {
    if (body) this.statements(body.statements, true);
  }

  #require(value: Node | undefined, at: Node): void {
    const ts = this.#ts;
    if (!value) return;
    if (ts.isPropertyAccessExpression(value) || ts.isAwaitExpression(value))
      this.#require(value.expression, at);
    else if (ts.isCallExpression(value)) {
      const callee = value.expression;
      const first = value.arguments[0];
      const loads =
        callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require');
      if (loads && first) this.#import('import', first, ['*'], at);
      else if (first === undefined) this.#require(callee, at);
    }
  }

  /**
   * Whatever holds no definition of its own may hold one deeper down. Expressions inside functions are only
   * searched in files that load modules by a call: they are most of a file, and nothing else in them is kept.
   */
  #nested(node: Node, local = true): void {
    const ts = this.#ts;
    if (ts.isBlock(node)) {
      this.statements(node.statements, true);
      return;
    }
    const deep = this.#loadsByCall || !local;
    if (deep && ts.isCallExpression(node)) this.#require(node, node);
    ts.forEachChild(node, (child) => {
      if (ts.isStatement(child)) this.statement(child, true);
      else if (ts.isCaseBlock(child) || ts.isCaseOrDefaultClause(child) || ts.isCatchClause(child))
        this.#nested(child, local);
      else if (deep && child.kind > ts.SyntaxKind.LastToken) this.#nested(child, local);
    });
  }
}

const SCRIPT_KIND = { js: 1, jsx: 2, ts: 3, tsx: 4 } as const;
const LATEST = 99;
const NO_JSDOC = 1;

let compiler: Ts | null = null;

/** Angle brackets that close tags: text between them follows no rule that could tell where a body ends. */
const MARKUP = /<\/|\/>/;

/** Reads TypeScript and JavaScript with the compiler's own parser: three times the speed of the wasm grammar. */
export async function parseWithTypeScript(
  text: string,
  structure: TypeScriptStructure,
): Promise<RawStructure> {
  compiler ??= (await import('typescript')).default;
  const hasMarkup = structure.dialect !== 'ts' && MARKUP.test(text);
  const blanked = hasMarkup ? text : blankScriptBodies(text);
  const found = collect(compiler, blanked, structure);
  // an error may be the blanking's fault: then the whole text has to be read after all
  return found.hasSyntaxErrors && blanked !== text ? collect(compiler, text, structure) : found;
}

function collect(ts: Ts, text: string, { dialect }: TypeScriptStructure): RawStructure {
  const options = { languageVersion: LATEST, jsDocParsingMode: NO_JSDOC };
  const file = ts.createSourceFile('file', text, options, false, SCRIPT_KIND[dialect]);
  const collector = new Collector(ts, file);
  collector.statements(file.statements, false);
  const { parseDiagnostics } = file as unknown as { parseDiagnostics?: readonly unknown[] };
  return {
    definitions: collector.definitions,
    imports: collector.imports,
    problem: null,
    hasSyntaxErrors: (parseDiagnostics?.length ?? 0) > 0,
  };
}
