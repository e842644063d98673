// Python. Function bodies without definitions or imports are left out before the grammar reads a file, because they are
// most of its tokens.
import { type Blanks, blankOut } from '../blanks.ts';
import {
  DOUBLE,
  importedAs,
  type Language,
  type RawImport,
  SINGLE,
  TRIPLE_DOUBLE,
  TRIPLE_SINGLE,
} from '../language.ts';

/**
 * A block of an indented body. Most of a Python file is function bodies, and only definitions and imports in them are
 * kept. A body with neither becomes an empty pair of brackets, so that the grammar sees the same blocks with a fraction
 * of the tokens. Where brackets or strings stay open, the text is left as it is.
 */

interface Block {
  readonly indent: number;
  readonly isFunction: boolean;
  /** Offsets of its first character and after its last one, and whether anything in it must stay. */
  start: number;
  end: number;
  isKept: boolean;
}

/** Characters. Shorter bodies cost less to parse than to blank. */
const MIN_BODY = 12;

const DEFINITION = /^(?:def|class|async[ \t]+def)\b/;
/** Lines that must stay: decorators, imports, type aliases. */
const KEPT = /^(?:@|from\b|type\b)|\bimport\b/;

/** A line that may continue over line breaks inside brackets and strings. */
interface LogicalLine {
  /** Offset after its line break. */
  readonly next: number;
  /** Offset after its last character that is neither white space nor comment. */
  readonly end: number;
}

/** The logical line that begins at `start`; null when a string or bracket stays open. */
function logicalLine(text: string, start: number): LogicalLine | null {
  let depth = 0;
  let end = start;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) {
      if (depth === 0) return { next: at + 1, end };
      continue;
    }
    if (code === 35) {
      const lineEnd = text.indexOf('\n', at);
      at = (lineEnd === -1 ? text.length : lineEnd) - 1;
      continue;
    }
    if (code <= 32) continue;
    if (code === 34 || code === 39) {
      at = stringEnd(text, at, code);
      if (at === -1) return null;
    } else if (code === 92) at++;
    else if (code === 40 || code === 91 || code === 123) depth++;
    else if (code === 41 || code === 93 || code === 125) depth--;
    if (depth < 0) return null;
    end = at + 1;
  }
  return depth === 0 ? { next: text.length, end } : null;
}

/** The offset of the last quote of the string at `at`; -1 when it stays open. */
function stringEnd(text: string, at: number, quote: number): number {
  const isTriple = text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
  for (let here = at + (isTriple ? 3 : 1); here < text.length; here++) {
    const code = text.charCodeAt(here);
    if (code === 92) here++;
    else if (code === 10 && !isTriple) return -1;
    else if (code === quote) {
      if (!isTriple) return here;
      if (text.charCodeAt(here + 1) === quote && text.charCodeAt(here + 2) === quote) return here + 2;
    }
  }
  return -1;
}

/** Follows the indents of lines and collects function bodies that nothing is kept of. */
class BodyFinder {
  readonly ranges: [start: number, end: number][] = [];
  readonly #blocks: Block[] = [];

  /** Takes a line of code. `isOpener`: it defines something whose block is on the following lines. */
  line(indent: number, content: string, start: number, end: number, isOpener: boolean): void {
    this.close(indent);
    const top = this.#blocks.at(-1);
    if (top) {
      if (top.start === -1) top.start = start;
      top.end = end;
      if (DEFINITION.test(content) || KEPT.test(content)) top.isKept = true;
    }
    if (isOpener)
      this.#blocks.push({
        indent,
        isFunction: !content.startsWith('class'),
        start: -1,
        end: -1,
        isKept: false,
      });
  }

  /** Closes the blocks that a line with this indent does not belong to. */
  close(indent: number): void {
    for (let block = this.#blocks.at(-1); block && block.indent >= indent; block = this.#blocks.at(-1)) {
      this.#blocks.pop();
      const outer = this.#blocks.at(-1);
      if (outer && block.end > outer.end) outer.end = block.end;
      if (block.isFunction && !block.isKept && block.end - block.start >= MIN_BODY)
        this.ranges.push([block.start, block.end]);
    }
  }
}

const NOTHING: Blanks = { ranges: [], brackets: null };

export function blankPythonBodies(text: string): string {
  return blankOut(text, findPythonBodies(text));
}

function findPythonBodies(text: string): Blanks {
  const finder = new BodyFinder();
  let at = 0;
  while (at < text.length) {
    let start = at;
    while (text.charCodeAt(start) === 32) start++;
    const code = text.charCodeAt(start);
    // With tabs and form feeds the width of an indent is ambiguous.
    if (code === 9 || code === 12) return NOTHING;
    if (code === 10 || code === 13 || code === 35 || start >= text.length) {
      const lineEnd = text.indexOf('\n', start);
      if (lineEnd === -1) break;
      at = lineEnd + 1;
      continue;
    }
    const line = logicalLine(text, start);
    if (!line) return NOTHING;
    const content = text.slice(start, line.end);
    const isOpener = DEFINITION.test(content) && content.endsWith(':');
    finder.line(start - at, content, start, line.end, isOpener);
    at = line.next;
  }
  finder.close(0);
  return { ranges: finder.ranges, brackets: ['(', ')'] };
}

/**
 * Decorated definitions have a second pattern, whose wider range wins. Values of collections and calls are bodies;
 * short ones such as numbers are part of the signature.
 */
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

/** Most statements are on one line with single spaces: nothing to flatten. */
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
  lexis: { lineComments: ['#'], blockComments: [], strings: [TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE] },
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
