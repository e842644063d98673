// Zig. A type is the value of a constant, so a constant that holds a `struct` is a definition of that struct.
import type { SymbolKind } from '../../../model/symbol.ts';
import { DOUBLE, type Language, type RawDefinition, type RawImport, SINGLE } from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

/** Declarations in a block are local. */
const PLACES =
  'source_file struct_declaration enum_declaration union_declaration opaque_declaration ERROR'.split(' ');

const ITEMS = `
(variable_declaration . (identifier) @name) @definition.variable
(variable_declaration . (identifier) @name "=" . (_) @body) @definition.variable
(function_declaration name: (identifier) @name !body) @definition.function
(function_declaration name: (identifier) @name body: (block) @body) @definition.function
(test_declaration (string (string_content) @name) (block) @body) @definition.test
(test_declaration (identifier) @name (block) @body) @definition.test
(test_declaration "test" @name . (block) @body) @definition.test
`
  .trim()
  .split('\n');

/** Each item is repeated for each place where it is not local. `test` without a name is named by its keyword. */
const QUERY = `
${PLACES.flatMap((place) => ITEMS.map((item) => `(${place} ${item})`)).join('\n')}
(struct_declaration (container_field name: (identifier) @name) @definition.property)
(union_declaration (container_field name: (identifier) @name) @definition.property)
(enum_declaration (container_field name: (identifier) @name) @definition.enum-member)
(source_file (container_field name: (identifier) @name) @definition.property)
(error_set_declaration (identifier) @name @definition.enum-member)
((builtin_function (builtin_identifier) @_builtin) @import (#any-of? @_builtin "@import" "@cInclude" "@embedFile"))
`;

/** `@import("a.zig")`, and the files that `@cInclude` and `@embedFile` name. */
export function readZigImport(statement: string): RawImport[] {
  const named = /^@(import|cInclude|embedFile)\s*\(\s*"([^"\n]+)"\s*,?\s*\)$/.exec(statement.slice(0, 1_000));
  if (!named) return [];
  return [{ kind: named[1] === 'import' ? 'import' : 'include', specifier: named[2]!, names: [] }];
}

/** A container after `=`: `struct {`, `packed struct {`, `enum(u8) {`. */
const CONTAINER = /^\s*(?::[^=]*)?=\s*(?:extern\s+|packed\s+)?(struct|enum|union|opaque|error)\b[^{;]*(?=\{)/;

const CONTAINER_KINDS: Readonly<Record<string, SymbolKind>> = {
  struct: 'struct',
  opaque: 'struct',
  enum: 'enum',
  error: 'enum',
  union: 'union',
};

/**
 * The value of a constant decides what it defines. Constants that only name an import define nothing, unless they are
 * public.
 */
function refineVariable(definition: RawDefinition, text: string): RawDefinition | null {
  const { name, start, nameStart, end } = definition;
  const before = text.slice(start, nameStart);
  const nameEnd = nameStart + name.length;
  const after = text.slice(nameEnd, end);
  if (!/\bpub\b/.test(before) && /^\s*=\s*@(?:import|cImport)\b/.test(after)) return null;
  const container = CONTAINER.exec(after);
  if (container) {
    const headerEnd = nameEnd + container[0].length;
    const closing = text.lastIndexOf('}', end - 1) + 1;
    const kind = CONTAINER_KINDS[container[1]!]!;
    return { ...definition, kind, headerEnd, bodyEnd: Math.max(headerEnd, Math.min(closing, end)) };
  }
  return resolveHeader(/\bconst\b/.test(before) ? { ...definition, kind: 'constant' } : definition, text);
}

function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  if (definition.kind === 'variable') return refineVariable(definition, text);
  // A function that returns `type` is a generic type, and its result holds the members.
  const header = text.slice(definition.start, definition.headerEnd);
  if (definition.kind === 'function' && /\)\s*type\s*$/.test(header))
    return { ...definition, kind: 'struct' };
  return definition;
}

export const zig: Language = {
  id: 'zig',
  name: 'Zig',
  kind: 'code',
  extensions: ['.zig', '.zon'],
  lexis: {
    lineComments: ['//'],
    blockComments: [],
    strings: [DOUBLE, SINGLE],
  },
  docs: 'above',
  testPaths: /(^|\/)(tests?\/.*|test|tests|[^/]*_tests?|test_[^/]*)\.zig$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.zig$/.exec(path)?.[1] ?? '';
    const bare = stem.replace(/^tests?_|_tests?$/g, '');
    return bare ? [`${bare}.zig`] : [];
  },
  structure: { engine: 'tree-sitter', grammar: 'zig', query: QUERY, readImport: readZigImport, refine },
};
