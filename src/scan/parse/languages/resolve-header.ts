import { kindsWith } from '../../../model/symbol.ts';
import type { RawDefinition } from '../language.ts';

const VALUES = kindsWith('value');

const MAX_VALUE = 80;

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** In `new Map(` … `)` the value's own bracket, so that its type or callee stays in the header. */
function openingBracket(value: string): number {
  const opening = /^[^\n]{0,200}?([{([])[{([]*[ \t]*\r?\n/.exec(value);
  if (!opening || !value.endsWith(CLOSERS[opening[1]!]!)) return 0;
  return value.search(/[{([]+[ \t]*\r?\n/);
}

/**
 * Says where a header ends when the grammar's nodes do not: a one-line value such as `= 10` tells more than its
 * absence saves, so it stays; of a longer one what stands in front of its bracket stays; blanks in front of a
 * body without a bracket belong to the body.
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
    // what is done with a literal, as in `{ … }()`, closes the definition
    if (closing > 0) return { ...definition, bodyEnd: headerEnd + closing + 1 };
  }
  return trimHeader(definition, text);
}

/**
 * Bodies without brackets start with their first statement in many grammars; the header ends where its own text
 * ends, in front of the blanks and comment lines in between.
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

/** `def name … end` without statements inside: the closing word is no part of the signature. */
export function withoutEnd(definition: RawDefinition, text: string): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd < end || !/[\s;)]end$/.test(text.slice(start, end))) return definition;
  const header = text.slice(start, end - 3).replace(/[\s;]+$/, '');
  return { ...definition, headerEnd: start + header.length, bodyEnd: end };
}

/** One of several names in a list (`attr_reader :a, :b`): each keeps its own part of the statement. */
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
