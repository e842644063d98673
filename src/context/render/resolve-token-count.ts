import type { ContextPack } from '../../model/context-pack.ts';
import { type RenderOptions, renderPack } from './render-pack.ts';

export interface SettledPack {
  readonly pack: ContextPack;
  readonly text: string;
}

/** The count is part of what JSON counts: its digits may add a token, which may add a digit. */
const MAX_ROUNDS = 6;

/** Renders a package with its own true token count in it. */
export function resolveTokenCount(
  pack: ContextPack,
  options: RenderOptions,
  count: (text: string) => number,
): SettledPack {
  let settled = pack;
  let text = renderPack(settled, options);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tokenCount = count(text);
    if (tokenCount === settled.tokenCount) break;
    settled = { ...settled, tokenCount };
    text = renderPack(settled, options);
  }
  return { pack: settled, text };
}
