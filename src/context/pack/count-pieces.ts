import type { ContextPack } from '../../model/context-pack.ts';
import { type RenderOptions, renderPieces } from '../render/render-pack.ts';

export interface PieceCounter {
  /** The whole text of a package. */
  textOf(pack: ContextPack): string;
  /** The tokens of a text; next to nothing for the one that was rendered last. */
  countText(text: string): number;
}

/**
 * Renders and counts again and again while a package is fitted. The tokens of the pieces add up to those of the whole,
 * and from one attempt to the next most pieces stay the same: only the others are counted.
 */
export function countPieces(options: RenderOptions, count: (text: string) => number): PieceCounter {
  const known = new Map<string, number>();
  let last: { readonly text: string; readonly tokens: number } | null = null;
  const tokensOf = (piece: string): number => {
    const tokens = known.get(piece) ?? count(piece);
    known.set(piece, tokens);
    return tokens;
  };
  return {
    textOf(pack) {
      const pieces = renderPieces(pack, options).map(({ text }) => text);
      const text = pieces.join('');
      last = { text, tokens: pieces.reduce((sum, piece) => sum + tokensOf(piece), 0) };
      return text;
    },
    countText: (text) => (last?.text === text ? last.tokens : count(text)),
  };
}
