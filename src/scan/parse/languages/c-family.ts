// The query that C and C++ share, and the search for the name inside a declarator. Both grammars get lost at unknown
// macros, so several patterns and corrections are about code that the grammar misreads.
import type { RawDefinition, RawImport } from '../language.ts';

/** A declaration is local unless its parent is one of these. */
function declarationsIn(parent: string): string {
  return `(${parent} (declaration declarator: (_) @name) @definition.variable)\n`;
}

/**
 * Structs, unions and enums. With `typedef` one statement may define a tag, a type, or both: `typedef struct a {} b,
 * *c;`.
 */
function tagged(kind: string): string {
  const node = `${kind}_specifier`;
  return `
(${node} name: (_) @name body: (_) @body) @definition.${kind}
(type_definition type: (${node} name: (_) @name body: (_) @body)) @definition.${kind}
(type_definition type: (${node} !name body: (_) @body) . declarator: (_) @name) @definition.${kind}
(type_definition type: (${node} !name body: (_)) declarator: (_) . declarator: (_) @name @definition.type)
(type_definition type: (${node} name: (_) @tag body: (_)) declarator: (_) @name @definition.type (#not-eq? @tag @name))
(type_definition type: (${node} !body) declarator: (_) @name) @definition.type`;
}

/** Parents of declarations that are not local. Code inside `#if` counts as outer, too. */
const OUTER_PARENTS = (
  'translation_unit declaration_list linkage_specification preproc_if preproc_ifdef ' +
  'preproc_else preproc_elif'
).split(' ');

/**
 * An unknown macro after the parameters, as in `int f(void) MUST_CHECK;`, leaves the grammar with an error and no
 * declaration. Names in capitals are calls of macros.
 */
const ATTRIBUTED = ['translation_unit', 'preproc_ifdef', 'preproc_if'].map(
  (parent) =>
    `(${parent} ((ERROR (function_declarator declarator: (identifier) @name) @definition.function) (#not-match? @name "^[A-Z0-9_]+$")))`,
);

/**
 * The shared patterns. A declarator is captured whole, and `refineC` finds the name inside it. The second pattern is
 * for `MACRO(name) {`, where the grammar mistakes the macro for a type.
 */
export function cFamilyQuery(parents: readonly string[]): string {
  return `
(function_definition declarator: (_) @name body: (compound_statement) @body) @definition.function
(function_definition type: (type_identifier) @name . declarator: (parenthesized_declarator) body: (compound_statement) @body) @definition.function
${[...OUTER_PARENTS, ...parents].map(declarationsIn).join('')}
(ERROR (declaration declarator: [(function_declarator) (pointer_declarator (function_declarator))] @name) @definition.variable)
${ATTRIBUTED.join('\n')}
(field_declaration declarator: (_) @name) @definition.property
${['struct', 'union', 'enum'].map(tagged).join('')}
(type_definition
  type: [(primitive_type) (sized_type_specifier) (type_identifier)] declarator: (_) @name) @definition.type
(enumerator name: (identifier) @name) @definition.enum-member
(preproc_def name: (identifier) @name value: (_) @body) @definition.macro
(preproc_def name: (identifier) @name !value) @definition.macro
(preproc_function_def name: (identifier) @name value: (_) @body) @definition.macro
(preproc_function_def name: (identifier) @name !value) @definition.macro
(preproc_include) @import
`;
}

/** `<x.h>` and `"x.h"` are searched in different places, so the angle brackets are kept as a name. */
export function readInclude(statement: string): RawImport[] {
  const found = /^\s*#\s*\w+\s*(?:<([^>\n]+)>|"([^"\n]+)")/.exec(statement);
  if (!found) return [];
  return found[1] !== undefined
    ? [{ kind: 'include', specifier: found[1].trim(), names: ['<>'] }]
    : [{ kind: 'include', specifier: found[2]!.trim(), names: [] }];
}

/** Names of include guards. A guard defines nothing. */
const GUARD = /_(?:H|HH|HPP|HXX|INCLUDED)_*$/;

/** The value of a macro is its body only when it has several lines. */
function refineMacro(definition: RawDefinition, text: string): RawDefinition | null {
  const end = definition.start + text.slice(definition.start, definition.end).trimEnd().length;
  const bare = definition.headerEnd >= definition.end;
  if (bare && GUARD.test(definition.name)) return null;
  const long = !bare && text.slice(definition.headerEnd, end).includes('\n');
  return { ...definition, headerEnd: long ? definition.headerEnd : end, bodyEnd: end, end };
}

