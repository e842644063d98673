// C. A header may be C or C++, and only its content tells which.
import { C_STYLE_LEXIS, type Language } from '../language.ts';
import { cFamilyQuery, cTestedNames, readInclude, refineC } from './c-family.ts';
import { cpp } from './cpp.ts';

export const c: Language = {
  id: 'c',
  name: 'C',
  kind: 'code',
  extensions: ['.c', '.h'],
  interpreters: ['tcc'],
  lexis: C_STYLE_LEXIS,
  docs: 'above',
  testPaths: /(^|\/)(test[_-][^/]*|[^/]*[_-]tests?)\.[ch]$/,
  testedNames: (path) => cTestedNames(path, ['.c', '.h']),
  structure: {
    engine: 'tree-sitter',
    grammar: 'c',
    query: `${cFamilyQuery([])}(type_definition type: (macro_type_specifier) declarator: (_) @name) @definition.type`,
    readImport: readInclude,
    refine: refineC,
  },
  // A `.h` file may be either; its path does not say which.
  structureFor: (text) => (looksLikeCpp(text) ? cpp.structure : null),
};

/** Comments and literals may hold any text. A comment that stays open reaches to the end. */
const BESIDE_CODE = /\/\*(?:[\s\S]*?\*\/|[\s\S]*)|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** Parts that a C compiler never sees. */
const FOR_CPP_ONLY =
  /^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t]*\(?[ \t]*)__cplusplus\b[\s\S]*?^[ \t]*#[ \t]*(?:endif|else)\b/gm;

/** Lines that only C++ has. Includes without an extension are C++, too. */
const CPP_ONLY = new RegExp(
  [
    String.raw`^[ \t]*(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?\s*\{`,
    String.raw`^[ \t]*template[ \t]*<`,
    String.raw`^[ \t]*(?:enum[ \t]+)?class[ \t]+(?:[\w()]+[ \t]+)?[\w:]+(?:[ \t]+final)?\s*[:;{]`,
    String.raw`^[ \t]*(?:public|private|protected)[ \t]*:`,
    String.raw`^[ \t]*using[ \t]+(?:namespace[ \t]|\w+[ \t]*=|[\w:]+::)`,
    String.raw`\b[A-Za-z_]\w*::~?[A-Za-z_]`,
    String.raw`^[ \t]*#[ \t]*include[ \t]*<[a-z_]+>`,
  ].join('|'),
  'm',
);

/** Characters. Enough to reach the first declarations after a licence and a list of includes. */
const MAX_CHARACTERS = 60_000;

/** Whether a text that may be C or C++ holds something that only C++ has. */
export function looksLikeCpp(text: string): boolean {
  const code = text.slice(0, MAX_CHARACTERS).replace(BESIDE_CODE, ' ');
  return CPP_ONLY.test(code.includes('__cplusplus') ? code.replace(FOR_CPP_ONLY, '') : code);
}
