// Finds the comments of a text by the parser of its language, so that nothing in a string, a template or a regular
// expression is ever taken for one. A text that the parser does not understand as a whole has no known comments.
import type * as TypeScript from 'typescript';
import type { Node, Tree } from 'web-tree-sitter';
import type {
  CommentRange,
  EmbeddedPart,
  FoundComments,
  Language,
  TreeSitterStructure,
  TypeScriptStructure,
} from './language.ts';
import { languageById } from './languages/table.ts';
import { blankAround, DEFAULT_MAX_STRUCTURE_BYTES, isMinified, staysOpen } from './parse-file.ts';
import type { Ts } from './scripts/compiler-parts.ts';
import { parseWhole } from './scripts/typescript-engine.ts';
import { LineIndex } from './signature-view.ts';
import { createGrammarLoader, type ReadGrammar } from './tree-sitter-engine.ts';

interface FinderOptions {
  readonly readGrammar: ReadGrammar;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly limitMs: number;
}

type FindComments = (text: string, language: Language | null) => Promise<FoundComments>;

const NO_PARSER: FoundComments = { kind: 'no-parser' };
const NOT_PARSED: FoundComments = { kind: 'not-parsed' };

/** Node types of comments in all grammars. */
const COMMENT_NODES = [
  ...['comment', 'line_comment', 'block_comment', 'multiline_comment', 'documentation_comment'],
  ...['js_comment', 'haddock', 'marginalia'],
];

/** Makes a finder that keeps its grammars. It may take down its process, as every parser may: see `scan-worker.ts`. */
export function createCommentFinder({ readGrammar, now, limitMs }: FinderOptions): FindComments {
  const loadGrammar = createGrammarLoader(readGrammar);

  async function byGrammar(text: string, structure: TreeSitterStructure): Promise<FoundComments> {
    const { parser } = await loadGrammar(structure);
    const until = now() + limitMs;
    const tree = parser.parse(text, null, { progressCallback: () => now() > until });
    if (!tree) {
      parser.reset();
      return NOT_PARSED;
    }
    try {
      return { kind: 'found', ranges: commentsOf(tree, text) };
    } finally {
      // trees live in the wasm heap, and finalizers run late
      tree.delete();
    }
  }

  async function embedded(text: string, parts: readonly EmbeddedPart[]): Promise<FoundComments> {
    const ranges: CommentRange[] = [];
    for (const part of parts) {
      const found = await find(blankAround(text, [part]), languageById(part.language));
      if (found.kind !== 'found') return found;
      ranges.push(...found.ranges);
    }
    return { kind: 'found', ranges: inOrder(ranges) };
  }

  async function find(text: string, language: Language | null): Promise<FoundComments> {
    const structure = language?.structureFor?.(text) ?? language?.structure;
    if (!language || !structure || structure.engine === 'lines') return NO_PARSER;
    if (text.length > (language.maxStructureBytes ?? DEFAULT_MAX_STRUCTURE_BYTES)) return NOT_PARSED;
    if (isMinified(text, new LineIndex(text))) return NOT_PARSED;
    if (structure.engine === 'typescript') return byCompiler(text, structure);
    if (structure.engine === 'embedded') return embedded(text, structure.parts(text));
    return staysOpen(text, language.lexis) ? NOT_PARSED : byGrammar(text, structure);
  }

  return async (text, language) => {
    try {
      return await find(text, language);
    } catch (error) {
      // deep nesting overflows the stack
      if (error instanceof RangeError) return NOT_PARSED;
      throw error;
    }
  };
}

/** Comments of a tree, apart from those inside what the grammar did not understand. */
function commentsOf({ rootNode }: Tree, text: string): CommentRange[] {
  const nodes = rootNode.descendantsOfType(COMMENT_NODES);
  const sure = rootNode.hasError ? nodes.filter((node) => node && !isInError(node)) : nodes;
  const ranges = sure.flatMap((node): CommentRange[] => {
    if (!node || isShebang(text, node.startIndex)) return [];
    let end = node.endIndex;
    // some grammars count the line end
    while (end > node.startIndex && /[\r\n]/.test(text[end - 1]!)) end--;
    return [{ start: node.startIndex, end }];
  });
  return inOrder(ranges);
}

/** A grammar goes on after a mistake, but what it then takes for a comment may be anything. */
function isInError(node: Node): boolean {
  for (let one: Node | null = node; one; one = one.parent) if (one.isError || one.isMissing) return true;
  return false;
}

/** The line that names the interpreter is a comment only to the language. */
function isShebang(text: string, start: number): boolean {
  return start === 0 && text.startsWith('#!');
}

/** Sorted, and each character once: a documentation comment may hold another node. */
function inOrder(ranges: readonly CommentRange[]): CommentRange[] {
  const merged: CommentRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || range.start >= last.end) merged.push(range);
  }
  return merged;
}

/**
 * The compiler's nodes leave out comments and punctuation. Whatever may hold the marks of a comment without being one is a
 * leaf of its tree: a string, a part of a template, a regular expression, text between tags. Outside of these leaves
 * the marks begin a comment.
 */
async function byCompiler(text: string, structure: TypeScriptStructure): Promise<FoundComments> {
  const { ts, file, hasSyntaxErrors } = await parseWhole(text, structure);
  if (hasSyntaxErrors) return NOT_PARSED;
  const ranges: CommentRange[] = [];
  let at = isShebang(text, 0) ? lineEnd(text, 0) : 0;
  for (const leaf of [...opaqueLeaves(ts, file), { start: text.length, end: text.length }]) {
    for (;;) {
      const start = nextMark(text, at, leaf.start);
      if (start === -1) break;
      const isBlock = text[start + 1] === '*';
      const close = isBlock ? text.indexOf('*/', start + 2) : lineEnd(text, start);
      const end = isBlock ? (close === -1 ? text.length : close + 2) : close;
      ranges.push({ start, end });
      at = end;
    }
    at = Math.max(at, leaf.end);
  }
  return { kind: 'found', ranges };
}

function nextMark(text: string, from: number, before: number): number {
  for (let at = text.indexOf('/', from); at !== -1 && at < before; at = text.indexOf('/', at + 1))
    if (text[at + 1] === '/' || text[at + 1] === '*') return at;
  return -1;
}

function lineEnd(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

/** Every character that ends a line in these languages. */
const LINE_END = /[\r\n\u2028\u2029]/g;

/** The leaves in their order. No recursion: a file decides how deep its tree is. */
function opaqueLeaves(ts: Ts, file: TypeScript.SourceFile): CommentRange[] {
  const { SyntaxKind: kind } = ts;
  const opaque: ReadonlySet<number> = new Set([
    ...[kind.StringLiteral, kind.NoSubstitutionTemplateLiteral, kind.RegularExpressionLiteral],
    ...[kind.TemplateHead, kind.TemplateMiddle, kind.TemplateTail, kind.JsxText],
  ]);
  const leaves: CommentRange[] = [];
  const open: TypeScript.Node[] = [file];
  for (let node = open.pop(); node; node = open.pop()) {
    if (opaque.has(node.kind)) {
      // text between tags has no white space in front that is not its own
      const start = node.kind === kind.JsxText ? node.pos : ts.getTokenPosOfNode(node, file);
      leaves.push({ start, end: node.end });
    } else
      ts.forEachChild(node, (child) => {
        open.push(child);
      });
  }
  return leaves.sort((a, b) => a.start - b.start);
}