/** A comma outside of all brackets separates declarators. */
function hasOuterComma(prefix: string): boolean {
  let depth = 0;
  for (const character of prefix) {
    if ('<([{'.includes(character)) depth++;
    else if ('>)]}'.includes(character)) depth--;
    else if (character === ',' && depth <= 0) return true;
  }
  return false;
}

/** Several names in one declaration: each keeps its own part of it. */
function ownPart(definition: RawDefinition, text: string): RawDefinition {
  const prefix = text.slice(definition.start, definition.nameStart);
  // A variable after the braces of a struct is beside the struct, not around it.
  const apart = prefix.includes('{') || (prefix.includes(',') && hasOuterComma(prefix));
  const start = apart ? definition.nameStart : definition.start;
  const { nameStart, headerEnd, bodyEnd } = definition;
  const declaratorEnd = nameStart + definition.name.length;
  const rest = text.slice(declaratorEnd, Math.min(declaratorEnd + 200, definition.end));
  const more = /^(\s*(?:=[^,;{(]*|\{[^{}]*\})?)\s*,/.exec(rest);
  if (!more) return { ...definition, start };
  const end = declaratorEnd + more[1]!.length;
  return { ...definition, start, headerEnd: Math.min(headerEnd, end), bodyEnd: Math.min(bodyEnd, end), end };
}

/** `const` must be about the variable itself: `const char *p` is a variable. */
function isConstant(prefix: string): boolean {
  return /\bconst(?:expr|init)?\b[^*]*$/.test(prefix);
}

/** A value of several lines is left out of the signature; a lambda keeps its parameters. */
function withoutLongValue(definition: RawDefinition, text: string): RawDefinition {
  const { nameStart, end } = definition;
  const declarator = text.slice(nameStart, end);
  if (!declarator.includes('\n')) return definition;
  const head = /^[^={;]*(?:=\s*(?:\[[^\]]*\][^{;]*(?=\{))?|(?=\{))/.exec(declarator)?.[0];
  if (!head) return definition;
  const bodyEnd = nameStart + declarator.replace(/[\s;]+$/, '').length;
  const headerEnd = nameStart + head.trimEnd().length;
  const bodyStart = headerEnd + /^\s*/.exec(text.slice(headerEnd))![0].length;
  return bodyStart < bodyEnd ? { ...definition, headerEnd: bodyStart, bodyEnd } : definition;
}

function refineVariable(definition: RawDefinition, text: string): RawDefinition | null {
  const declared = declaredName(definition.name);
  if (!declared) return null;
  // An unknown macro before a function name splits the declaration. Its first half is not a variable.
  if (definition.kind === 'variable' && text[definition.end - 1] !== ';') return null;
  const prefix = text.slice(definition.start, definition.nameStart + declared.at);
  let { kind } = definition;
  if (declared.isFunction && kind !== 'type') kind = 'function';
  else if (kind === 'variable' && isConstant(prefix)) kind = 'constant';
  const nameStart = definition.nameStart + declared.at;
  const own = ownPart(definition, text);
  const bodied = kind === 'function' || kind === 'type' ? own : withoutLongValue(own, text);
  return { ...bodied, name: declared.name, nameStart, kind };
}

/**
 * A macro as in `static int __init name(void) {` cuts off the head of a function. The head starts at the line start.
 */
function wholeHead(start: number, text: string): number {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const found = /^([ \t]*)\w[\w \t*]*$/.exec(text.slice(lineStart, start));
  return found ? lineStart + found[1]!.length : start;
}

/** Broken code makes the grammar read statements as definitions. */
const KEYWORD = /^(?:if|else|for|while|do|switch|case|return|catch|sizeof|defined|goto|new|delete|throw)$/;

/** `TEST(Suite, name)` and its relatives define tests. */
const TEST_MACRO = /^(?:[A-Z]+_)*TEST(?:_[A-Z]+)*$/;

function refineFunction(definition: RawDefinition, text: string): RawDefinition | null {
  const declared = declaredName(definition.name);
  if (!declared || KEYWORD.test(declared.name)) return null;
  const nameStart = definition.nameStart + declared.at;
  const after = text.slice(nameStart + declared.name.length, definition.headerEnd);
  if (!declared.isFunction && !/^\s*\(/.test(after)) return null;
  const isCut = text.slice(definition.start, nameStart).includes('{');
  const start = isCut ? definition.nameStart : wholeHead(definition.start, text);
  const found = { ...definition, nameStart, start };
  const title = TEST_MACRO.test(declared.name) ? after.match(/\w+/g)?.join('.') : undefined;
  return title ? { ...found, kind: 'test', name: title } : { ...found, name: declared.name };
}

/** Corrects one finding of the shared query. */
export function refineC(definition: RawDefinition, text: string): RawDefinition | null {
  switch (definition.kind) {
    case 'macro':
      return refineMacro(definition, text);
    case 'variable':
    case 'property':
    case 'type':
      return refineVariable(definition, text);
    case 'function':
      return refineFunction(definition, text);
    case 'struct':
    case 'union':
    case 'enum': {
      // After `typedef` the name may be a declarator: `*point`.
      const declared = declaredName(definition.name);
      if (!declared) return null;
      return { ...definition, name: declared.name, nameStart: definition.nameStart + declared.at };
    }
    default:
      return definition;
  }
}

/** `test_list.c`, `list_test.c` and `list-tests.cpp` are about `list`. */
export function cTestedNames(path: string, extensions: readonly string[]): readonly string[] {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const stem = file
    .replace(/\.[^.]*$/, '')
    .replace(/^(?:unit)?tests?[_-]|[_-]?(?:unit)?_?tests?$/gi, '')
    .replace(/Tests?$/, '');
  return stem ? extensions.map((extension) => stem + extension) : [];
}

/** The name inside a declarator, with its scope. */
interface DeclaredName {
  readonly name: string;
  /** Offset inside the declarator. */
  readonly at: number;
  /** `a::b` before `::name`; empty when there is none. */
  readonly scope: string;
  readonly isFunction: boolean;
}

/** Characters. The name is near the front; after it there may be a table of any length. */
const MAX_DECLARATOR = 1_000;

/** Pointers, brackets, qualifiers and macros before a name. */
const LEADING =
  /^(?:[\s*&(^]|\.\.\.|\[\[[^\]]*\]\]|(?:const|volatile|restrict|__restrict|_Nonnull|_Nullable|__attribute__\s*\(\(.*?\)\)|(?:__\w+|[A-Z][A-Z0-9_]*)(?=\s+[\w*&]))(?![\w:]))*/s;
/** `A::B<T>::name`, with the scope apart from the name. */
const QUALIFIED = /^((?:(?:::\s*)?[A-Za-z_]\w*\s*(?:<[^;{}]*>)?\s*::\s*)*)(~?\s*[A-Za-z_]\w*)/s;
const OPERATOR =
  /^operator(?!\w)\s*(?:""\s*\w+|\(\s*\)|\[\s*\]|[^\s\w(]+|(?:new|delete)(?:\s*\[\s*\])?|co_await|[^(]+)/;

/** The name a declarator declares: `**deep(void)`, `(*signal(int, void (*)(int)))(int)`, `Foo<T>::ptr() const`. */
export function declaredName(whole: string): DeclaredName | null {
  const declarator = whole.slice(0, MAX_DECLARATOR);
  const lead = LEADING.exec(declarator)![0].length;
  const rest = declarator.slice(lead);
  const qualified = QUALIFIED.exec(rest);
  if (!qualified) return null;
  const scope = qualified[1]!.replace(/\s*::\s*$/, '').trim();
  const at = lead + qualified[1]!.length;
  const operator = OPERATOR.exec(declarator.slice(at));
  if (operator) {
    const isCast = /^operator\s+\w/.test(operator[0]);
    const name = operator[0].replace(/\s+/g, isCast ? ' ' : '').trim();
    return { name, at, scope, isFunction: true };
  }
  const after = declarator.slice(lead + qualified[0].length).trimStart();
  // `(*callback)(int)` is a variable that points to a function
  const pointed = /\([\s*&^]*[*&^]/.test(declarator.slice(0, lead));
  const isFunction = after.startsWith('(') || (!pointed && /^\)\s*\(/.test(after));
  return { name: qualified[2]!.replace(/\s+/g, ''), at, scope, isFunction };
}
