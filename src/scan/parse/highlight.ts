// Colours a text with the grammar of its language. Grammars name their nodes much alike, so a few patterns over these
// names do for all of them. A language without a grammar gets its comments and strings, which its row of the table tells.
import type { TreeCursor } from 'web-tree-sitter';
import type { MarkKind, TextMarks } from '../../model/text-mark.ts';
import type { EmbeddedPart, Language, Lexis, TreeSitterStructure } from './language.ts';
import { languageById } from './languages/table.ts';
import { Paint } from './paint.ts';
import { isMinified, literal, staysOpen } from './parse-file.ts';
import { paintScript } from './scripts/paint-script.ts';
import { LineIndex } from './signature-view.ts';
import { createGrammarLoader, type ReadGrammar } from './tree-sitter-engine.ts';

/** A longer text would take a second, and nobody reads it to its end. */
const MAX_CHARACTERS = 400_000;
/** Parts of a file may hold parts themselves; no file needs more. */
const MAX_DEPTH = 3;

/** Colours texts. Null when a text is too large, too odd, or has no known language. */
export type Highlight = (text: string, language: Language | null) => Promise<TextMarks | null>;

export interface HighlightOptions {
  readonly readGrammar: ReadGrammar;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** A text that takes longer stays without colours. */
  readonly limitMs: number;
}

/** A function that colours texts; it loads grammars on first use. It may hang or abort with one, so it needs a process of its own. */
export function createHighlight({ readGrammar, now, limitMs }: HighlightOptions): Highlight {
  const loadGrammar = createGrammarLoader(readGrammar);

  async function paint(text: string, language: Language, depth: number): Promise<Paint | null> {
    const structure = language.structureFor?.(text) ?? language.structure;
    const painted = new Paint(text.length);
    if (structure === null || structure.engine === 'lines') paintLexis(text, language.lexis, painted);
    else if (structure.engine === 'typescript') await paintScript(text, structure, painted);
    else if (structure.engine === 'embedded') await paintParts(text, structure.parts(text), painted, depth);
    else if (staysOpen(text, language.lexis) || !(await paintTree(text, structure, painted))) return null;
    return painted;
  }

  async function paintTree(text: string, structure: TreeSitterStructure, painted: Paint): Promise<boolean> {
    const { parser } = await loadGrammar(structure);
    const end = now() + limitMs;
    const tree = parser.parse(text, null, { progressCallback: () => now() > end });
    if (!tree) {
      parser.reset();
      return false;
    }
    const cursor = tree.walk();
    try {
      walk(cursor, text, painted);
      return true;
    } finally {
      cursor.delete();
      tree.delete();
    }
  }

  async function paintParts(text: string, parts: readonly EmbeddedPart[], whole: Paint, depth: number) {
    for (const { language: id, start, end } of parts) {
      const language = languageById(id);
      const part =
        language && depth < MAX_DEPTH ? await paint(text.slice(start, end), language, depth + 1) : null;
      if (part) whole.cover(part, start);
    }
  }

  return async (text, language) => {
    if (language === null || text.length > MAX_CHARACTERS || isMinified(text, new LineIndex(text)))
      return null;
    return (await paint(text, language, 0))?.marks() ?? null;
  };
}

/** Names of nodes that hold code inside a string. */
const INSIDE = /interpolat|substitution|template_expression|format_expression/;
/** What the name of a node says, the first that matches. `_content` and the like are parts of a string. */
const NAMES: readonly (readonly [RegExp, MarkKind])[] = [
  [/comment/, 'comment'],
  [
    /^(?:true|false|null|none|nil|nullptr|undefined|(?:boolean|bool|null|nil)(?:_literal|_scalar|_value)?)$/i,
    'constant',
  ],
  [/^(?:type_identifier|primitive_type|predefined_type|builtin_type|property_name|attribute_name)$/, 'type'],
  [/^tag_name$/, 'keyword'],
  [
    /^(?:(?:raw|interpreted|encapsed|interpolated|verbatim|multiline|line|block|double_quote|single_quote|template|basic|quoted|bare)_)*(?:string|char|character|rune|regex|regexp|heredoc|attribute_value)(?:_(?:literal|content|lit|value|array|scalar|body|fragment|text))*$/,
    'string',
  ],
  [/(?:^|_)(?:number|integer|int|float|decimal|real)(?:_(?:literal|lit|value|scalar))?$/, 'number'],
];
const kinds = new Map<string, MarkKind | null>();

function kindOf(name: string): MarkKind | null {
  let kind = kinds.get(name);
  if (kind === undefined) {
    kind = NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
    kinds.set(name, kind);
  }
  return kind;
}

/** A word that a grammar spells out is a keyword. */
const WORD = /^[A-Za-z][A-Za-z_]*$/;

/** Paints a tree from its root to its leaves, without recursion: the depth depends on the file. */
function walk(cursor: TreeCursor, text: string, painted: Paint): void {
  for (;;) {
    const { nodeType, nodeIsNamed, startIndex, endIndex } = cursor;
    const kind = nodeIsNamed ? kindOf(nodeType) : WORD.test(nodeType) ? 'keyword' : null;
    if (kind !== null) painted.fill(startIndex, Math.min(endIndex, text.length), kind);
    else if (nodeIsNamed && INSIDE.test(nodeType)) painted.fill(startIndex, endIndex, 'plain');
    // Nothing inside a comment has a colour of its own.
    if (kind !== 'comment' && cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return;
  }
}

/** Comments and strings of a language without a grammar. */
function paintLexis(text: string, { lineComments, blockComments, strings }: Lexis, painted: Paint): void {
  const openers = [
    ...blockComments.map(([open, close]) => ({ open, close, kind: 'comment' as const, multiline: true })),
    ...lineComments.map((open) => ({ open, close: '\n', kind: 'comment' as const, multiline: false })),
    ...strings.map(({ open, close, multiline = false }) => ({
      open,
      close,
      kind: 'string' as const,
      multiline,
    })),
  ].sort((a, b) => b.open.length - a.open.length);
  if (openers.length === 0) return;
  const unclosed = new Set<(typeof openers)[number]>();
  const search = new RegExp(openers.map(({ open }) => literal(open)).join('|'), 'g');
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    const opener = openers.find(({ open }) => open === found![0])!;
    const end = unclosed.has(opener) ? 0 : endOf(text, found.index + opener.open.length, opener);
    // Looked for once: many openers without an end would each cost the whole text.
    if (end === 0 && opener.multiline) unclosed.add(opener);
    if (end > 0) painted.fill(found.index, end, opener.kind);
    search.lastIndex = end > 0 ? end : found.index + opener.open.length;
  }
}

/** The offset behind the end of a comment or string; 0 for a quote without an end on its line, such as an apostrophe. */
function endOf(
  text: string,
  from: number,
  { close, kind, multiline }: { close: string; kind: MarkKind; multiline: boolean },
): number {
  const lineEnd = text.indexOf('\n', from);
  const last = multiline || lineEnd < 0 ? text.length : lineEnd;
  for (let at = from; at < last; at++) {
    if (kind === 'string' && text[at] === '\\') at++;
    else if (text.startsWith(close, at)) return at + close.length;
  }
  return kind === 'comment' ? last : 0;
}
