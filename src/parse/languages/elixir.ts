import type { SymbolKind } from '../../model/symbol.ts';
import type { Language, RawDefinition, RawImport } from '../language.ts';
import { trimHeader } from './trim-header.ts';

const QUERY = `
(call target: (identifier) @keyword (arguments . (alias) @name) (do_block) @body
  (#any-of? @keyword "defmodule" "defprotocol" "defimpl")) @definition.module
(call target: (identifier) @keyword (arguments . (_) @name) (do_block)? @body
  (#any-of? @keyword "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp")) @definition.function
(call target: (identifier) @name (arguments) (#any-of? @name "defstruct" "defexception")) @definition.struct
(do_block (unary_operator operand: (call target: (identifier) @name (arguments))
  (#not-match? @name "^(doc|moduledoc|typedoc|spec|impl|behaviour|type|typep|opaque|callback|macrocallback|dialyzer|deprecated|since|derive|compile|external_resource|tag|moduletag|describetag|before_compile|after_compile|on_load|optional_callbacks|endpoint)$")) @definition.constant)
(unary_operator operand: (call target: (identifier) @keyword (arguments . (_) @name)
  (#any-of? @keyword "type" "typep" "opaque"))) @definition.type
(unary_operator operand: (call target: (identifier) @keyword (arguments . (_) @name)
  (#any-of? @keyword "callback" "macrocallback"))) @definition.method
(call target: (identifier) @keyword (arguments . (string (quoted_content) @name)) (do_block) @body
  (#any-of? @keyword "test" "describe" "property" "feature")) @definition.test
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
    const parts = group.split(',').map((part) => part.trim()).filter(Boolean);
    return parts.map((part) => ({ kind: 'import', specifier: `${base}.${part}`, names: [] }));
  }
  const only = keyword === 'import' ? /only: ?\[([^\]]*)\]/.exec(options!)?.[1] : undefined;
  const names = only ? [...only.matchAll(/(\w+[?!]?):/g)].map((match) => match[1]!) : [];
  return [{ kind: 'import', specifier: base!, names }];
}

/** Attributes that speak of the definition below them; `@doc` is left out, it becomes the doc line. */
const HEADER_ATTRIBUTE = /^(?:spec|impl|deprecated|since)$/;

/** Where the header starts, given the run of attributes in front of the definition. */
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

const KINDS: Readonly<Record<string, SymbolKind>> = {
  defprotocol: 'interface',
  defimpl: 'class',
  defmacro: 'macro',
  defmacrop: 'macro',
  defguard: 'macro',
  defguardp: 'macro',
};

function withoutDo(definition: RawDefinition, text: string): RawDefinition {
  const { nameStart, headerEnd, end } = definition;
  if (headerEnd < end) return trimHeader(definition, text);
  const inline = /,\s*do:/.exec(text.slice(nameStart, end));
  return inline ? { ...definition, headerEnd: nameStart + inline.index } : definition;
}

function refineElixir(definition: RawDefinition, text: string): RawDefinition | null {
  const { nameStart } = definition;
  const before = text.slice(definition.start, nameStart);
  if (definition.kind === 'struct')
    return { ...definition, start: nameStart };
  if (definition.kind === 'constant' || definition.kind === 'type' || definition.kind === 'method') {
    const start = definition.start + Math.max(before.lastIndexOf('@'), 0);
    const name = definition.kind === 'constant' ? definition.name : headName(definition.name);
    return name ? { ...definition, start, name } : null;
  }
  const keyword = /(\w+)[\s("]*$/.exec(before);
  if (!keyword) return null;
  const keywordStart = definition.start + keyword.index;
  if (definition.kind === 'test') return trimHeader({ ...definition, start: keywordStart }, text);
  const kind = KINDS[keyword[1]!] ?? definition.kind;
  if (definition.kind === 'module') {
    const extended = /^[^\n]*?\bfor:\s*\[?\s*([\w.]+)/.exec(text.slice(nameStart, definition.headerEnd))?.[1];
    const name = kind === 'class' && extended ? extended : definition.name;
    return trimHeader({ ...definition, kind, name, start: keywordStart }, text);
  }
  const start = headerStart(definition.start, keywordStart, text);
  const name = headName(definition.name);
  return name ? withoutDo({ ...definition, kind, name, start }, text) : null;
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
    // the text of `@doc """` is prose, and it stands where other languages have their doc comments
    blockComments: [['doc """', '"""']],
    strings: [
      { open: '"""', close: '"""', multiline: true },
      { open: '"', close: '"', multiline: true },
      { open: "'", close: "'" },
    ],
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
