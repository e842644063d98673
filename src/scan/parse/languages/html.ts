import type { Language, RawDefinition, RawImport } from '../language.ts';

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

function attribute(tag: string, pattern: RegExp): string {
  const found = pattern.exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
}

function readHtmlImport(tag: string): RawImport[] {
  const specifier = attribute(tag, SOURCE);
  return specifier ? [{ kind: 'include', specifier, names: [] }] : [];
}

/** The opening tag, with quoted attribute values that may hold a `>`. */
function openingTag(text: string, start: number, end: number): string {
  const tag = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(text.slice(start, Math.min(end, start + 4_000)));
  return tag?.[0] ?? text.slice(start, Math.min(end, start + 200));
}

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
  extensions: [
    '.html',
    '.htm',
    '.xhtml',
    '.shtml',
    '.hbs',
    '.handlebars',
    '.mustache',
    '.njk',
    '.j2',
    '.jinja',
    '.jinja2',
    '.ejs',
    '.erb',
    '.twig',
    '.liquid',
    '.cshtml',
    '.jsp',
  ],
  lexis: {
    lineComments: [],
    blockComments: [['<!--', '-->']],
    strings: [
      { open: '"', close: '"', multiline: true },
      { open: "'", close: "'", multiline: true },
    ],
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'html',
    query: QUERY,
    readImport: readHtmlImport,
    refine: refineHtml,
  },
};
