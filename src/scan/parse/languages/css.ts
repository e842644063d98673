// CSS. The grammar also reads parts of SCSS, which appear in `.css` and `.pcss` files.
import { DOUBLE, type Language, type RawDefinition, type RawImport, SINGLE } from '../language.ts';

/**
 * Each rule is named by its whole prelude, so the captured name only marks it. The last patterns find imports of
 * dialects that the grammar reads as errors or unknown rules.
 */
const QUERY = `
(rule_set (selectors) @name (block) @body) @definition.rule
(media_statement . (_) @name (block) @body) @definition.rule
(supports_statement . (_) @name (block) @body) @definition.rule
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.rule
(at_rule (at_keyword) @name (block) @body) @definition.rule
(declaration (property_name) @name (#match? @name "^(--|[$])")) @definition.variable
((at_keyword) @name @definition.function (#any-of? @name "@mixin" "@function"))
(import_statement) @import
(descendant_selector . (string_value) @import)
(ERROR (at_keyword) @keyword . [(string_value) (ERROR)] @import (#any-of? @keyword "@use" "@forward" "@import" "@plugin"))
(postcss_statement (at_keyword) @keyword . (_) @import (#any-of? @keyword "@use" "@forward" "@import" "@plugin"))
(at_rule (at_keyword) @keyword . (_) @import (#any-of? @keyword "@use" "@forward" "@import" "@plugin"))
`;

/** `@import url("a.css") screen`, `@use 'a' as b`, `@import (reference) "a", "b"`. */
export function readCssImport(statement: string): RawImport[] {
  const head = statement.split(/[;{}]/)[0]!.replace(/\/\*[\s\S]*?\*\//g, ' ');
  const url = /url\(\s*["']?([^"')]+?)["']?\s*\)/.exec(head)?.[1];
  const quoted = [...head.matchAll(/(["'])([^"'\n]+)\1/g)].map((match) => match[2]!);
  // A string that the grammar could not read comes without its quotes.
  if (/^[\w./~@:-]+$/.test(head) && !head.startsWith('@'))
    return [{ kind: 'include', specifier: head, names: [] }];
  const list = /\bwith\b/.test(head) ? quoted.slice(0, 1) : quoted;
  return (url ? [url] : list).map((specifier) => ({ kind: 'include', specifier, names: [] }));
}

/** Characters of a mixin that are searched for its end. */
const MAX_BODY = 20_000;

/** The grammar does not know `$parameters`, so the braces of a mixin or function are counted here. */
function refineMixin(definition: RawDefinition, text: string): RawDefinition | null {
  const start = definition.nameStart;
  const head = /^@\w+\s+([\w-]+)[^{};]*/.exec(text.slice(start, start + 2_000));
  const open = start + (head?.[0].length ?? 0);
  if (!head || text[open] !== '{') return null;
  let depth = 0;
  let end = open;
  for (const limit = Math.min(text.length, open + MAX_BODY); end < limit; end++) {
    if (text[end] === '{') depth++;
    else if (text[end] === '}' && --depth === 0) break;
  }
  end = Math.min(end + 1, text.length);
  return { ...definition, kind: 'function', name: head[1]!, start, headerEnd: open, bodyEnd: end, end };
}

/** Names a rule by its whole prelude: `@media (min-width: 10px)`, `.a, .b > c`. */
function refineCss(definition: RawDefinition, text: string): RawDefinition | null {
  if (/^@(?:mixin|function)$/.test(definition.name)) return refineMixin(definition, text);
  if (definition.kind !== 'rule') return definition;
  // A statement that the grammar could not read may be glued to the selector after it.
  const glued = /^[\s\S]*[;}]\s*/.exec(text.slice(definition.start, definition.headerEnd))?.[0].length ?? 0;
  const start = definition.start + glued;
  const prelude = text.slice(start, definition.headerEnd);
  const name = prelude
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // `#{…}` and `$name: …` of SCSS look like blocks to this grammar
  if (name === '' || name.endsWith('#') || /^(?:\$|--)[\w-]+\s*:/.test(name)) return null;
  return { ...definition, start, name: name.slice(0, 200) };
}

export const css: Language = {
  id: 'css',
  name: 'CSS',
  kind: 'markup',
  extensions: ['.css', '.pcss', '.postcss'],
  lexis: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [DOUBLE, SINGLE],
  },
  structure: {
    engine: 'tree-sitter',
    grammar: 'css',
    query: QUERY,
    readImport: readCssImport,
    refine: refineCss,
  },
};
