// Java. The grammar gives the same node for members and for locals, so patterns name the places where a member may be.
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

/** Patterns by kind of item. `PLACES` says where each of them may be. */
const TYPES = `
(class_declaration name: (identifier) @name body: (class_body) @body) @definition.class
(interface_declaration name: (identifier) @name body: (interface_body) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
`;

const RECORDS = `
(record_declaration name: (identifier) @name body: (class_body) @body) @definition.class
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.property))
`;

const METHODS = `
(method_declaration name: (identifier) @name) @definition.method
(method_declaration name: (identifier) @name body: (block) @body) @definition.method
`;

const FIELDS_AND_CONSTRUCTORS = `
(constructor_declaration name: (identifier) @name body: (constructor_body) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @definition.constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.property
(field_declaration declarator: (variable_declarator name: (identifier) @name value: (_) @body)) @definition.property
`;

const CONSTANTS = `
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name value: (_) @body)) @definition.constant
`;

const ELEMENTS = '(annotation_type_element_declaration name: (identifier) @name) @definition.method';

/**
 * Each place lists the items that the grammar allows there. The body of an anonymous class is no place, because its
 * methods belong to the expression that makes it.
 */
const PLACES: readonly (readonly [place: string, ...allowed: string[]])[] = [
  ['(program ITEM)', TYPES, RECORDS, METHODS],
  ['(class_declaration body: (class_body ITEM))', TYPES, RECORDS, METHODS, FIELDS_AND_CONSTRUCTORS],
  ['(record_declaration body: (class_body ITEM))', TYPES, RECORDS, METHODS, FIELDS_AND_CONSTRUCTORS],
  ['(enum_body_declarations ITEM)', TYPES, RECORDS, METHODS, FIELDS_AND_CONSTRUCTORS],
  ['(interface_body ITEM)', TYPES, RECORDS, METHODS, CONSTANTS],
  // Local types are rare, and a missing brace turns all types after it into local ones.
  ['(block ITEM)', TYPES, RECORDS],
  ['(annotation_type_body ITEM)', TYPES, CONSTANTS, ELEMENTS],
  ['(ERROR ITEM)', TYPES, RECORDS, METHODS, FIELDS_AND_CONSTRUCTORS, CONSTANTS, ELEMENTS],
];

const patterns = (text: string) => text.trim().split('\n');

const QUERY = `
(package_declaration [(scoped_identifier) (identifier)] @name) @definition.module
(module_declaration name: (_) @name body: (_) @body) @definition.module
(package_declaration) @import
(import_declaration) @import
${PLACES.flatMap(([place, ...allowed]) =>
  allowed.flatMap(patterns).map((pattern) => place.replace('ITEM', pattern)),
).join('\n')}
(enum_constant name: (identifier) @name) @definition.enum-member
(enum_constant name: (identifier) @name body: (class_body) @body) @definition.enum-member
`;

/** `package a.b;`, `import a.b.C;`, `import static a.b.C.m;` and their `*` forms. */
export function readJavaImport(statement: string): RawImport[] {
  // Bounded, so that a hostile statement costs no more than a long one.
  const flat = statement
    .slice(0, 2_000)
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+(?=[.;*])/g, '')
    .replace(/\.\s+/g, '.');
  const declared = /\bpackage\s+([\w.$]+)\s*;?$/.exec(flat);
  if (declared) return [{ kind: 'package', specifier: declared[1]!, names: [] }];
  const imported =
    /^import\s+(?:(?:static|module)\s+)?([\w.$\u0080-\uffff]+?)\.([\w$\u0080-\uffff]+|\*)\s*;?$/.exec(flat);
  return imported ? [{ kind: 'import', specifier: imported[1]!, names: [imported[2]!] }] : [];
}

function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  const before = text.slice(definition.start, definition.nameStart);
  const constant = definition.kind === 'property' && /\bstatic\b/.test(before) && /\bfinal\b/.test(before);
  return resolveHeader(constant ? { ...definition, kind: 'constant' } : definition, text);
}

export const java: Language = {
  id: 'java',
  name: 'Java',
  kind: 'code',
  extensions: ['.java', '.jav'],
  interpreters: ['jbang'],
  lexis: { ...C_STYLE_LEXIS, strings: [TRIPLE_DOUBLE, DOUBLE, SINGLE] },
  docs: 'above',
  testPaths:
    /(^|\/)(src\/\w*[tT]est|androidTest)\/.*\.java$|(^|\/)(Test[A-Z][^/]*|[^/]*(Tests?|TestCase|IT|Spec))\.java$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.java$/.exec(path)?.[1] ?? '';
    const bare = stem
      .replace(/^Test(?=[A-Z])/, '')
      .replace(/(?:Integration|Unit)?(?:Tests?|TestCase|IT|Spec)$/, '');
    return bare && bare !== stem ? [`${bare}.java`] : [];
  },
  structure: { engine: 'tree-sitter', grammar: 'java', query: QUERY, readImport: readJavaImport, refine },
};
