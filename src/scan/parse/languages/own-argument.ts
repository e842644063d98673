import type { RawDefinition } from '../language.ts';

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
