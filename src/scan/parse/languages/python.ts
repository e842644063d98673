import { importedAs } from '../imported-as.ts';
import type { Language, RawImport } from '../language.ts';
import { findPythonBodies } from './blank-python-bodies.ts';

const QUERY = `
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(class_definition name: (identifier) @name body: (block) @body) @definition.class
(decorated_definition definition: (function_definition name: (identifier) @name body: (block) @body)) @definition.function
(decorated_definition definition: (class_definition name: (identifier) @name body: (block) @body)) @definition.class
(module (expression_statement (assignment left: (identifier) @name)) @definition.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.property))
(module (expression_statement (assignment left: (identifier) @name right: [(dictionary) (list) (tuple) (set) (call) (list_comprehension) (dictionary_comprehension)] @body)) @definition.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name right: [(dictionary) (list) (tuple) (set) (call)] @body)) @definition.property))
(type_alias_statement left: (type (identifier) @name)) @definition.type
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
`;

/** Most stand on one line with single blanks between words: nothing to flatten. */
const IS_FLAT = /^[\w.,()*]+(?: [\w.,()*]+)*$/;

/** `import a.b as c, d` and `from .x import (y as z, w)`, comments and line breaks included. */
export function readPythonImport(statement: string): RawImport[] {
  const flat = IS_FLAT.test(statement)
    ? statement
    : statement
        .replace(/#[^\n]*/g, ' ')
        .replace(/[\\\s]+/g, ' ')
        .trim();
  const from = /^from (\.*) ?([\w.]*) import (.*)$/.exec(flat);
  if (from) {
    const names = from[3]!
      .replace(/[()]/g, ' ')
      .split(',')
      .map((part) => part.trim().split(' '))
      .map(([name = '', as, local]) => importedAs(name, as === 'as' && local ? local : name))
      .filter(Boolean);
    return [{ kind: 'import', specifier: `${from[1]}${from[2]}`, names }];
  }
  const plain = /^import (.*)$/.exec(flat);
  if (!plain) return [];
  return plain[1]!
    .split(',')
    .map((part) => part.trim().split(' ')[0]!)
    .filter(Boolean)
    .map((specifier) => ({ kind: 'import', specifier, names: [] }));
}

export const python: Language = {
  id: 'python',
  name: 'Python',
  kind: 'code',
  extensions: ['.py', '.pyi', '.pyw', '.pyx', '.pxd'],
  fileNames: ['SConstruct', 'SConscript', 'wscript'],
  interpreters: ['python', 'python2', 'python3', 'pypy', 'pypy3'],
  lexis: {
    lineComments: ['#'],
    blockComments: [],
    strings: [
      { open: '"""', close: '"""', multiline: true },
      { open: "'''", close: "'''", multiline: true },
      { open: '"', close: '"' },
      { open: "'", close: "'" },
    ],
  },
  docs: 'inside',
  testPaths: /(^|\/)(test_[^/]*|[^/]*_test|tests|conftest)\.py$/,
  testedNames: (path) => {
    const stem = /([^/]*)\.py$/.exec(path)?.[1] ?? '';
    return [`${stem.replace(/^test_|_tests?$/g, '')}.py`];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'python',
    query: QUERY,
    findBlanks: findPythonBodies,
    readImport: readPythonImport,
  },
};
