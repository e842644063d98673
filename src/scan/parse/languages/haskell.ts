// Haskell. A function is a type signature and several clauses, which the grammar gives one by one. They become one
// definition with the signature as its header.
import { type Language, LONG_DOUBLE, type RawDefinition, type RawImport } from '../language.ts';
import { keepShortBody, trimHeader } from './resolve-header.ts';

/** Signatures, functions, operators and bindings below one kind of parent. Deeper ones are local. */
const bindingsIn = (parent: string) => `
(${parent} (signature name: (_) @name) @definition.function)
(${parent} (function name: (_) @name) @definition.function)
(${parent} (function (infix operator: (_) @name)) @definition.function)
(${parent} (bind name: (_) @name) @definition.variable)`;

/** A signature inside `ERROR` is kept as a `macro` first, because not every such signature is one. */
const QUERY = `
${['declarations', 'class_declarations', 'instance_declarations'].map(bindingsIn).join('')}
(class_declarations (signature names: (binding_list name: (_) @name)) @definition.function)
(data_type name: (_) @name constructors: (_)? @body) @definition.struct
(newtype name: (_) @name constructor: (_)? @body) @definition.struct
(data_constructor constructor: (_ name: (_) @name)) @definition.enum-member
(data_constructor constructor: (infix operator: (_) @name)) @definition.enum-member
(gadt_constructor name: (_) @name) @definition.enum-member
(newtype_constructor name: (_) @name) @definition.enum-member
(field name: (field_name) @name) @definition.property
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name closed_family: (_)? @body) @definition.type
(data_family name: (_) @name) @definition.type
(kind_signature name: (_) @name) @definition.type
(class name: (_) @name declarations: (_)? @body) @definition.trait
(instance patterns: (_) @name declarations: (_)? @body) @definition.class
(pattern_synonym (equation synonym: (_) @name)) @definition.function
(foreign_import signature: (signature name: (_) @name)) @definition.function
(ERROR (signature name: (variable) @name) @definition.macro)
(header module: (module) @import)
(import) @import
`;

