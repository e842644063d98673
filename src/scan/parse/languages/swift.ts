// Swift. Its grammar takes ten times as long as others, so function bodies are blanked before it reads a text.
import { DOUBLE, type Language, type RawDefinition, type RawImport, TRIPLE_DOUBLE } from '../language.ts';
import { type BraceDialect, blankBraceBodies } from './blank-brace-bodies.ts';
import { resolveHeader } from './resolve-header.ts';

/** The offset after the string whose quotes begin at `at`, with `hashes` marks before them; -1 when it stays open. */
function stringEnd(text: string, at: number, hashes: number): number {
  const quotes = text.startsWith('"""', at) ? '"""' : '"';
  const close = quotes + '#'.repeat(hashes);
  const escaping = `\\${'#'.repeat(hashes)}`;
  for (let here = at + quotes.length; here < text.length; ) {
    if (text.startsWith(close, here)) return here + close.length;
    if (text.startsWith(escaping, here)) {
      here += escaping.length;
      here = text[here] === '(' ? interpolationEnd(text, here) : here + 1;
      if (here === -1) return -1;
    } else if (text[here] === '\n' && quotes === '"') return -1;
    else here++;
  }
  return -1;
}

/** The offset after the parenthesis that closes the one at `at`. */
function interpolationEnd(text: string, at: number): number {
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    const character = text[here];
    if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return here + 1;
    else if (character === '"') {
      here = stringEnd(text, here, 0) - 1;
      if (here < 0) return -1;
    }
  }
  return -1;
}

const SWIFT: BraceDialect = {
  functionWords: new Set(['func', 'init', 'deinit']),
  otherWords: new Set(
    'class struct enum protocol extension actor import macro subscript typealias associatedtype'.split(' '),
  ),
  variableWords: new Set(['var', 'let', 'case']),
  skip: (text, at, last) => {
    const hashes = text[at] === '#' ? (/^#+(?=")/.exec(text.slice(at, at + 8))?.[0].length ?? 0) : 0;
    if (text[at] === '"' || hashes > 0) return stringEnd(text, at + hashes, hashes);
    // A regular expression may hold any bracket or quote, so the text is not blanked at all.
    return text[at] === '/' && '=(,:['.includes(last || '=') ? -1 : 0;
  },
};

/** The grammar spends most of its time in function bodies. */
export function blankSwiftBodies(text: string): string {
  return blankBraceBodies(text, SWIFT);
}

/** Declarations in a function's `statements` are local. */
const PLACES = ['source_file', 'class_body', 'enum_class_body', 'ERROR'];

const ITEMS = `
(class_declaration ["class" "actor"] name: (type_identifier) @name body: (_) @body) @outer.class
(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @outer.struct
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @outer.enum
(class_declaration "extension" name: (_) @name body: (_) @body) @outer.class
(protocol_declaration name: (type_identifier) @name body: (_) @body) @outer.interface
(typealias_declaration name: (type_identifier) @name) @outer.type
(function_declaration "func" . _ @name body: (_) @body) @outer.function
(init_declaration "init" @name body: (_) @body) @outer.constructor
(deinit_declaration "deinit" @name body: (_) @body) @outer.method
(subscript_declaration "subscript" @name (computed_property) @body) @outer.property
(property_declaration name: (pattern (simple_identifier) @name)) @outer.variable
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @outer.variable
(property_declaration name: (pattern (simple_identifier) @name) value: (_) @body) @outer.variable
(property_declaration name: (pattern (simple_identifier) @name) computed_value: (_) @body) @outer.variable
(property_declaration name: (pattern (simple_identifier) @name) (willset_didset_block) @body) @outer.variable
`;

const QUERY = `
(import_declaration) @import
${ITEMS}
(macro_declaration (simple_identifier) @name) @definition.macro
(enum_entry name: (simple_identifier) @name) @definition.enum-member
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(protocol_property_declaration name: (pattern (simple_identifier) @name)) @definition.property
(protocol_body (init_declaration "init" @name) @definition.constructor)
(protocol_body (typealias_declaration name: (type_identifier) @name) @definition.type)
`;

/** `import A`, `@_exported import A.B` and `import struct A.B`, which names one thing of `A`. */
export function readSwiftImport(statement: string): RawImport[] {
  const flat = statement.slice(0, 2_000);
  const imported = /\bimport\s+(?:(typealias|struct|class|enum|protocol|let|var|func)\s+)?([\w.`]+)\s*$/.exec(
    flat,
  );
  if (!imported) return [];
  const kind = /@_exported\b/.test(flat) ? 'reexport' : 'import';
  const path = imported[2]!.replaceAll('`', '');
  const dot = path.lastIndexOf('.');
  if (!imported[1] || dot < 0) return [{ kind, specifier: path, names: [] }];
  return [{ kind, specifier: path.slice(0, dot), names: [path.slice(dot + 1)] }];
}

function refine(definition: RawDefinition, text: string): RawDefinition | null {
  // In broken code the grammar invents names.
  if (definition.name === '') return null;
  const { kind, start, nameStart } = definition;
  // The name of an operator function is a bare token, and its pattern also matches the tokens after it.
  if (kind === 'function' && !/\bfunc\s+$/.test(text.slice(start, nameStart))) return null;
  // `extension Array<Int>` extends `Array`
  if (kind === 'class') return { ...definition, name: definition.name.replace(/<[\s\S]*$/, '') };
  return resolveHeader(definition, text);
}

export const swift: Language = {
  id: 'swift',
  name: 'Swift',
  kind: 'code',
  extensions: ['.swift', '.swiftinterface'],
  interpreters: ['swift'],
  lexis: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [TRIPLE_DOUBLE, DOUBLE],
  },
  docs: 'above',
  testPaths: /(^|\/)[^/]*Tests\/.*\.swift$|(^|\/)[^/]*(Tests?|Spec)\.swift$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.swift$/.exec(path)?.[1] ?? '';
    const bare = stem.replace(/(?:UI|Unit)?(?:Tests?|Spec)$/, '');
    return bare && bare !== stem ? [`${bare}.swift`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'swift',
    query: QUERY,
    outerPlaces: PLACES,
    prepare: blankSwiftBodies,
    readImport: readSwiftImport,
    refine,
  },
};
