// Dart. The grammar puts signatures and bodies side by side, and most corrections join them again.
import {
  DOUBLE,
  type Language,
  type RawDefinition,
  type RawImport,
  SINGLE,
  TRIPLE_DOUBLE,
  TRIPLE_SINGLE,
} from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

const CONSTRUCTORS = (
  'constructor_signature constant_constructor_signature factory_constructor_signature ' +
  'redirecting_factory_constructor_signature'
).split(' ');

/** The name of a constructor is the last identifier before its parameters: `Shop.named(…)`. */
const CONSTRUCTOR = `[${CONSTRUCTORS.map((node) => `(${node} (identifier) @name . (formal_parameter_list))`).join(' ')}]`;

/** Members and their bodies are siblings in this grammar. The patterns match both, and `refine` joins them. */
const SIGNATURES = [
  ['method', '(function_signature name: (identifier) @name)'],
  ['property', '[(getter_signature name: (identifier) @name) (setter_signature name: (identifier) @name)]'],
  ['method', '(operator_signature "operator" . _ @name)'],
] as const;

/** Each member with a body, without one, and as a declaration (`external`, abstract). */
const MEMBERS = [...SIGNATURES, ['constructor', CONSTRUCTOR] as const].map(
  ([kind, signature]) => `
(method_signature ${signature}) @definition.${kind}
((method_signature ${signature}) @definition.${kind} . (function_body) @body)
(declaration ${signature}) @definition.${kind}
`,
);

/** Top-level functions and variables. After a syntax error they are children of `ERROR`. */
const FUNCTIONS = ['program', 'ERROR'].map(
  (parent) => `
(${parent} (function_signature name: (identifier) @name) @definition.function)
(${parent} (function_signature name: (identifier) @name) @definition.function . (function_body) @body)
(${parent} [(getter_signature name: (identifier) @name) (setter_signature name: (identifier) @name)] @definition.variable)
(${parent} [(getter_signature name: (identifier) @name) (setter_signature name: (identifier) @name)] @definition.variable . (function_body) @body)
(${parent} (static_final_declaration_list (static_final_declaration . (identifier) @name . (_) @body)) @definition.variable)
(${parent} (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.variable)
(${parent} (initialized_identifier_list (initialized_identifier . (identifier) @name . (_) @body)) @definition.variable)
`,
);

const QUERY = `
(library_name (dotted_identifier_list) @name) @definition.module
(library_name) @import
(import_or_export) @import
(part_directive) @import
(part_of_directive) @import
(class_definition name: (identifier) @name body: (class_body) @body) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.trait
(extension_declaration name: (identifier) @name body: (_) @body) @definition.class
(extension_declaration !name class: (_) @name body: (_) @body) @definition.class
(extension_type_declaration name: (identifier) @name body: (_) @body) @definition.class
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.enum-member
(type_alias . (type_identifier) @name "=") @definition.type
(type_alias (type_identifier) @name . (formal_parameter_list)) @definition.type
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name . (_) @body))) @definition.property
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.property
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name . (_) @body))) @definition.property
(declaration (identifier_list (identifier) @name)) @definition.property
${MEMBERS.join('')}
${FUNCTIONS.join('')}
`;

/** `import`, `export`, `part`, `part of` and `library`, with conditions and `show`. */
export function readDartImport(statement: string): RawImport[] {
  const flat = statement.slice(0, 5_000).replace(/(?<!:)\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  const word = /\b(import|export|part\s+of|part|library)\b/.exec(flat)?.[1]?.replace(/\s+/, ' ');
  if (!word) return [];
  const uris = [...flat.matchAll(/r?(["'])(.*?)\1/g)].map((match) => match[2]!).filter(Boolean);
  if (word === 'library' || (word === 'part of' && uris.length === 0)) {
    const name = /\b(?:library|of)\s+([\w.]+)/.exec(flat)?.[1];
    return name ? [{ kind: 'package', specifier: name, names: [] }] : [];
  }
  const shown = [...flat.matchAll(/\bshow\s+([\w$\s,]+?)(?=\bhide\b|;|$)/g)];
  const names = shown.flatMap((match) => match[1]!.split(',').map((name) => name.trim())).filter(Boolean);
  const kind = word === 'export' ? 'reexport' : word === 'part' ? 'module' : 'import';
  return uris.map((specifier) => ({ kind, specifier, names }));
}

/** Modifiers that are not nodes, so `headerSiblings` cannot find them. */
const LOOSE_MODIFIERS = /(?:\b(?:late|external|static|augment)\s+)+$/;

function refine(found: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (found.name === '') return null;
  // An operator is a bare token, and its pattern also matches the parameters after it.
  if (found.kind === 'method' && /\boperator\s*\S/.test(text.slice(found.start, found.nameStart)))
    return null;
  const loose = LOOSE_MODIFIERS.exec(text.slice(Math.max(0, found.start - 40), found.start));
  const start = loose ? found.start - loose[0].length : found.start;
  const definition = { ...found, start, end: Math.max(found.end, found.bodyEnd) };
  const isConstant = /\bconst\s/.test(text.slice(start, definition.nameStart));
  if (definition.kind === 'variable' || definition.kind === 'property') {
    // A value such as `a.b()` is several nodes, and only the first one is captured.
    const bodyEnd = definition.headerEnd < definition.end ? definition.end : definition.bodyEnd;
    const kind = isConstant ? 'constant' : definition.kind;
    return resolveHeader({ ...definition, kind, bodyEnd }, text);
  }
  // `async` and `sync*` are in the body for the grammar and in the header for a reader.
  const marker = /^(?:async|sync)\*?\s*(?=\{)/.exec(text.slice(definition.headerEnd, definition.bodyEnd));
  const headerEnd = definition.headerEnd + (marker?.[0].length ?? 0);
  return resolveHeader({ ...definition, headerEnd }, text);
}

export const dart: Language = {
  id: 'dart',
  name: 'Dart',
  kind: 'code',
  extensions: ['.dart'],
  interpreters: ['dart'],
  lexis: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
  },
  docs: 'above',
  testPaths: /(^|\/)(test|integration_test|test_driver)\/.*\.dart$|_test\.dart$/,
  testedNames: (path) => {
    const stem = /([^/]*)_test\.dart$/.exec(path)?.[1];
    return stem ? [`${stem}.dart`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'dart',
    query: QUERY,
    // The modifiers and the type of a top-level variable are its siblings.
    headerSiblings: (
      'annotation const_builtin final_builtin inferred_type type_identifier type_arguments ' +
      'nullable_type function_type record_type void_type'
    ).split(' '),
    readImport: readDartImport,
    refine,
  },
};
