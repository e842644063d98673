// SQL of several dialects. The grammar reads one of them, and the words after CREATE are enough for the others.
import type { SymbolKind } from '../../../model/symbol.ts';
import { DOUBLE, type Language, LONG_SINGLE, type RawDefinition } from '../language.ts';
import { keepShortBody, trimHeader } from './resolve-header.ts';

/**
 * The words after CREATE say everything, so only the keyword is captured and `refineSql` reads the rest. `ERROR` is for
 * dialects that the grammar does not know.
 */
const QUERY = `
(create_table (keyword_create) @name (column_definitions)? @body) @definition.table
(create_view (keyword_create) @name (create_query)? @body) @definition.table
(create_materialized_view (keyword_create) @name (create_query)? @body) @definition.table
(create_index (keyword_create) @name) @definition.table
(create_function (keyword_create) @name (function_body)? @body) @definition.function
(create_trigger (keyword_create) @name) @definition.function
(create_type (keyword_create) @name) @definition.type
(create_schema (keyword_create) @name) @definition.module
(create_sequence (keyword_create) @name) @definition.table
(column_definitions (column_definition name: (_) @name) @definition.property)
(ERROR (keyword_create) @name) @definition.macro
`;

/** A name: plain, or quoted as in standard SQL, MySQL and SQL Server. */
const NAME = '(?:[\\w$#@]+|"[^"\\n]+"|`[^`\\n]+`|\\[[^\\]\\n]+\\])';
const CREATE = new RegExp(
  `^create\\s+(?:or\\s+(?:replace|alter)\\s+)?(?:[\\w=\`@%]+\\s+){0,4}?(table|view|index|function|procedure|proc|trigger|type|domain|schema|sequence|package(?:\\s+body)?|event)\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?(${NAME}(?:\\s*\\.\\s*${NAME})*)`,
  'i',
);

/** By the word after CREATE. Everything else is a table. */
const KINDS: Readonly<Record<string, SymbolKind>> = {
  function: 'function',
  procedure: 'function',
  proc: 'function',
  trigger: 'function',
  event: 'function',
  type: 'type',
  domain: 'type',
  schema: 'module',
  package: 'module',
};

/** A definition that the grammar cannot read still has a start. It ends at the next one. */
function endOfUnread(start: number, end: number, text: string): number {
  const rest = text.slice(start + 1, end);
  const next = rest.search(/^\s*(?:create\b|alter\b|go\s*$|delimiter\b)/im);
  return start + 1 + (next < 0 ? rest : rest.slice(0, next)).trimEnd().length;
}

function unquoted(name: string): string {
  return name
    .split('.')
    .map((part) => part.trim().replace(/^["`[]|["`\]]$/g, ''))
    .join('.');
}

/** Reads kind and name from the text of the statement. */
function refineSql(definition: RawDefinition, text: string): RawDefinition | null {
  const { nameStart } = definition;
  if (definition.kind === 'property') return { ...definition, name: unquoted(definition.name) || 'column' };
  const found = CREATE.exec(text.slice(nameStart, nameStart + 400));
  if (!found) return null;
  const kind = KINDS[found[1]!.toLowerCase().split(/\s/)[0]!] ?? 'table';
  const at = nameStart + found[0].length - found[2]!.length;
  const named = { ...definition, kind, name: unquoted(found[2]!), nameStart: at, start: nameStart };
  if (definition.kind !== 'macro') return keepShortBody(trimHeader(named, text), text);
  const end = endOfUnread(nameStart, definition.end, text);
  const header = /^[^\n]*(?:\n[ \t]*\([^;]*?\))?/.exec(text.slice(nameStart, end))![0].length;
  return { ...named, headerEnd: Math.min(nameStart + header, end), bodyEnd: end, end };
}

export const sql: Language = {
  id: 'sql',
  name: 'SQL',
  kind: 'code',
  extensions: ['.sql', '.ddl', '.pgsql', '.psql', '.mysql', '.plsql', '.pks', '.pkb'],
  lexis: { lineComments: ['--'], blockComments: [['/*', '*/']], strings: [LONG_SINGLE, DOUBLE] },
  docs: 'above',
  testPaths: /[_-]tests?\.sql$/,
  structure: { engine: 'tree-sitter', grammar: 'sql', query: QUERY, refine: refineSql },
};
