// Kotlin. The grammar is fragile: one expression that it cannot read costs the class around it. So bodies are blanked
// before it reads the text, and several corrections restore what it loses.
import {
  C_STYLE_LEXIS,
  DOUBLE,
  importedAs,
  type Language,
  type RawDefinition,
  type RawImport,
  SINGLE,
  TRIPLE_DOUBLE,
} from '../language.ts';
import { type BraceDialect, blankBraceBodies } from './blank-brace-bodies.ts';
import { resolveHeader } from './resolve-header.ts';

/** The offset after the string at `at`; -1 when it stays open. */
function stringEnd(text: string, at: number): number {
  const quotes = text.startsWith('"""', at) ? '"""' : '"';
  for (let here = at + quotes.length; here < text.length; here++) {
    const character = text[here];
    if (character === '"' && text.startsWith(quotes, here)) {
      // `""""` ends with a quote that belongs to the text.
      while (quotes === '"""' && text[here + 3] === '"') here++;
      return here + quotes.length;
    }
    if (character === '\\' && quotes === '"') here++;
    else if (character === '\n' && quotes === '"') return -1;
    else if (character === '$' && text[here + 1] === '{') {
      here = interpolationEnd(text, here + 1) - 1;
      if (here < 0) return -1;
    }
  }
  return -1;
}

/** The offset after the brace that closes the one at `at`. */
function interpolationEnd(text: string, at: number): number {
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    const character = text[here];
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return here + 1;
    else if (character === '"') {
      here = stringEnd(text, here) - 1;
      if (here < 0) return -1;
    }
  }
  return -1;
}

const CHARACTER = /'(?:[^'\\\n]|\\.[^'\n]{0,4})'/y;
const QUOTED_NAME = /`[^`\n]+`/y;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Names in backticks may hold any character, so they are skipped like strings. */
const KOTLIN: BraceDialect = {
  functionWords: new Set(['fun']),
  otherWords: new Set(['class', 'interface', 'object', 'typealias', 'import', 'constructor', 'init']),
  variableWords: new Set(['val', 'var']),
  skip: (text, at) => {
    if (text[at] === '"') return stringEnd(text, at);
    if (text[at] === "'") return matchEnd(CHARACTER, text, at);
    return text[at] === '`' ? matchEnd(QUOTED_NAME, text, at) : 0;
  },
};

/** One expression that the grammar cannot read costs the class around it and everything after it. */
export function blankKotlinBodies(text: string): string {
  return blankBraceBodies(text, KOTLIN);
}

/**
 * Declarations in a function's `statements` are local. Types are taken from there, too, because a missing brace moves
 * them in; and functions are taken from lambdas, because the grammar mistakes some class bodies for lambdas.
 */
const PLACES = ['source_file', 'class_body', 'enum_class_body', 'ERROR'];

const ITEMS = `
(class_declaration "class" (type_identifier) @name) @outer.class
(class_declaration "class" (type_identifier) @name (class_body) @body) @outer.class
(class_declaration "interface" (type_identifier) @name) @outer.interface
(class_declaration "interface" (type_identifier) @name (class_body) @body) @outer.interface
(class_declaration "class" (type_identifier) @name (enum_class_body) @body) @outer.class
(object_declaration (type_identifier) @name) @outer.class
(object_declaration (type_identifier) @name (class_body) @body) @outer.class
(companion_object (type_identifier) @name) @outer.class
(companion_object (type_identifier) @name (class_body) @body) @outer.class
(companion_object "companion" @name "object" . (class_body) @body) @outer.class
(companion_object "companion" @name "object" . (delegation_specifier) (class_body) @body) @outer.class
(type_alias (type_identifier) @name) @outer.type
(function_declaration (simple_identifier) @name) @outer.function
(function_declaration (simple_identifier) @name (function_body) @body) @outer.function
(secondary_constructor "constructor" @name) @outer.constructor
(secondary_constructor "constructor" @name (statements) @body) @outer.constructor
(property_declaration (variable_declaration (simple_identifier) @name)) @outer.variable
(property_declaration (variable_declaration (simple_identifier) @name) "=" . (_) @body) @outer.variable
(property_declaration (variable_declaration (simple_identifier) @name) (property_delegate (call_expression (call_suffix) @body))) @outer.variable
(property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @outer.variable
`;

/**
 * Parameters with `val` or `var` are properties. They are two levels below the parent node, so each kind of parent
 * needs its own pattern.
 */
const PARAMETERS = [
  '(class_declaration (primary_constructor (class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property))',
].flatMap((item) => PLACES.map((place) => `(${place} ${item})`));

/** The pattern with `ERROR` is for `fun interface`, which the grammar does not know. */
const QUERY = `
(package_header (identifier) @name) @definition.module
(package_header) @import
(import_header) @import
${ITEMS}
${PARAMETERS.join('\n')}
(statements (class_declaration "class" (type_identifier) @name (class_body) @body) @definition.class)
(statements (class_declaration "interface" (type_identifier) @name (class_body) @body) @definition.interface)
(statements (object_declaration (type_identifier) @name (class_body) @body) @definition.class)
(enum_entry (simple_identifier) @name) @definition.enum-member
(enum_entry (simple_identifier) @name (class_body) @body) @definition.enum-member
((ERROR (user_type (type_identifier) @_keyword) . (simple_identifier) @name) @definition.interface (#eq? @_keyword "interface"))
(lambda_literal (statements (function_declaration (simple_identifier) @name) @definition.function))
(lambda_literal (statements (function_declaration (simple_identifier) @name (function_body) @body) @definition.function))
`;

