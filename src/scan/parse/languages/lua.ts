// Lua. Functions are values, so `name = function() … end` and fields of tables define functions like declarations do.
import { DOUBLE, type Language, type RawDefinition, type RawImport, SINGLE } from '../language.ts';
import { keepShortBody, ownArgument, trimHeader, withoutEnd } from './resolve-header.ts';

/**
 * Assignments count only at the top level (`chunk`). The calls at the end are tests of busted, and ways to load a file.
 */
const QUERY = `
(function_declaration name: [(identifier) @name (dot_index_expression field: (_) @name)] body: (_)? @body) @definition.function
(function_declaration name: (method_index_expression method: (_) @name) body: (_)? @body) @definition.method
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(chunk (assignment_statement (variable_list name: [
  (identifier) @name (dot_index_expression field: (_) @name) (bracket_index_expression field: (string content: (_) @name))
])) @definition.variable)
(field name: [(identifier) @name (string content: (_) @name)] value: (function_definition)) @definition.function
(function_call name: (identifier) @call arguments: (arguments . (string content: (_) @name) (function_definition body: (_)? @body))
  (#any-of? @call "describe" "context" "it" "test" "spec" "insulate" "expose" "pending")) @definition.test
(function_call name: (identifier) @call (#any-of? @call "require" "dofile" "loadfile")) @import
`;

/** `require` names a module, `dofile` and `loadfile` a file. */
function readLuaImport(statement: string): RawImport[] {
  const found = /^(\w+)\s*\(?\s*(?:(["'])([^"'\n]+)\2|\[\[([^\]\n]+)\]\])/.exec(statement);
  const specifier = found?.[3] ?? found?.[4];
  if (!found || !specifier) return [];
  return [{ kind: found[1] === 'require' ? 'import' : 'include', specifier, names: [] }];
}

/** `name = function(a) … end` defines a function; `name = require 'x'` only names another module. */
function refineAssignment(definition: RawDefinition, text: string): RawDefinition | null {
  const own = ownArgument(definition, definition.nameStart + definition.name.length, text);
  const rest = text.slice(definition.nameStart, definition.end);
  const head = /^[^=]*=\s*/.exec(rest)?.[0];
  if (head === undefined) return own;
  const valueStart = definition.nameStart + head.length;
  const value = text.slice(valueStart, definition.end);
  if (/^require\b/.test(value)) return null;
  const callable = /^function\s*\([^)]*\)/.exec(value)?.[0];
  if (callable)
    return {
      ...definition,
      kind: 'function',
      headerEnd: valueStart + callable.length,
      bodyEnd: definition.end,
    };
  if (own.end < definition.end || own.start > definition.start) return own;
  return keepShortBody({ ...own, headerEnd: valueStart }, text);
}

/** A field of a table is refined like an assignment, because it has no body in the query. */
function refineLua(definition: RawDefinition, text: string): RawDefinition | null {
  if (definition.name === '') return null;
  if (definition.kind === 'variable') return refineAssignment(definition, text);
  const isField =
    definition.kind === 'function' &&
    definition.headerEnd >= definition.end &&
    definition.start >= definition.nameStart - 2;
  if (isField) return refineAssignment(definition, text);
  return trimHeader(definition.kind === 'test' ? definition : withoutEnd(definition, text), text, '--');
}

export const lua: Language = {
  id: 'lua',
  name: 'Lua',
  kind: 'code',
  extensions: ['.lua', '.rockspec', '.luau', '.wlua'],
  fileNames: ['.luacheckrc', '.busted'],
  interpreters: ['lua', 'luajit', 'lua5.1', 'lua5.2', 'lua5.3', 'lua5.4'],
  lexis: {
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    strings: [DOUBLE, SINGLE, { open: '[[', close: ']]', multiline: true }],
  },
  docs: 'above',
  testPaths: /(^|\/)spec\/|(^|\/)(test_[^/]*|[^/]*[_-](spec|test))\.lua$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.lua$/.exec(path)?.[1] ?? '';
    const tested = stem.replace(/[_-](?:spec|test)$|^test_/g, '');
    return tested ? [`${tested}.lua`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'lua',
    query: QUERY,
    readImport: readLuaImport,
    refine: refineLua,
  },
};
