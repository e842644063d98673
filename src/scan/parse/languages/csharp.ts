// C#. Namespaces are imports as well as definitions: `using` names a namespace, and the resolver asks which files
// declare it.
import {
  C_STYLE_LEXIS,
  DOUBLE,
  type Language,
  type RawDefinition,
  type RawImport,
  SINGLE,
  TRIPLE_DOUBLE,
} from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

/** Most definitions have two patterns, one with a body and one without. The engine merges them and keeps the body. */
const QUERY = `
(namespace_declaration name: (_) @name body: (declaration_list) @body) @definition.module
(file_scoped_namespace_declaration name: (_) @name) @definition.module
(namespace_declaration) @import
(file_scoped_namespace_declaration) @import
(using_directive) @import
(class_declaration name: (identifier) @name) @definition.class
(class_declaration name: (identifier) @name body: (declaration_list) @body) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name body: (declaration_list) @body) @definition.class
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))
(struct_declaration name: (identifier) @name) @definition.struct
(struct_declaration name: (identifier) @name body: (declaration_list) @body) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(interface_declaration name: (identifier) @name body: (declaration_list) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (enum_member_declaration_list) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.enum-member
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name) @definition.method
(method_declaration name: (identifier) @name body: (_) @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(destructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(operator_declaration operator: _ @name body: (_) @body) @definition.method
(conversion_operator_declaration type: (_) @name body: (_) @body) @definition.method
(indexer_declaration "this" @name accessors: (accessor_list) @body) @definition.property
(indexer_declaration "this" @name value: (arrow_expression_clause) @body) @definition.property
(property_declaration name: (identifier) @name) @definition.property
(property_declaration name: (identifier) @name accessors: (accessor_list) @body) @definition.property
(property_declaration name: (identifier) @name value: (_) @body) @definition.property
(event_declaration name: (identifier) @name accessors: (accessor_list) @body) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name "=" . (_) @body))) @definition.property
(global_statement (local_function_statement name: (identifier) @name body: (_) @body)) @definition.function
(global_statement (local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @name)))) @definition.variable
(global_statement (local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @name "=" . (_) @body)))) @definition.variable
`;

/** `namespace A.B`, and `using` plain, `global`, `static` or with an alias. */
export function readCSharpImport(statement: string): RawImport[] {
  const flat = statement.slice(0, 2_000).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  // A namespace is what the file declares; `using` is what it imports.
  const declared = /^\s*namespace\s+([\w.\s@]+?)\s*(?:[;{]|$)/.exec(flat);
  if (declared) return [{ kind: 'package', specifier: declared[1]!.replace(/[\s@]/g, ''), names: [] }];
  const used =
    /^\s*(?:global\s+)?using\s+(static\s+)?(?:unsafe\s+)?(?:([\w@]+)\s*=\s*)?(?:global::)?([\w.\s:@]+)/.exec(
      flat,
    );
  if (!used) return [];
  const specifier = used[3]!.replace(/[\s@]/g, '').replace('::', '.');
  return specifier ? [{ kind: 'import', specifier, names: used[1] ? ['*'] : [] }] : [];
}

/** Records are classes or structs, and operators and destructors get readable names. */
function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  const { kind, name, start, nameStart } = definition;
  const before = text.slice(start, nameStart);
  if (kind === 'class' && /\brecord\s+struct\s+$/.test(before)) return { ...definition, kind: 'struct' };
  if (kind === 'method' && before.endsWith('~')) return { ...definition, name: `~${name}` };
  if (kind === 'method' && /\boperator\s+(?:checked\s+)?$/.test(before))
    return { ...definition, name: `operator ${name}` };
  // `const` and `static readonly` fields are constants.
  const constant =
    kind === 'property' && /\bconst\b|\bstatic\s+readonly\b|\breadonly\s+static\b/.test(before);
  return resolveHeader(constant ? { ...definition, kind: 'constant' } : definition, text);
}

export const csharp: Language = {
  id: 'csharp',
  name: 'C#',
  kind: 'code',
  extensions: ['.cs', '.csx', '.cake'],
  interpreters: ['dotnet-script'],
  lexis: {
    ...C_STYLE_LEXIS,
    strings: [TRIPLE_DOUBLE, { open: '@"', close: '"', multiline: true }, DOUBLE, SINGLE],
  },
  docs: 'above',
  testPaths:
    /(^|\/)[^/]*[._-]?(Tests?|Specs|UnitTests|IntegrationTests)\/.*\.cs$|(^|\/)[^/]*(Tests?|Specs?|Facts)\.cs$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.cs$/.exec(path)?.[1] ?? '';
    const bare = stem.replace(/[._]?(?:Unit|Integration)?(?:Tests?|Specs?|Facts)$/, '');
    return bare && bare !== stem ? [`${bare}.cs`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'c_sharp',
    query: QUERY,
    readImport: readCSharpImport,
    refine,
  },
};
