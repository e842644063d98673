import type { RawDefinition } from '../language.ts';

/**
 * Bodies without brackets start with their first statement in many grammars; the header ends where its own text
 * ends, in front of the blanks and comment lines in between.
 */
export function trimHeader(definition: RawDefinition, text: string, comment = ''): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd >= end || /^[{([]/.test(text.slice(headerEnd, headerEnd + 1))) return definition;
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

/** `def name … end` without statements inside: the closing word is no part of the signature. */
export function withoutEnd(definition: RawDefinition, text: string): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd < end || !/[\s;)]end$/.test(text.slice(start, end))) return definition;
  const header = text.slice(start, end - 3).replace(/[\s;]+$/, '');
  return { ...definition, headerEnd: start + header.length, bodyEnd: end };
}
