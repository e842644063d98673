// Elixir. Definitions are calls of macros such as `def`, so the keyword decides what a call defines.
import type { SymbolKind } from '../../../model/symbol.ts';
import {
  type Language,
  LONG_DOUBLE,
  type RawDefinition,
  type RawImport,
  SINGLE,
  TRIPLE_DOUBLE,
} from '../language.ts';
import { trimHeader } from './resolve-header.ts';

/** Keywords that define something, and those that define tests. */
const DEFINING = 'def(module|protocol|impl|p|macro|macrop|guard|guardp|delegate|n|np|struct|exception)?';
const TESTING = 'test|describe|property|feature';

/** Module attributes that describe something and define nothing. */
const SPEAKING =
  'doc|moduledoc|typedoc|spec|impl|behaviour|dialyzer|deprecated|since|derive|compile|external_resource|tag|moduletag|describetag|before_compile|after_compile|on_load|optional_callbacks|enforce_keys|vsn';

/** Everything is a call here: few patterns match many of them, and `refineElixir` tells them apart by their keyword. */
const QUERY = `
(call target: (identifier) @keyword (arguments . (_) @name) (do_block)? @body
  (#match? @keyword "^(${DEFINING}|${TESTING})$")) @definition.function
(unary_operator operator: "@" operand: (call target: (identifier) @keyword (arguments . (_) @name))
  (#not-match? @keyword "^(${SPEAKING})$")) @definition.constant
(call target: (identifier) @keyword (arguments) (#any-of? @keyword "alias" "import" "use" "require")) @import
(unary_operator operand: (call target: (identifier) @keyword (#eq? @keyword "behaviour"))) @import
(call target: (identifier) @keyword (arguments . (alias) @import) (#eq? @keyword "defmodule"))
`;

/** `alias A.{B, C.D}` names two modules; a bare module name is the file's own. */
export function readElixirImport(statement: string): RawImport[] {
  if (/^[A-Z][\w.]*$/.test(statement)) return [{ kind: 'package', specifier: statement, names: [] }];
  const flat = statement.replace(/#[^\n]*/g, ' ').replace(/\s+/g, ' ');
  const found = /^@?(\w+)[ (]*([\w.]+?)(?:\.\{([^}]*)\})?(?=[,) ]|$)(.*)$/.exec(flat);
  if (!found || !/^[A-Z_]/.test(found[2]!)) return [];
  const [, keyword, base, group, options] = found;
  if (group !== undefined) {
    const parts = group
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    return parts.map((part) => ({ kind: 'import', specifier: `${base}.${part}`, names: [] }));
  }
  const only = keyword === 'import' ? /only: ?\[([^\]]*)\]/.exec(options!)?.[1] : undefined;
  const names = only ? [...only.matchAll(/(\w+[?!]?):/g)].map((match) => match[1]!) : [];
  return [{ kind: 'import', specifier: base!, names }];
}

/** Attributes that are part of the header of the definition below them. `@doc` is not: it becomes the doc line. */
const HEADER_ATTRIBUTE = /^(?:spec|impl|deprecated|since)$/;

/** Where the header starts, given the run of attributes before the definition. */
function headerStart(runStart: number, keywordStart: number, text: string): number {
  const attributes = [...text.slice(runStart, keywordStart).matchAll(/^[ \t]*@(\w+)/gm)];
  let start = keywordStart;
  for (const found of attributes.reverse()) {
    if (!HEADER_ATTRIBUTE.test(found[1]!)) break;
    start = runStart + found.index + found[0].indexOf('@');
  }
  return start;
}

/** `run(a, b) when a > 0` defines `run`, `a + b` defines `+`. */
function headName(head: string): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_]*[?!]?(?=\s*(?:[(,]|::|when\b|$))/u.exec(head);
  return plain?.[0] ?? /^\S+\s+([^\s\w]+)\s/.exec(head)?.[1] ?? /^[\w?!]+/.exec(head)?.[0] ?? '';
}

