// HTML and templates that look like it. Elements with an id, headings, and references to scripts, styles and frames are
// kept.
import { type Language, LONG_DOUBLE, LONG_SINGLE, type RawDefinition, type RawImport } from '../language.ts';

/**
 * The predicates find elements with an `id`. Their name is captured as a whole, and `refineHtml` reads it from the tag.
 */
const QUERY = `
(element [(start_tag) (self_closing_tag)] @tag (#match? @tag "\\\\sid\\\\s*=")) @definition.element @name
(script_element (start_tag) @tag (#match? @tag "\\\\sid\\\\s*=")) @definition.element @name
(element (start_tag (tag_name) @name (#match? @name "^[hH][1-6]$"))) @definition.heading
(script_element (start_tag) @import)
(element [(start_tag (tag_name) @tag) (self_closing_tag (tag_name) @tag)] @import (#match? @tag "^([lL][iI][nN][kK]|[iI][fF][rR][aA][mM][eE])$"))
`;

const ATTRIBUTE = (name: string) =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i');
const SOURCE = ATTRIBUTE('(?:src|href)');
const ID = ATTRIBUTE('id');

/** The value of an attribute, quoted or not; empty when it is missing. */
function attribute(tag: string, pattern: RegExp): string {
  const found = pattern.exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
}

function readHtmlImport(tag: string): RawImport[] {
  const specifier = attribute(tag, SOURCE);
  return specifier ? [{ kind: 'include', specifier, names: [] }] : [];
}

/** The opening tag. Quoted attribute values may hold a `>`. */
function openingTag(text: string, start: number, end: number): string {
  const tag = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(text.slice(start, Math.min(end, start + 4_000)));
  return tag?.[0] ?? text.slice(start, Math.min(end, start + 200));
}

/** A heading is named by its text, an element by its id. Headings with an id stay headings. */
function refineHtml(definition: RawDefinition, text: string): RawDefinition | null {
  const { start } = definition;
  const end = start + text.slice(start, definition.end).trimEnd().length;
  const tag = openingTag(text, start, end);
  const inner = start + tag.length;
  if (definition.kind === 'heading') {
    const name = text
      .slice(inner, end)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return name ? { ...definition, name: name.slice(0, 200), headerEnd: end, bodyEnd: end, end } : null;
  }
  const name = attribute(tag, ID);
  if (name === '' || /^<h[1-6]\b/i.test(tag)) return null;
  const body = { headerEnd: Math.min(inner, end), bodyEnd: end, end };
  return { ...definition, ...body, name };
}

export const html: Language = {
  id: 'html',
  name: 'HTML',
  kind: 'markup',
  extensions: (
    '.html .htm .xhtml .shtml .hbs .handlebars .mustache .njk .j2 .jinja .jinja2 .ejs .erb ' +
    '.twig .liquid .cshtml .jsp'
  ).split(' '),
  lexis: { lineComments: [], blockComments: [['<!--', '-->']], strings: [LONG_DOUBLE, LONG_SINGLE] },
  structure: {
    engine: 'tree-sitter',
    grammar: 'html',
    query: QUERY,
    readImport: readHtmlImport,
    refine: refineHtml,
  },
};
