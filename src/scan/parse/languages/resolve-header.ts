// Decides where the header of a definition ends. Many languages share these rules, because grammars differ in what they
// call a body.
import { kindsWith } from '../../../model/symbol.ts';
import type { RawDefinition } from '../language.ts';

const VALUES = kindsWith('value');

/** Characters of a value on one line that are shown in a signature. */
const MAX_VALUE = 80;

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** Finds the own bracket of a value such as `new Map(` … `)`, so that its type or callee stays in the header. */
function openingBracket(value: string): number {
  const opening = /^[^\n]{0,200}?([{([])[{([]*[ \t]*\r?\n/.exec(value);
  if (!opening || !value.endsWith(CLOSERS[opening[1]!]!)) return 0;
  return value.search(/[{([]+[ \t]*\r?\n/);
}

/**
 * Corrects the end of a header. A value on one line such as `= 10` says more than leaving it out would save, so it
 * stays. Of a longer value the part before its bracket stays. White space before a body without a bracket belongs to
 * the body.
 */
export function resolveHeader(definition: RawDefinition, text: string): RawDefinition {
  const { kind, headerEnd, bodyEnd, end } = definition;
  if (headerEnd >= end) return definition;
  if (VALUES.has(kind)) {
    const value = text.slice(headerEnd, bodyEnd);
    if (value.length <= MAX_VALUE && !value.includes('\n'))
      return { ...definition, headerEnd: end, bodyEnd: end };
    const opening = openingBracket(value);
    if (opening > 0) return { ...definition, headerEnd: headerEnd + opening };
    const closing = value.lastIndexOf(CLOSERS[value[0] ?? ''] ?? value);
    // A call of a literal, as in `{ … }()`, ends the definition.
    if (closing > 0) return { ...definition, bodyEnd: headerEnd + closing + 1 };
  }
  return trimHeader(definition, text);
}

/**
 * In many grammars a body without brackets starts with its first statement. The header ends with its own text, before
 * white space and comment lines.
 */
export function trimHeader(definition: RawDefinition, text: string, comment = ''): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd >= end || '{(['.includes(text[headerEnd] ?? ' ')) return definition;
  let header = text.slice(start, headerEnd).trimEnd();
  while (comment) {
    const lastLine = header.lastIndexOf('\n') + 1;
    if (lastLine === 0 || !header.slice(lastLine).trimStart().startsWith(comment)) break;
    header = header.slice(0, lastLine).trimEnd();
  }
  return { ...definition, headerEnd: start + header.length };
}

/** A value that stays on one line is part of the signature. */
export function keepShortBody(definition: RawDefinition, text: string): RawDefinition {
  const { headerEnd, bodyEnd, end } = definition;
  if (headerEnd >= end || text.slice(headerEnd, bodyEnd).includes('\n')) return definition;
  return { ...definition, headerEnd: end, bodyEnd: end };
}

/** `def name … end` without statements: the closing word is not part of the signature. */
export function withoutEnd(definition: RawDefinition, text: string): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd < end || !/[\s;)]end$/.test(text.slice(start, end))) return definition;
  const header = text.slice(start, end - 3).replace(/[\s;]+$/, '');
  return { ...definition, headerEnd: start + header.length, bodyEnd: end };
}

/** One of several names in a list (`attr_reader :a, :b`) keeps its own part of the statement. */
export function ownArgument(definition: RawDefinition, nameEnd: number, text: string): RawDefinition {
  const { nameStart, end } = definition;
  const start = text.slice(definition.start, nameStart).includes(',') ? nameStart : definition.start;
  const last = /^\s*,/.test(text.slice(nameEnd, nameEnd + 80)) ? Math.min(nameEnd, end) : end;
  const { headerEnd, bodyEnd } = definition;
  return {
    ...definition,
    start,
    headerEnd: Math.min(headerEnd, last),
    bodyEnd: Math.min(bodyEnd, last),
    end: last,
  };
}
