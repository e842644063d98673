// Vue and Svelte: components whose script blocks are parsed as scripts, in place.
import { BACKTICK, DOUBLE, type EmbeddedPart, type Language, type Lexis, SINGLE } from '../language.ts';

/** Comments, templates, which nest, and the blocks with code. */
const TAGS = /<!--|<\/?template(?=[\s/>])|<(script|style)(?=[\s/>])/gi;

/** The attributes of a tag, whose quoted values may hold a `>`. */
const ATTRIBUTES = /^((?:[^>"']|"[^"]*"|'[^']*')*)>/;

/** Characters. Without a limit, each of many unclosed tags would cost the whole file. */
const MAX_TAG = 2_000;

/** The language of a block by its `lang` or `type` attribute. */
const DIALECTS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  typescript: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  jsx: 'javascript',
  javascript: 'javascript',
  '': 'javascript',
};

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i').exec(attributes);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim().toLowerCase();
}

/** The language of a script block; null for data (`application/json`, templates), which is not read. */
function languageOf(attributes: string): string | null {
  const type = attribute(attributes, 'type').replace(/^(?:text|application)\//, '');
  const lang = attribute(attributes, 'lang') || (type === 'module' || type === 'babel' ? '' : type);
  return DIALECTS[lang] ?? null;
}

/** The script blocks of a component. A block inside a template counts only at the start of a line. */
export function scriptParts(text: string): EmbeddedPart[] {
  const parts: EmbeddedPart[] = [];
  const tags = new RegExp(TAGS);
  let depth = 0;
  let commentsEnd = true;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    const [opening, block] = tag;
    if (opening === '<!--') {
      // Once a comment stays open, no later one can close either, so the search ends.
      const close: number = commentsEnd ? text.indexOf('-->', tag.index) : -1;
      commentsEnd = close >= 0;
      if (commentsEnd) tags.lastIndex = close + 3;
      continue;
    }
    const [whole, attributes = ''] = ATTRIBUTES.exec(text.slice(tags.lastIndex, tag.index + MAX_TAG)) ?? [];
    if (whole === undefined) continue;
    const start = tags.lastIndex + whole.length;
    tags.lastIndex = start;
    if (block === undefined) {
      if (opening.startsWith('</')) depth = Math.max(0, depth - 1);
      else if (!whole.endsWith('/>')) depth++;
    } else if (!whole.endsWith('/>')) {
      const close = new RegExp(`</${block}\\s*>`, 'gi');
      close.lastIndex = start;
      const end = close.exec(text)?.index ?? text.length;
      const atLineStart = tag.index === 0 || text[tag.index - 1] === '\n';
      const language =
        block.toLowerCase() === 'script' && (depth === 0 || atLineStart) ? languageOf(attributes) : null;
      if (language && end > start) parts.push({ language, start, end });
      tags.lastIndex = end;
    }
  }
  return parts;
}

const COMPONENT_LEXIS: Lexis = {
  lineComments: ['//'],
  blockComments: [
    ['/*', '*/'],
    ['<!--', '-->'],
  ],
  strings: [DOUBLE, SINGLE, BACKTICK],
};

export const vue: Language = {
  id: 'vue',
  name: 'Vue',
  kind: 'code',
  extensions: ['.vue'],
  lexis: COMPONENT_LEXIS,
  docs: 'above',
  structure: { engine: 'embedded', parts: scriptParts },
};

export const svelte: Language = {
  id: 'svelte',
  name: 'Svelte',
  kind: 'code',
  extensions: ['.svelte'],
  lexis: COMPONENT_LEXIS,
  docs: 'above',
  structure: { engine: 'embedded', parts: scriptParts },
};
