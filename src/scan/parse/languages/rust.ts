// Rust. `use` trees become one import for each leaf, and an `impl` block is a class named after its type.
import { importedAs, type Language, LONG_DOUBLE, type RawDefinition, type RawImport } from '../language.ts';
import { resolveHeader } from './resolve-header.ts';

/** Items in a function body are local, so each pattern is repeated for the places where items are not. */
const ITEMS = `
(function_item name: (identifier) @name body: (block) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(union_item name: (type_identifier) @name body: (field_declaration_list) @body) @definition.union
(enum_item name: (type_identifier) @name body: (enum_variant_list) @body) @definition.enum
(enum_item body: (enum_variant_list (enum_variant name: (identifier) @name) @definition.enum-member))
(enum_item body: (enum_variant_list (enum_variant name: (identifier) @name body: (field_declaration_list) @body) @definition.enum-member))
(trait_item name: (type_identifier) @name body: (declaration_list) @body) @definition.trait
(impl_item type: (_) @name body: (declaration_list) @body) @definition.class
(mod_item name: (identifier) @name body: (declaration_list) @body) @definition.module
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(const_item name: (identifier) @name value: (_) @body) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(static_item name: (identifier) @name value: (_) @body) @definition.variable
(macro_definition name: (identifier) @name) @definition.macro
`;

/** `mod name;` without a body means another file, and `include!` names one. */
const QUERY = `
${['source_file', 'declaration_list', 'ERROR']
  .flatMap((parent) =>
    ITEMS.trim()
      .split('\n')
      .map((item) => `(${parent} ${item})`),
  )
  .join('\n')}
(field_declaration name: (field_identifier) @name) @definition.property
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
((macro_invocation macro: (identifier) @_macro) @import (#match? @_macro "^include(_str|_bytes)?$"))
`;

/** Deeper and longer than any tree that people write, so that hostile ones cost little. */
const MAX_DEPTH = 50;
const MAX_STATEMENT = 50_000;

/** One import per leaf of `a::{b, c::d as e, self}`. */
function readUseTree(tree: string, kind: RawImport['kind']): RawImport[] {
  const tokens = tree.match(/(?:r#)?[\p{L}\p{N}_$]+|::|[{},*]/gu) ?? [];
  const found: RawImport[] = [];
  let at = 0;
  const readBranch = (prefix: readonly string[], depth: number): void => {
    if (depth > MAX_DEPTH) return;
    const path = [...prefix];
    let local: string | undefined;
    for (; at < tokens.length; at++) {
      const token = tokens[at]!;
      if (token === ',' || token === '}') break;
      if (token === '{') {
        for (at++; at < tokens.length && tokens[at] !== '}'; at++) {
          readBranch(path, depth + 1);
          if (tokens[at] !== ',') break;
        }
        // The part after the closing brace belongs to the caller.
        at++;
        return;
      }
      if (token === 'as') {
        local = tokens[at + 1]?.replace(/^r#/, '');
        at += 2;
        break;
      }
      if (token !== '::') path.push(token.replace(/^r#/, ''));
    }
    const last = path.at(-1);
    if (last === undefined || path.length === prefix.length) return;
    if (last === 'self' && path.length > 1) path.pop();
    // `use a::b` imports `b` of `a`. A single name or `self` means the module as a whole.
    const whole = last === 'self' || path.length === 1;
    found.push(
      whole
        ? { kind, specifier: path.join('::'), names: [] }
        : {
            kind,
            specifier: path.slice(0, -1).join('::'),
            names: [importedAs(last, local && local !== '_' ? local : last)],
          },
    );
  };
  readBranch([], 0);
  return found;
}

/** `use` in every shape, `extern crate a as b;`, `mod a;` and `include!("a.rs")`. */
export function readRustImport(statement: string): RawImport[] {
  const flat = statement
    .slice(0, MAX_STATEMENT)
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .trim();
  const included = /^include\w*!\s*[({[]\s*r?#*"([^"]+)"/.exec(flat);
  if (included) return [{ kind: 'include', specifier: included[1]!, names: [] }];
  const item = /^(pub(?:\s*\([^)]*\))?\s+)?(use|mod|extern\s+crate)\s+([\s\S]*?);?$/.exec(flat);
  if (!item) return [];
  const kind = item[1] ? 'reexport' : 'import';
  if (item[2] === 'use') return readUseTree(item[3]!.replace(/^\s*::/, ''), kind);
  const name = /^(?:r#)?([\p{L}\p{N}_]+)/u.exec(item[3]!)?.[1];
  if (!name) return [];
  return [{ kind: item[2] === 'mod' ? 'module' : kind, specifier: name, names: [] }];
}

/** `&'a mut a::Vec<T>` is an impl for `Vec`. */
function baseType(type: string): string {
  return /^(?:&\s*|'\w+\s+|mut\s+|\*\s*const\s+|\*|dyn\s+)*(?:\w+\s*::\s*)*(\w+)/.exec(type)?.[1] ?? type;
}

function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  if (definition.kind === 'class') return { ...definition, name: baseType(definition.name) };
  if (definition.kind !== 'macro') return resolveHeader(definition, text);
  // The grammar has no node for the rules of a macro as a whole.
  const headerEnd = definition.nameStart + definition.name.length;
  const opening = text.slice(headerEnd, definition.end).search(/[{([]/);
  return { ...definition, headerEnd: opening < 0 ? definition.end : headerEnd + opening };
}

export const rust: Language = {
  id: 'rust',
  name: 'Rust',
  kind: 'code',
  extensions: ['.rs'],
  interpreters: ['rust-script'],
  lexis: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    // No single quotes: a lifetime such as `'a` never closes.
    strings: [{ open: 'r#"', close: '"#', multiline: true }, LONG_DOUBLE],
  },
  docs: 'above',
  testPaths: /(^|\/)(tests?|benches)\/.*\.rs$|(^|\/)(tests?|[^/]*_tests?|test_[^/]*)\.rs$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.rs$/.exec(path)?.[1] ?? '';
    const bare = stem.replace(/^tests?_|_tests?$/g, '');
    return bare === '' || /^tests?$/.test(bare) ? ['mod.rs', 'lib.rs'] : [`${bare}.rs`];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'rust',
    query: QUERY,
    headerSiblings: ['attribute_item'],
    readImport: readRustImport,
    refine,
  },
};
