import type { ContextItem, ContextPack } from '../../../model/context-pack.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SymbolDefinition } from '../../../model/symbol.ts';
import { partFrame, type RenderOptions, renderPiece, renderPieces } from '../../render/render-pack.ts';
import { cutItem } from './cut-item.ts';
import { createPartWriter } from './part-writer.ts';

export interface SplitOptions {
  /** Most tokens of a part. */
  readonly limit: number;
  readonly count: (text: string) => number;
  readonly render: RenderOptions;
  readonly write: (part: number, text: string) => void | Promise<void>;
}

export interface Cuttable {
  readonly item: ContextItem;
  readonly symbols: readonly SymbolDefinition[];
}

export interface Splitter {
  /** Text that is not a file's; left out with a word when no part has room for it. */
  addText(text: string, name: string): Promise<void>;
  /** A file; `again` gives what is needed to cut it, and is called only then. */
  addRendered(text: string, tokens: number, again: () => Cuttable | null): Promise<void>;
  finish(): Promise<{ readonly parts: number; readonly tokens: number; readonly diagnostics: Diagnostic[] }>;
}

/** Writes a package as numbered documents of their own, each inside the limit. */
export function createSplitter(options: SplitOptions): Splitter {
  const { count, render } = options;
  const format = render.format === 'xml' ? 'xml' : 'markdown';
  const writer = createPartWriter({
    ...options,
    head: (part) => partFrame(format, part).head,
    tail: partFrame(format, 1).tail,
  });
  const diagnostics: Diagnostic[] = [];
  const remark = (code: string, message: string, path: string) =>
    diagnostics.push({ code, severity: 'warning', message, path });
  return {
    async addText(text, name) {
      if (text === '') return;
      const tokens = count(text);
      if (tokens <= writer.room) await writer.add(text, tokens);
      else remark('part-left-out', `${name} is larger than a part and left out`, '');
    },
    async addRendered(text, tokens, again) {
      if (tokens <= writer.room) return writer.add(text, tokens);
      const whole = again();
      if (whole === null) return;
      const { item, symbols } = whole;
      const cut = cutItem(item, symbols, (piece) => count(renderPiece(piece, render)) <= writer.room);
      if (cut === null) {
        const message = `${item.path} has a line that is larger than a part: it is left out`;
        return void remark('part-left-out', message, item.path);
      }
      if (cut.splitsSymbol)
        remark('symbol-split', `${item.path} has a definition that is larger than a part`, item.path);
      for (const piece of cut.pieces) {
        const rendered = renderPiece(piece, render);
        await writer.add(rendered, count(rendered));
      }
    },
    finish: async () => ({ ...(await writer.finish()), diagnostics }),
  };
}

/** A finished package in parts. */
export async function splitPack(
  pack: ContextPack,
  symbolsOf: (path: string) => readonly SymbolDefinition[],
  options: SplitOptions,
): Promise<Awaited<ReturnType<Splitter['finish']>>> {
  const splitter = createSplitter(options);
  const items = new Map(pack.items.map((item) => [item.path, item]));
  const pieces = renderPieces(pack, options.render);
  const { tail } = partFrame(options.render.format === 'xml' ? 'xml' : 'markdown', 1);
  for (const [at, { part, path, text }] of pieces.entries()) {
    // every part has a beginning and an end of its own
    if (at === 0 || text === tail) continue;
    const item = part === 'file' ? items.get(path) : undefined;
    if (item)
      await splitter.addRendered(text, options.count(text), () => ({ item, symbols: symbolsOf(path) }));
    else await splitter.addText(text, part);
  }
  return splitter.finish();
}