/** By keyword. Every other keyword defines a function. */
const KINDS: Readonly<Record<string, SymbolKind>> = {
  defmodule: 'module',
  defprotocol: 'interface',
  defimpl: 'class',
  defmacro: 'macro',
  defmacrop: 'macro',
  defguard: 'macro',
  defguardp: 'macro',
  defstruct: 'struct',
  defexception: 'struct',
  test: 'test',
  describe: 'test',
  property: 'test',
  feature: 'test',
  type: 'type',
  typep: 'type',
  opaque: 'type',
  callback: 'method',
  macrocallback: 'method',
};

/** The header ends before `do` or before `, do:`. */
function withoutDo(definition: RawDefinition, text: string): RawDefinition {
  const { nameStart, headerEnd, end } = definition;
  if (headerEnd < end) return trimHeader(definition, text);
  const inline = /,\s*do:/.exec(text.slice(nameStart, end));
  return inline ? { ...definition, headerEnd: nameStart + inline.index } : definition;
}

/** `@timeout 5_000` is a constant named by the attribute; `@type t :: …` and `@callback run(…) :: …` name others. */
function refineAttribute(definition: RawDefinition, keyword: string, at: number): RawDefinition | null {
  const kind = KINDS[keyword];
  const start = at - 1;
  if (kind !== 'type' && kind !== 'method') return { ...definition, start, name: keyword, nameStart: at };
  const name = headName(definition.name);
  return name ? { ...definition, start, kind, name } : null;
}

/**
 * The name of a definition: of the module, of the type that a protocol is implemented for, of the test, of the
 * function.
 */
function definedName(definition: RawDefinition, kind: SymbolKind, keyword: string, text: string): string {
  const { name } = definition;
  if (kind === 'struct') return keyword;
  if (kind === 'test') return name.replace(/^"+|"+$/g, '');
  if (kind === 'module' || kind === 'interface') return name;
  if (kind !== 'class') return headName(name);
  const head = text.slice(definition.nameStart, definition.headerEnd);
  return /\bfor:\s*\[?\s*([\w.]+)/.exec(head)?.[1] ?? name;
}

/** Characters before a name in which its keyword is searched. */
const MAX_KEYWORD = 80;

function refineElixir(definition: RawDefinition, text: string): RawDefinition | null {
  // The attributes before it may be long. The keyword is right before the name.
  const from = Math.max(definition.start, definition.nameStart - MAX_KEYWORD);
  const keyword = /(\w+)[\s(]*$/.exec(text.slice(from, definition.nameStart));
  if (!keyword) return null;
  const word = keyword[1]!;
  const at = from + keyword.index;
  if (definition.kind === 'constant') return refineAttribute(definition, word, at);
  const kind = KINDS[word] ?? 'function';
  const isCallable = kind === 'function' || kind === 'macro';
  const start = isCallable ? headerStart(definition.start, at, text) : at;
  const nameStart = kind === 'struct' ? at : definition.nameStart;
  const name = definedName(definition, kind, word, text);
  return name ? withoutDo({ ...definition, kind, name, start, nameStart }, text) : null;
}

export const elixir: Language = {
  id: 'elixir',
  name: 'Elixir',
  kind: 'code',
  extensions: ['.ex', '.exs'],
  fileNames: ['mix.lock'],
  interpreters: ['elixir'],
  lexis: {
    lineComments: ['#'],
    // The text of `@doc """` is prose, and it takes the place of doc comments.
    blockComments: [['doc """', '"""']],
    strings: [TRIPLE_DOUBLE, LONG_DOUBLE, SINGLE],
  },
  docs: 'above',
  testPaths: /_test\.exs$/,
  testedNames: (path) => {
    const stem = /([^/]*)_test\.exs$/.exec(path)?.[1];
    return stem ? [`${stem}.ex`, `${stem}.exs`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'elixir',
    query: QUERY,
    headerSiblings: ['unary_operator'],
    readImport: readElixirImport,
    refine: refineElixir,
  },
};
