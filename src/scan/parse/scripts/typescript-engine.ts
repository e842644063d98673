// Parses TypeScript and JavaScript with the compiler's own parser. Most of a script is blanked first, and parsed again
// in full only when that led to a syntax error.
import type * as TypeScript from 'typescript';
import type { SymbolKind } from '../../../model/symbol.ts';
import type {
  LocatedImport,
  RawDefinition,
  RawImport,
  RawStructure,
  TypeScriptStructure,
} from '../language.ts';
import type { Ts } from './compiler-parts.ts';
import { ScriptBodyScanner } from './script-body-scanner.ts';
import { ScriptCollector } from './script-collector.ts';

/** Values of enums of the compiler, which is loaded only when a script is parsed. */
const SCRIPT_KIND = { js: 1, jsx: 2, ts: 3, tsx: 4 } as const;
const LATEST = 99;
const NO_JSDOC = 1;

let compiler: Ts | null = null;

/** Closing tags. Text between tags follows no rule that tells where a body ends, so such files are not blanked. */
const MARKUP = /<\/|\/>/;

/** Parses a script. The compiler's parser is three times as fast as the wasm grammar. */
export async function parseWithTypeScript(
  text: string,
  structure: TypeScriptStructure,
): Promise<RawStructure> {
  compiler ??= (await import('typescript')).default as unknown as Ts;
  const hasMarkup = structure.dialect !== 'ts' && MARKUP.test(text);
  const blanked = hasMarkup ? text : blankScriptBodies(text);
  const found = collectScript(compiler, blanked, structure, text);
  // The blanking may have caused the error, so the whole text is parsed.
  const isDoubtful = found.hasSyntaxErrors && blanked !== text;
  return isDoubtful ? collectScript(compiler, text, structure, text) : found;
}

/** The tree of a whole script, without blanks. */
export async function parseWhole(text: string, { dialect }: TypeScriptStructure) {
  compiler ??= (await import('typescript')).default as unknown as Ts;
  return { ts: compiler, ...sourceFileOf(compiler, text, dialect) };
}

function sourceFileOf(ts: Ts, text: string, dialect: TypeScriptStructure['dialect']) {
  const options = { languageVersion: LATEST, jsDocParsingMode: NO_JSDOC };
  const file = ts.createSourceFile('file', text, options, false, SCRIPT_KIND[dialect]);
  const { parseDiagnostics } = file as unknown as { parseDiagnostics?: readonly unknown[] };
  return { file, hasSyntaxErrors: (parseDiagnostics?.length ?? 0) > 0 };
}

/** Collects definitions from the parsed text. Whatever is read from `text` must not depend on the blanking. */
function collectScript(
  ts: Ts,
  blanked: string,
  { dialect }: TypeScriptStructure,
  text: string,
): RawStructure {
  const { file, hasSyntaxErrors } = sourceFileOf(ts, blanked, dialect);
  const found = new ScriptFindings(ts, file, text);
  new ScriptCollector(found).statements(file.statements, false);
  return {
    definitions: found.definitions,
    imports: found.imports,
    problem: null,
    hasSyntaxErrors,
  };
}

/**
 * Most of a script is function bodies and values, and almost nothing in them is kept. This blanks those without a
 * definition, an import or a test, so that the parser builds a small tree. Offsets stay the same. A text whose brackets
 * do not match is returned unchanged.
 */
export function blankScriptBodies(text: string): string {
  const scanner = new ScriptBodyScanner(text);
  if (!scanner.run() || scanner.ranges.length === 0) return text;
  let blanked = '';
  let at = 0;
  for (const [start, end] of scanner.ranges) {
    blanked += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}

export type Node = TypeScript.Node;

interface Range {
  readonly pos: number;
  readonly end: number;
}

/** The findings of one script, with offsets of its original text. */
export class ScriptFindings {
  readonly definitions: RawDefinition[] = [];
  readonly imports: LocatedImport[] = [];
  readonly ts: Ts;
  /** The original text, without blanks. */
  readonly text: string;
  readonly #file: TypeScript.SourceFile;

  constructor(ts: Ts, file: TypeScript.SourceFile, text: string) {
    this.ts = ts;
    this.text = text;
    this.#file = file;
  }

  #startOf(node: Node): number {
    return this.ts.getTokenPosOfNode(node, this.#file);
  }

  /** Adds a definition. A name in a string is one that the text does not have, such as `default`. */
  define(kind: SymbolKind, name: Node | string, whole: Node, body?: Range | undefined): void {
    const { text } = this;
    const start = this.#startOf(whole);
    const nameStart = typeof name === 'string' ? start : this.#startOf(name);
    let headerEnd = body ? body.pos : whole.end;
    // `pos` is before the white space and comments of a node.
    while (body && headerEnd < body.end && /\s/.test(text[headerEnd]!)) headerEnd++;
    this.definitions.push({
      kind,
      name: typeof name === 'string' ? name : text.slice(nameStart, name.end),
      nameStart,
      start,
      headerEnd,
      bodyEnd: body ? body.end : whole.end,
      end: whole.end,
    });
  }

  /** From the opening brace of a member list to its closing one. */
  braces(members: TypeScript.NodeArray<Node>, whole: Node): Range {
    return { pos: this.text.lastIndexOf('{', members.pos), end: whole.end };
  }

  import(kind: RawImport['kind'], specifier: Node | undefined, names: readonly string[], at: Node): void {
    if (specifier && this.ts.isStringLiteralLike(specifier))
      this.imports.push({ kind, specifier: specifier.text, names, start: this.#startOf(at), end: at.end });
  }
}
