import type { SymbolKind } from '../../model/symbol.ts';
import type { Language, RawDefinition } from './language.ts';
import type { LineIndex } from './line-index.ts';

const MAX_DOC = 200;

/** How far above a definition its comment may reach; only its first line is kept. */
const MAX_COMMENT_LINES = 60;

/** Their "body" is a value, and a string in it is no doc. */
const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'property']);

function clean(line: string): string {
  const stripped = line
    .replace(
      /^\s*(?:\/\/[/!]?|\/\*[*!]?|\*(?!\*)|#+[:|']?|--(?: ?[-|^])?|;+|%+|"{3}|'{3}|[rRuU]?"{3}|\{-\|?|--\[\[|<!--)/,
      '',
    )
    .replace(/(?:\*\/|"{3}|'{3}|-\}|-->)\s*$/, '')
    // documentation in XML: `/// <summary>Opens it.</summary>`
    .replace(/<\/?[a-z][^<>]*>/g, '')
    .trim();
  return stripped.length <= MAX_DOC ? stripped : `${stripped.slice(0, MAX_DOC - 1)}…`;
}

function firstSentence(lines: readonly string[]): string {
  for (const line of lines) {
    const text = clean(line);
    // tags such as @param and rulers such as ------ say nothing about the definition
    if (/[\p{L}\p{N}]/u.test(text) && !text.startsWith('@')) return text;
  }
  return '';
}

/** The first string literal of a body, as Python and Elixir write their docs. */
function docInside(text: string, definition: RawDefinition): string {
  const body = text.slice(definition.headerEnd, Math.min(definition.bodyEnd, definition.headerEnd + 2_000));
  const quoted = /^[\s:{]*[rRuU]?("{3}|'{3}|"|')([\s\S]*?)\1/.exec(body);
  return quoted ? firstSentence(quoted[2]!.split('\n')) : '';
}

/** The comment block that ends on the line right above a definition. */
function docAbove(text: string, lines: LineIndex, definition: RawDefinition, language: Language): string {
  const { lineComments, blockComments } = language.lexis;
  const lineAt = (line: number) =>
    text.slice(lines.starts[line - 1], (lines.starts[line] ?? text.length + 1) - 1);
  const block: string[] = [];
  const last = lines.lineAt(definition.start) - 1;
  let closer: readonly [string, string] | undefined;
  for (let line = last; line >= 1 && last - line < MAX_COMMENT_LINES; line--) {
    const content = lineAt(line).trim();
    if (closer) {
      block.push(content);
      if (content.includes(closer[0])) break;
      continue;
    }
    if (lineComments.some((marker) => content.startsWith(marker))) {
      block.push(content);
      continue;
    }
    closer = blockComments.find(([, close]) => content.endsWith(close));
    if (!closer) break;
    block.push(content);
    if (content.startsWith(closer[0])) break;
  }
  return firstSentence(block.reverse());
}

export function docLine(
  text: string,
  lines: LineIndex,
  definition: RawDefinition,
  language: Language,
): string {
  if (language.kind !== 'code') return '';
  if (language.docs !== 'inside') return docAbove(text, lines, definition, language);
  return VALUE_KINDS.has(definition.kind) ? '' : docInside(text, definition);
}
