// Go. A package is a folder, so the package clause is both a definition and an import for the resolver.
import {
  BACKTICK,
  C_STYLE_LEXIS,
  DOUBLE,
  type Language,
  type RawDefinition,
  type RawImport,
  SINGLE,
} from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

/** The part of a value that is left out of a signature. The type, and the parameters of a function literal, stay. */
const VALUE = `(expression_list [
  (composite_literal body: (literal_value) @body)
  (unary_expression operand: (composite_literal body: (literal_value) @body))
  (func_literal body: (block) @body)
  (call_expression arguments: (argument_list) @body)
  (raw_string_literal) @body
  (binary_expression) @body
])`;

/**
 * Constants and variables below one kind of parent; those inside a function are locals. In `const (` groups each line
 * is a definition of its own.
 */
function valuePatterns(parent: string): string {
  return `
(${parent} (const_declaration (const_spec (identifier) @name) @definition.constant))
(${parent} (const_declaration (const_spec (identifier) @name value: ${VALUE}) @definition.constant))
(${parent} (const_declaration (const_spec (identifier) @name)) @definition.constant)
(${parent} (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(${parent} (var_declaration (var_spec name: (identifier) @name value: ${VALUE}) @definition.variable))
(${parent} (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))
(${parent} (var_declaration (var_spec_list (var_spec name: (identifier) @name value: ${VALUE}) @definition.variable)))
(${parent} (var_declaration (var_spec name: (identifier) @name)) @definition.variable)
`;
}

/** Types below one kind of parent, alone or in a `type (` group. */
function typePatterns(parent: string): string {
  const named = (kind: string, type: string) => `
(${parent} (type_declaration (type_spec name: (type_identifier) @name type: ${type}) @definition.${kind}))
(${parent} (type_declaration (type_spec name: (type_identifier) @name type: ${type})) @definition.${kind})
`;
  const plainTypes = (
    'type_identifier qualified_type generic_type pointer_type map_type slice_type array_type ' +
    'channel_type function_type parenthesized_type'
  ).split(' ');
  return `
${named('struct', '(struct_type (field_declaration_list) @body)')}
${named('interface', '(interface_type) @body')}
${named('type', `[${plainTypes.map((type) => `(${type})`).join(' ')}]`)}
(${parent} (type_declaration (type_alias name: (type_identifier) @name) @definition.type))
(${parent} (type_declaration (type_alias name: (type_identifier) @name)) @definition.type)
`;
}

/** After a syntax error declarations are children of `ERROR`. Fields without a name are embedded types. */
const QUERY = `
(package_clause (package_identifier) @name) @definition.module
(package_clause) @import
(import_declaration) @import
(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (identifier) @name body: (block) @body) @definition.function
(method_declaration name: (field_identifier) @name) @definition.method
(method_declaration name: (field_identifier) @name body: (block) @body) @definition.method
${['source_file', 'ERROR'].map((parent) => valuePatterns(parent) + typePatterns(parent)).join('')}
(interface_type (method_elem name: (field_identifier) @name) @definition.method)
(field_declaration name: (field_identifier) @name) @definition.property
(field_declaration name: (field_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.property
(field_declaration !name type: (type_identifier) @name) @definition.property
(field_declaration !name type: (qualified_type name: (type_identifier) @name)) @definition.property
(field_declaration !name type: (generic_type type: (type_identifier) @name)) @definition.property
`;

/** `package shop`, `import "fmt"` and `import ( … )`; comments may be anywhere. */
export function readGoImport(statement: string): RawImport[] {
  const clause = /^package\s+([\p{L}\p{N}_]+)/u.exec(statement);
  if (clause) return [{ kind: 'package', specifier: clause[1]!, names: [] }];
  const found: RawImport[] = [];
  const parts = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(\.\s*)?(?:"([^"\n]+)"|`([^`]+)`)/g;
  for (const [, dot, quoted, raw] of statement.matchAll(parts)) {
    const specifier = quoted ?? raw;
    if (specifier) found.push({ kind: 'import', specifier, names: dot ? ['*'] : [] });
  }
  return found;
}

/** The header of an interface ends at its brace, which is inside its body in the grammar. */
function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  const { kind, start, nameStart, headerEnd, bodyEnd } = definition;
  // A group is not a definition. Its lines are found separately.
  if (/^(?:const|type)\s*\(/.test(text.slice(start, nameStart))) return null;
  if (kind !== 'interface') return resolveHeader(definition, text);
  const opening = text.slice(headerEnd, bodyEnd).indexOf('{');
  return opening < 0 ? definition : { ...definition, headerEnd: headerEnd + opening };
}

export const go: Language = {
  id: 'go',
  name: 'Go',
  kind: 'code',
  extensions: ['.go'],
  lexis: { ...C_STYLE_LEXIS, strings: [DOUBLE, BACKTICK, SINGLE] },
  docs: 'above',
  testPaths: /_test\.go$|(^|\/)testdata\//,
  testedNames: (path) => {
    const stem = /([^/]*)_test\.go$/.exec(path)?.[1];
    return stem ? [`${stem}.go`, `${stem.replace(/_(?:internal|external|integration|bench)$/, '')}.go`] : [];
  },
  structure: { engine: 'tree-sitter', grammar: 'go', query: QUERY, readImport: readGoImport, refine },
};
