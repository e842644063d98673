// PHP. Classes are found by namespace and name, functions and constants as well; `require` counts when its path is a
// literal.
import {
  importedAs,
  type Language,
  LONG_DOUBLE,
  LONG_SINGLE,
  type RawDefinition,
  type RawImport,
} from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

/** The body of an anonymous class is not listed, because its methods belong to the expression that makes it. */
const MEMBER_PLACES = [
  '(class_declaration body: (declaration_list MEMBER))',
  '(interface_declaration body: (declaration_list MEMBER))',
  '(trait_declaration body: (declaration_list MEMBER))',
  '(enum_declaration body: (enum_declaration_list MEMBER))',
  '(ERROR MEMBER)',
];

/** Patterns of members. They are joined with each place above. */
const METHODS = `
(method_declaration name: (name) @name) @definition.method
(method_declaration name: (name) @name body: (compound_statement) @body) @definition.method
(const_declaration (const_element . (name) @name . (_) @body)) @definition.constant
`;

const PROPERTIES = `
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_declaration (property_element name: (variable_name (name) @name) default_value: (_) @body)) @definition.property
(property_declaration (property_element name: (variable_name (name) @name)) (property_hook_list) @body) @definition.property
`;

const lines = (text: string) => text.trim().split('\n');

/** Enums have no properties. */
const MEMBERS = MEMBER_PLACES.flatMap((place) => {
  const allowed = place.startsWith('(enum') ? lines(METHODS) : [...lines(METHODS), ...lines(PROPERTIES)];
  return allowed.map((pattern) => place.replace('MEMBER', pattern));
});

/** A function inside a function is local; one inside `if (!function_exists(…))` is not. */
const FUNCTION_PLACES = [
  '(program ITEM)',
  '(namespace_definition body: (compound_statement ITEM))',
  '(if_statement body: (compound_statement ITEM))',
  '(if_statement body: (colon_block ITEM))',
  '(ERROR ITEM)',
];

const ITEMS = `
(function_definition name: (name) @name body: (compound_statement) @body) @definition.function
(const_declaration (const_element . (name) @name . (_) @body)) @definition.constant
`;

/** `define('NAME', …)` is a call, but it defines a constant. */
const QUERY = `
(namespace_definition name: (namespace_name) @name !body) @definition.module
(namespace_definition name: (namespace_name) @name body: (compound_statement) @body) @definition.module
(namespace_definition) @import
(namespace_use_declaration) @import
[(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import
(class_declaration name: (name) @name body: (declaration_list) @body) @definition.class
(interface_declaration name: (name) @name body: (declaration_list) @body) @definition.interface
(trait_declaration name: (name) @name body: (declaration_list) @body) @definition.trait
(enum_declaration name: (name) @name body: (enum_declaration_list) @body) @definition.enum
(enum_case name: (name) @name) @definition.enum-member
${MEMBERS.join('\n')}
${FUNCTION_PLACES.flatMap((place) => lines(ITEMS).map((item) => place.replace('ITEM', item))).join('\n')}
((expression_statement (function_call_expression function: (name) @_function arguments: (arguments . (argument (string (string_content) @name))))) @definition.constant (#eq? @_function "define"))
(program (expression_statement (assignment_expression left: (variable_name (name) @name) right: (_) @body)) @definition.variable)
`;

/** The path of `require __DIR__ . '/a.php'`, seen from this file; null when it depends on a variable. */
function includedPath(expression: string): string | null {
  const literal = /^\(?\s*(["'])([^"'$]+)\1\s*\)?;?$/.exec(expression)?.[2];
  if (literal) return literal;
  const from =
    /^\(?\s*(__DIR__|dirname\(\s*__(?:DIR|FILE)__\s*(?:,\s*(\d+)\s*)?\))\s*\.\s*(["'])\/?([^"'$]+)\3\s*\)?;?$/.exec(
      expression,
    );
  if (!from) return null;
  const levels = from[1]!.includes('__FILE__') ? Number(from[2] ?? 1) - 1 : Number(from[2] ?? 1);
  return (from[1] === '__DIR__' || levels === 0 ? './' : '../'.repeat(Math.min(levels, 20))) + from[4]!;
}

/** A name without `function`, `const`, alias and leading backslash. */
const bare = (name: string) =>
  name
    .replace(/^\s*(?:function|const)\s+/, '')
    .replace(/\s+as\s+[\w\u0080-\uffff]+\s*$/i, '')
    .replace(/\s/g, '')
    .replace(/^\\/, '');

/** `namespace A\B`, `use` single, grouped, of functions and constants, and `require` of a literal path. */
export function readPhpImport(statement: string): RawImport[] {
  const flat = statement.slice(0, 20_000).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  const declared = /^namespace\s+([\w\\\s\u0080-\uffff]+?)\s*(?:[;{]|$)/i.exec(flat);
  if (declared) return [{ kind: 'package', specifier: bare(declared[1]!), names: [] }];
  const included = /^(?:require|include)(?:_once)?\b\s*([\s\S]*)$/i.exec(flat);
  if (included) {
    const path = includedPath(included[1]!.trim());
    return path ? [{ kind: 'include', specifier: path, names: [] }] : [];
  }
  const used = /^use\s+([\s\S]*?);?\s*$/i.exec(flat)?.[1];
  if (!used) return [];
  // `use A\{B, C as D}` names two classes of one namespace.
  const group = /^([^{]*)\{([\s\S]*)\}/.exec(used);
  const prefix = group ? bare(group[1]!) : '';
  return (group ? group[2]! : used)
    .split(',')
    .filter((part) => bare(part) !== '')
    .map((part) => {
      const specifier = prefix + bare(part);
      const local = /\sas\s+([\w\u0080-\uffff]+)\s*$/i.exec(part)?.[1];
      const names = local ? [importedAs(specifier.slice(specifier.lastIndexOf('\\') + 1), local)] : [];
      return { kind: 'import', specifier, names };
    });
}

function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  if (definition.kind === 'method' && definition.name === '__construct')
    return { ...definition, kind: 'constructor' };
  return resolveHeader(definition, text);
}

export const php: Language = {
  id: 'php',
  name: 'PHP',
  kind: 'code',
  extensions: ['.php', '.phtml', '.php3', '.php4', '.php5', '.php7', '.php8', '.phps', '.phpt'],
  interpreters: ['php'],
  lexis: {
    // With a space, because `#[` opens an attribute.
    lineComments: ['//', '# '],
    blockComments: [['/*', '*/']],
    strings: [LONG_DOUBLE, LONG_SINGLE],
  },
  docs: 'above',
  testPaths: /(^|\/)[^/]*(Test|TestCase|Cest|Spec)\.php$|\.phpt$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.php$/.exec(path)?.[1] ?? '';
    const name = stem.replace(/(?:Unit|Integration|Feature)?(?:Test|TestCase|Cest|Spec)$/, '');
    return name && name !== stem ? [`${name}.php`] : [];
  },
  structure: { engine: 'tree-sitter', grammar: 'php', query: QUERY, readImport: readPhpImport, refine },
};