const unquoted = (path: string) => path.replace(/[`\s]/g, '');

/** `package a.b`, `import a.b.C as D` and `import a.b.*`. */
export function readKotlinImport(statement: string): RawImport[] {
  const flat = statement.slice(0, 2_000).replace(/\/\*[\s\S]*?\*\//g, ' ');
  const declared = /\bpackage\s+([^\s;/]+)/.exec(flat);
  if (declared) return [{ kind: 'package', specifier: unquoted(declared[1]!), names: [] }];
  const imported = /^\s*import\s+([^\s;/]+)(?:\s+as\s+([^\s;/]+))?/.exec(flat);
  if (!imported) return [];
  const path = unquoted(imported[1]!);
  const dot = path.lastIndexOf('.');
  if (dot < 0) return [{ kind: 'import', specifier: path, names: [] }];
  const name = path.slice(dot + 1);
  const local = imported[2] ? unquoted(imported[2]) : name;
  return [{ kind: 'import', specifier: path.slice(0, dot), names: [importedAs(name, local)] }];
}

/** A primary constructor on a line of its own, after comments, annotations and modifiers. */
const CONSTRUCTOR_BELOW =
  /^(?:\s|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|protected|internal|actual|expect)\s+)*constructor\s*(?=\()/;

/**
 * The grammar knows neither `fun interface` nor a primary constructor on a line of its own. It ends the definition
 * there and mistakes the body for something else.
 */
function withLostBody(definition: RawDefinition, text: string): RawDefinition {
  const { end } = definition;
  const below = CONSTRUCTOR_BELOW.exec(text.slice(end, end + 1_000));
  const parameters = below ? closingBracket(text, end + below[0].length) : end;
  if (parameters < 0) return definition;
  const rest = /^(?:\s*:[^{}=;]*?)?\s*(?=\{)/.exec(text.slice(parameters, parameters + 2_000));
  const headerEnd = rest ? parameters + rest[0].length : -1;
  const closing = closingBracket(text, headerEnd);
  return closing < 0 ? definition : { ...definition, headerEnd, bodyEnd: closing, end: closing };
}

function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  const { kind, name, start, nameStart, headerEnd, bodyEnd, end } = definition;
  const before = text.slice(start, nameStart);
  if (kind === 'class' && name === 'companion') return { ...definition, name: 'Companion' };
  if (kind === 'class' && /\benum\s+class\s+$/.test(before)) return { ...definition, kind: 'enum' };
  if (kind === 'class' && headerEnd === end && CONSTRUCTOR_BELOW.test(text.slice(end, end + 1_000)))
    return withLostBody(definition, text);
  if (kind === 'interface' && headerEnd === end && /\bfun\s+interface\s+$/.test(before))
    return withLostBody(definition, text);
  if (kind === 'constructor') {
    const opening = headerEnd < bodyEnd ? text.lastIndexOf('{', headerEnd) : -1;
    return opening > nameStart ? { ...definition, headerEnd: opening, bodyEnd: end } : definition;
  }
  if (kind === 'variable' && /\bconstructor\s*\(/.test(before)) return null;
  if (kind === 'variable' && /\bconst\b/.test(before))
    return resolveHeader({ ...definition, kind: 'constant' }, text);
  return resolveHeader(definition, text);
}

export const kotlin: Language = {
  id: 'kotlin',
  name: 'Kotlin',
  kind: 'code',
  extensions: ['.kt', '.kts', '.ktm'],
  interpreters: ['kotlin', 'kotlinc'],
  lexis: { ...C_STYLE_LEXIS, strings: [TRIPLE_DOUBLE, DOUBLE, SINGLE] },
  docs: 'above',
  testPaths:
    /(^|\/)(src\/\w*[tT]est|androidTest|commonTest|jvmTest)\/.*\.kts?$|(^|\/)(Test[A-Z][^/]*|[^/]*(Tests?|TestCase|IT|Spec))\.kt$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.kt$/.exec(path)?.[1] ?? '';
    const bare = stem
      .replace(/^Test(?=[A-Z])/, '')
      .replace(/(?:Integration|Unit)?(?:Tests?|TestCase|IT|Spec)$/, '');
    return bare && bare !== stem ? [`${bare}.kt`, `${bare}.java`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'kotlin',
    query: QUERY,
    outerPlaces: PLACES,
    prepare: blankKotlinBodies,
    readImport: readKotlinImport,
    refine,
  },
};

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')' };

/** Characters. Without a limit, each of many unclosed brackets would cost the whole file. */
const MAX_REACH = 40_000;

/** The offset after the bracket that closes the one at `opening`, or -1. It does not tell strings from code. */
function closingBracket(text: string, opening: number): number {
  const open = text[opening] ?? '';
  const close = CLOSERS[open];
  if (close === undefined) return -1;
  let depth = 0;
  for (let at = opening; at < Math.min(text.length, opening + MAX_REACH); at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return -1;
}
