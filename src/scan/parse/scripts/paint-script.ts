// Colours TypeScript and JavaScript with the compiler's own parser. The tree has literals and names; between them are
// only comments, punctuation and words, and a word that is no name is a keyword.
import type * as TypeScript from 'typescript';
import type { MarkKind } from '../../../model/text-mark.ts';
import type { TypeScriptStructure } from '../language.ts';
import type { Paint } from '../paint.ts';
import type { Ts } from './compiler-parts.ts';

/** Values of enums of the compiler, which is loaded only when a script is parsed. */
const SCRIPT_KIND = { js: 1, jsx: 2, ts: 3, tsx: 4 } as const;
const LATEST = 99;
const NO_JSDOC = 1;

/** Comments and words. It is used where no string, template or regular expression is. */
const REST = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\p{L}_$][\p{L}\p{N}_$]*/gu;
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

let compiler: Ts | null = null;

/** Paints a script. */
export async function paintScript(
  text: string,
  { dialect }: TypeScriptStructure,
  painted: Paint,
): Promise<void> {
  compiler ??= (await import('typescript')).default as unknown as Ts;
  const ts = compiler;
  const options = { languageVersion: LATEST, jsDocParsingMode: NO_JSDOC };
  const file = ts.createSourceFile('file', text, options, false, SCRIPT_KIND[dialect]);
  const tokens = tokensOf(ts, file);
  let at = 0;
  for (const { start, end, kind } of tokens) {
    paintRest(text, at, start, painted);
    if (kind !== null) painted.fill(start, end, kind);
    at = Math.max(at, end);
  }
  paintRest(text, at, text.length, painted);
}

interface Token {
  readonly start: number;
  readonly end: number;
  /** Null for a name without a colour. */
  readonly kind: MarkKind | null;
}

/** Literals and names in their order. A list in place of recursion: the depth depends on the file. */
function tokensOf(ts: Ts, file: TypeScript.SourceFile): Token[] {
  const { SyntaxKind } = ts;
  const kinds = new Map<number, MarkKind | null>([
    [SyntaxKind.StringLiteral, 'string'],
    [SyntaxKind.NoSubstitutionTemplateLiteral, 'string'],
    [SyntaxKind.TemplateHead, 'string'],
    [SyntaxKind.TemplateMiddle, 'string'],
    [SyntaxKind.TemplateTail, 'string'],
    [SyntaxKind.RegularExpressionLiteral, 'string'],
    [SyntaxKind.NumericLiteral, 'number'],
    [SyntaxKind.BigIntLiteral, 'number'],
    [SyntaxKind.JsxText, null],
    [SyntaxKind.Identifier, null],
    [SyntaxKind.PrivateIdentifier, null],
  ]);
  const tokens: Token[] = [];
  const open: TypeScript.Node[] = [file];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const kind = kinds.get(node.kind);
    if (kind !== undefined) {
      const start = ts.getTokenPosOfNode(node, file);
      if (node.end > start) tokens.push({ start, end: node.end, kind });
      continue;
    }
    const isType = node.kind === SyntaxKind.TypeReference;
    ts.forEachChild(node, (child) => {
      if (isType && child.kind === SyntaxKind.Identifier)
        tokens.push({ start: ts.getTokenPosOfNode(child, file), end: child.end, kind: 'type' });
      else open.push(child);
    });
  }
  return tokens.sort((a, b) => a.start - b.start);
}

function paintRest(text: string, start: number, end: number, painted: Paint): void {
  if (end - start < 2) return;
  for (const { 0: found, index } of text.slice(start, end).matchAll(REST)) {
    const kind = found.startsWith('/') ? 'comment' : CONSTANTS.has(found) ? 'constant' : 'keyword';
    painted.fill(start + index, start + index + found.length, kind);
  }
}
