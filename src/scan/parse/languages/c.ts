import { C_STYLE_LEXIS, type Language } from '../language.ts';
import { cFamilyQuery, cTestedNames, readInclude, refineC } from './c-family.ts';
import { cpp } from './cpp.ts';
import { looksLikeCpp } from './looks-like-cpp.ts';

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
  // a `.h` may be either; the path does not tell
  structureFor: (text) => (looksLikeCpp(text) ? cpp.structure : null),
};
