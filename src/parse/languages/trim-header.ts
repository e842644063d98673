import type { RawDefinition } from '../language.ts';

/** Bodies without brackets start on the next line in many grammars; the header ends where its own text ends. */
export function trimHeader(definition: RawDefinition, text: string): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd >= end || /^[{([]/.test(text.slice(headerEnd, headerEnd + 1))) return definition;
  return { ...definition, headerEnd: start + text.slice(start, headerEnd).trimEnd().length };
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
  return { ...definition, start, headerEnd: Math.min(headerEnd, last), bodyEnd: Math.min(bodyEnd, last), end: last };
}

/** `def name … end` without statements inside: the closing word is no part of the signature. */
export function withoutEnd(definition: RawDefinition, text: string): RawDefinition {
  const { start, headerEnd, end } = definition;
  if (headerEnd < end || !/[\s;)]end$/.test(text.slice(start, end))) return definition;
  const header = text.slice(start, end - 3).replace(/[\s;]+$/, '');
  return { ...definition, headerEnd: start + header.length, bodyEnd: end };
}
