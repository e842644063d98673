// TOML: tables and their keys. Keys of inline tables are data.
import { HASH_LEXIS, type Language, type RawDefinition, TRIPLE_DOUBLE, TRIPLE_SINGLE } from '../language.ts';

/** Only keys of the document and of tables match: deeper pairs have other parents. */
const QUERY = `
(document (pair . (_) @name) @definition.key)
(document (table . (_) @name) @definition.table)
(document (table_array_element . (_) @name) @definition.table)
(table (pair . (_) @name) @definition.key)
(table_array_element (pair . (_) @name) @definition.key)
`;

/** A table's header is its line in brackets. A value of several lines is a body. */
function refineToml(definition: RawDefinition, text: string): RawDefinition {
  const { start, nameStart } = definition;
  const end = start + text.slice(start, definition.end).trimEnd().length;
  const name = definition.name.replace(/["']/g, '');
  const nameEnd = nameStart + definition.name.length;
  if (definition.kind === 'table') {
    const brackets = /^[^\]\n]*\]+/.exec(text.slice(nameEnd, end))?.[0].length ?? 0;
    return { ...definition, name, headerEnd: nameEnd + brackets, bodyEnd: end, end };
  }
  if (!text.slice(start, end).includes('\n'))
    return { ...definition, name, headerEnd: end, bodyEnd: end, end };
  const equals = /^\s*=\s*/.exec(text.slice(nameEnd, end))?.[0].length ?? 0;
  return { ...definition, name, headerEnd: nameEnd + equals, bodyEnd: end, end };
}

export const toml: Language = {
  id: 'toml',
  name: 'TOML',
  kind: 'data',
  extensions: ['.toml'],
  fileNames: ['Cargo.lock', 'Pipfile', 'poetry.lock', 'uv.lock', 'Gopkg.lock', 'pdm.lock'],
  lexis: { ...HASH_LEXIS, strings: [TRIPLE_DOUBLE, TRIPLE_SINGLE, ...HASH_LEXIS.strings] },
  maxStructureBytes: 400_000,
  structure: { engine: 'tree-sitter', grammar: 'toml', query: QUERY, refine: refineToml },
};
