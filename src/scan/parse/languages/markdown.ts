// Markdown. Sections are found line by line, without a grammar, because a heading needs no more than its line and the
// one above.
import type { Language, RawDefinition } from '../language.ts';

/** The start of a code fence, a heading with `#`, and the underline of a heading. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MARKED = /^ {0,3}(#{1,6})(?:[ \t]+([^\n]*))?$/;
const UNDERLINE = /^ {0,3}(=+|-{1,})[ \t]*$/;

/** A line that an underline below it turns into a heading. */
const PARAGRAPH = /^(?! {4})(?! {0,3}(?:[#>|]|[-*+] |\d+[.)] |[-=]+[ \t]*$|`{3,}|~{3,})).*\S/;

/** A heading, before its section is known. */
interface Heading {
  readonly level: number;
  readonly text: string;
  readonly nameStart: number;
  readonly start: number;
  readonly headerEnd: number;
}

/** Characters of a heading that are read, because the patterns below take quadratic time. */
const MAX_HEADING = 1_000;

/** The text of a heading without its marks. */
function nameOf(text: string): string {
  return text
    .slice(0, MAX_HEADING)
    .replace(/\s+#+\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|\s+\{#[^}]*\}$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

/** Finds headings line by line, outside of code fences and front matter. */
function findHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence = '';
  let isFrontMatter = /^---[ \t]*\r?\n/.test(text);
  let above: { readonly line: string; readonly start: number } | null = null;
  for (let start = 0, number = 0; start < text.length; number++) {
    const lineEnd = text.indexOf('\n', start);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    const line = text.slice(start, lineEnd === -1 ? next : lineEnd).replace(/\r$/, '');
    const marker = FENCE.exec(line)?.[1];
    const before: { readonly line: string; readonly start: number } | null = above;
    above = null;
    // Front matter and code fences hold no headings.
    if (isFrontMatter) isFrontMatter = number === 0 || !/^(?:---|\.\.\.)[ \t]*$/.test(line);
    else if (fence !== '') {
      if (marker?.startsWith(fence)) fence = '';
    } else if (marker) fence = marker;
    else {
      const marked = MARKED.exec(withoutEnd(line));
      const underline = before && UNDERLINE.exec(line);
      if (marked) {
        const content = marked[2] ?? '';
        const nameStart =
          start + (content === '' ? 0 : line.indexOf(content, line.indexOf(marked[1]!) + marked[1]!.length));
        headings.push({
          level: marked[1]!.length,
          text: content,
          nameStart,
          start,
          headerEnd: start + line.trimEnd().length,
        });
      } else if (underline) {
        const content = before.line.trim();
        const nameStart = before.start + before.line.indexOf(content);
        const level = underline[1]!.startsWith('=') ? 1 : 2;
        headings.push({
          level,
          text: content,
          nameStart,
          start: before.start,
          headerEnd: start + line.trimEnd().length,
        });
      } else if (PARAGRAPH.test(line)) above = { line, start };
    }
    start = next;
  }
  return headings;
}

/** Without white space at its end. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--;
  return line.slice(0, end);
}

/** A section ends at the next heading of its own level or a higher one. */
function findSections(text: string): RawDefinition[] {
  const headings = findHeadings(text);
  const open: { readonly heading: Heading; readonly at: number }[] = [];
  const ends = new Array<number>(headings.length).fill(text.length);
  headings.forEach((heading, at) => {
    while (open.length > 0 && open.at(-1)!.heading.level >= heading.level)
      ends[open.pop()!.at] = heading.start;
    open.push({ heading, at });
  });
  return headings.flatMap(({ text: content, nameStart, start, headerEnd }, at) => {
    const name = nameOf(content);
    if (name === '') return [];
    const end = Math.max(headerEnd, start + text.slice(start, ends[at]).trimEnd().length);
    return [{ kind: 'heading', name, nameStart, start, headerEnd, bodyEnd: end, end } as const];
  });
}

export const markdown: Language = {
  id: 'markdown',
  name: 'Markdown',
  kind: 'prose',
  extensions: ['.md', '.mdx', '.markdown', '.mkd', '.mdown', '.mdc', '.qmd', '.rmd'],
  lexis: { lineComments: [], blockComments: [['<!--', '-->']], strings: [] },
  structure: { engine: 'lines', find: findSections },
};