/** A bare module name is the header of the file itself: the module that it declares. */
export function readHaskellImport(statement: string): RawImport[] {
  if (/^[\w.']+$/.test(statement)) return [{ kind: 'package', specifier: statement, names: [] }];
  const flat = statement
    .replace(/\{-[\s\S]*?-\}|--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const found =
    /^import (?:safe )?(?:qualified )?(?:"[^"]*" )?(?:safe )?([\w.']+)(?: qualified)?(?: as [\w.']+)?(.*)$/.exec(
      flat,
    );
  if (!found) return [];
  const list = /^ ?\((.*)\)$/.exec(found[2]!)?.[1];
  return [{ kind: 'import', specifier: found[1]!, names: list === undefined ? [] : listedNames(list) }];
}

/** `Map, (<>), Shape(Circle, Rect)`: names of the outer list, with the constructors that are asked for. */
function listedNames(list: string): string[] {
  const operators = [...list.matchAll(/\(([^\w\s(),.][^\w\s(),]*)\)/g)].map((match) => match[1]!);
  const words = list.match(/[\p{L}_][\p{L}\p{N}_']*/gu) ?? [];
  return [...words.filter((word) => word !== 'type' && word !== 'pattern'), ...operators];
}

/** Lines that are searched for further clauses, up and down. */
const MAX_LINES_BACK = 300;

/** The first line of a function: its signature, or its first clause. */
interface Group {
  /** Offsets of the first line and of the name in it. */
  readonly start: number;
  readonly nameStart: number;
  /** End of the type signature; -1 without one. */
  readonly signatureEnd: number;
}

/** Walks up over the clauses of the same name to the type signature, if there is one. */
function groupAbove(definition: RawDefinition, text: string): Group {
  const name = definition.name;
  const column = definition.start - (text.lastIndexOf('\n', definition.start - 1) + 1);
  let group: Group = { start: definition.start, nameStart: definition.nameStart, signatureEnd: -1 };
  let below = definition.start - column;
  let blockEnd = below;
  for (let count = 0; below > 0 && count < MAX_LINES_BACK; count++) {
    const lineStart = text.lastIndexOf('\n', below - 2) + 1;
    const line = text.slice(lineStart, below).trimEnd();
    below = lineStart;
    const indent = line.length - line.trimStart().length;
    if (line === '' || indent > column || /^\s*(?:--|\{-|#)/.test(line)) continue;
    if (indent < column) break;
    const own = line.slice(indent);
    const plain = own.startsWith('(') ? own.slice(1).trimStart() : own;
    const nameStart = lineStart + line.indexOf(plain, indent);
    const isPrefix = plain.startsWith(name) && !/^[\w']/.test(plain.slice(name.length));
    const isInfix = !/^\w/.test(name) && own.includes(` ${name} `);
    // `a, b :: Int` is about several names. Each of them keeps its own clause.
    if ((!isPrefix && !isInfix) || /^,/.test(plain.slice(name.length).trimStart())) break;
    if (isPrefix && /^\)?\s*::/.test(plain.slice(name.length))) {
      const start = lineStart + indent;
      return { start, nameStart, signatureEnd: start + text.slice(start, blockEnd).trimEnd().length };
    }
    group = {
      start: lineStart + indent,
      nameStart: isInfix ? lineStart + line.indexOf(name) : nameStart,
      signatureEnd: -1,
    };
    blockEnd = lineStart;
  }
  return group;
}

/** End of the last clause of the same name below this one. */
function groupEnd(definition: RawDefinition, text: string): number {
  const { name, start } = definition;
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  let { end } = definition;
  let next = text.indexOf('\n', end) + 1;
  for (let count = 0; next > 0 && next < text.length && count < MAX_LINES_BACK; count++) {
    const lineEnd = text.indexOf('\n', next);
    const line = text.slice(next, lineEnd < 0 ? text.length : lineEnd).trimEnd();
    const indent = line.length - line.trimStart().length;
    const own = line.slice(indent);
    const follows = own.startsWith(name)
      ? !/^[\w']/.test(own.slice(name.length))
      : own.includes(` ${name} `) && !/^\w/.test(name);
    if (line !== '' && indent <= column && (indent < column || !follows)) break;
    if (line !== '') end = next + line.length;
    next = lineEnd < 0 ? 0 : lineEnd + 1;
  }
  return end;
}

/** Comments between a signature and its clauses are not part of the signature. */
function signatureOnly(start: number, end: number, text: string): number {
  const comment = text.slice(start, end).search(/\n\s*(?:--|\{-)/);
  return comment < 0 ? end : start + comment;
}

/** Without a signature the header is the first clause up to `=` or `|`. */
function clauseHead(definition: RawDefinition, start: number, text: string): number {
  const clause = text.slice(start, definition.end);
  const match = /\s(?:=|\|)(?=\s)/.exec(clause);
  return match ? start + match.index : definition.end;
}

/** One definition per name: the type signature is the header, all clauses are the body. */
function refineBinding(raw: RawDefinition, text: string): RawDefinition {
  const name = raw.name.replace(/^\(\s*|\s*\)$/g, '');
  const inset = raw.name.startsWith('(') ? raw.name.indexOf(name) : 0;
  const definition = { ...raw, name, nameStart: raw.nameStart + inset };
  const own = text.slice(definition.start, definition.end);
  if (/^\(?[^\s=|]+\)?\s*::/.test(own) && definition.kind === 'function') {
    return { ...definition, kind: isCallable(own) ? 'function' : 'variable' };
  }
  const group = groupAbove(definition, text);
  const end = groupEnd(definition, text);
  const found = { ...definition, start: group.start, nameStart: group.nameStart, bodyEnd: end, end };
  if (group.signatureEnd < 0) {
    const headerEnd = clauseHead(definition, group.start, text);
    return keepShortBody({ ...found, headerEnd }, text);
  }
  const headerEnd = signatureOnly(group.start, group.signatureEnd, text);
  return {
    ...found,
    headerEnd,
    kind: isCallable(text.slice(group.start, headerEnd)) ? 'function' : 'variable',
  };
}

/** A type with an arrow or in a monad makes a function; any other makes a value. */
function isCallable(signature: string): boolean {
  return /->|→|\bIO\b|\bm\b/.test(signature);
}

/** An instance is named by its types: `Show (Maybe a)` is `Maybe a`. */
function instanceName(patterns: string): string {
  const plain = patterns
    .replace(/^\(+|\)+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain || 'instance';
}

/** Nodes of this grammar may include the white space after them. */
function withoutTail(definition: RawDefinition, text: string): RawDefinition {
  const end = definition.start + text.slice(definition.start, definition.end).trimEnd().length;
  const cut = (offset: number) => Math.min(offset, end);
  return { ...definition, headerEnd: cut(definition.headerEnd), bodyEnd: cut(definition.bodyEnd), end };
}

/** Corrects one finding by its kind. */
function refineHaskell(raw: RawDefinition, text: string): RawDefinition | null {
  if (raw.name === '') return null;
  const definition = withoutTail(raw, text);
  const { kind, name, start } = definition;
  if (kind === 'function' && text.startsWith('foreign', start)) return definition;
  if (kind === 'function' && text.startsWith('pattern', start))
    return { ...definition, name: /^[\w']+/.exec(name)?.[0] ?? name };
  if (kind === 'function' || kind === 'variable') return refineBinding(definition, text);
  if (kind === 'class') return trimHeader({ ...definition, name: instanceName(name) }, text);
  if (kind === 'struct') return keepShortBody(trimHeader(definition, text), text);
  // Where the grammar is lost, only a signature at the start of a line counts.
  if (kind === 'macro')
    return start === 0 || text[start - 1] === '\n' ? { ...definition, kind: 'function' } : null;
  return trimHeader(definition, text);
}

export const haskell: Language = {
  id: 'haskell',
  name: 'Haskell',
  kind: 'code',
  extensions: ['.hs', '.lhs', '.hs-boot', '.hsc'],
  interpreters: ['runhaskell', 'runghc', 'stack'],
  lexis: { lineComments: ['--'], blockComments: [['{-', '-}']], strings: [LONG_DOUBLE] },
  docs: 'above',
  testPaths: /(^|\/)(test|tests|spec)\/|[^/]*(Spec|Tests?)\.hs$/,
  testedNames: (path) => {
    const stem = /([^/]*?)(?:Spec|Tests?)\.hs$/.exec(path)?.[1];
    return stem ? [`${stem}.hs`] : [];
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'haskell',
    query: QUERY,
    readImport: readHaskellImport,
    refine: refineHaskell,
  },
};
