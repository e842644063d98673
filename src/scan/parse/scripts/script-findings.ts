import type * as TypeScript from 'typescript';
import type { SymbolKind } from '../../../model/symbol.ts';
import type { RawDefinition, RawImport } from '../language.ts';
import type { LocatedImport } from '../structure.ts';
import type { Ts } from './compiler-parts.ts';

export type Node = TypeScript.Node;

interface Range {
  readonly pos: number;
  readonly end: number;
}

/** What has been found in one script, in the terms of its text. */
export class ScriptFindings {
  readonly definitions: RawDefinition[] = [];
  readonly imports: LocatedImport[] = [];
  readonly ts: Ts;
  /** As written, whatever was blanked before `file` was parsed. */
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

  define(kind: SymbolKind, name: Node | string, whole: Node, body?: Range | undefined): void {
    const { text } = this;
    const start = this.#startOf(whole);
    const nameStart = typeof name === 'string' ? start : this.#startOf(name);
    let headerEnd = body ? body.pos : whole.end;
    // `pos` stands before the white space and comments in front of a node
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
