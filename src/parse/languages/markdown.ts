import type { Language, RawDefinition } from '../language.ts';

const QUERY = `
(atx_heading heading_content: (_) @name) @definition.heading
(setext_heading heading_content: (_) @name) @definition.heading
`;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function levelOf(heading: string): number {
  const marks = /^ {0,3}(#{1,6})/.exec(heading);
  if (marks) return marks[1]!.length;
  return /\n {0,3}=+\s*$/.test(heading) ? 1 : 2;
}

/** A section reaches to the next heading of its own level or a higher one; headings in code fences do not count. */
function sectionEnd(from: number, level: number, text: string): number {
  let fence = '';
  let previous = from;
  for (let at = from; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd < 0 ? text.length : lineEnd + 1;
    const line = text.slice(at, next);
    const marker = FENCE.exec(line)?.[1];
    if (fence) {
      if (marker?.startsWith(fence)) fence = '';
    } else if (marker) fence = marker;
    else if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) {
      if (levelOf(line) <= level) return at;
    } else if (
      /^ {0,3}(?:=+|-{2,})\s*$/.test(line) &&
      previous < at &&
      isParagraph(text.slice(previous, at))
    ) {
      if ((line.trimStart().startsWith('=') ? 1 : 2) <= level) return previous;
    }
    previous = at;
    at = next;
  }
  return text.length;
}

/** A line that an underline below it turns into a heading. */
function isParagraph(line: string): boolean {
  return /\S/.test(line) && !/^ {0,3}(?:[#>|]|[-*+] |\d+[.)] |[-=]+\s*$)|^ {4}/.test(line);
}

function refineMarkdown(definition: RawDefinition, text: string): RawDefinition | null {
  const { start } = definition;
  const heading = text.slice(start, definition.end).trimEnd();
  const name = definition.name
    .replace(/\s+#+\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|\s+\{#[^}]*\}$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (name === '') return null;
  const headerEnd = start + heading.length;
  const section = sectionEnd(definition.end, levelOf(heading), text);
  const end = Math.max(headerEnd, start + text.slice(start, section).trimEnd().length);
  return { ...definition, name: name.slice(0, 200), headerEnd, bodyEnd: end, end };
}

export const markdown: Language = {
  id: 'markdown',
  name: 'Markdown',
  kind: 'prose',
  extensions: ['.md', '.mdx', '.markdown', '.mkd', '.mdown', '.mdc', '.qmd', '.rmd'],
  lexis: { lineComments: [], blockComments: [['<!--', '-->']], strings: [] },
  structure: { engine: 'tree-sitter', grammar: 'markdown', query: QUERY, refine: refineMarkdown },
};
