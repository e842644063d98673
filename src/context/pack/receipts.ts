import type { ContextItem, ContextPack, OmittedItem, Receipt } from '../../model/context-pack.ts';
import type { KeptFile } from '../guidelines/guard-files.ts';
import { type RenderedPiece, type RenderOptions, renderPieces } from '../render/render-pack.ts';

/** Why each file is in, and why the others are not. */
export function fileReceipts(items: readonly ContextItem[], omitted: readonly OmittedItem[]): Receipt[] {
  return [
    ...items.map(({ path, form, tokens, combinedScore, reason }): Receipt => {
      return { part: 'file', path, form, tokens, combinedScore, why: reason };
    }),
    ...omitted.map(({ path, cost, combinedScore, reason }): Receipt => {
      return { part: 'file', path, form: null, tokens: cost?.tokens ?? 0, combinedScore, why: reason };
    }),
  ];
}

/** What the agent may not see. */
export function keptReceipts(kept: readonly KeptFile[]): Receipt[] {
  return kept.map(({ path, guideline }) => {
    const why = `kept out by the guideline ${guideline}`;
    return { part: 'file', path, form: null, tokens: 0, combinedScore: null, why };
  });
}

const WHY: Readonly<Record<Exclude<Receipt['part'], 'file'>, string>> = {
  convention: 'what the repository asks of its contributors',
  environment: 'how to build and test here',
  externals: 'signatures of what the files use from elsewhere',
  dependencies: 'which of the files need which',
  tree: 'the folders',
  diff: 'the change under review',
  frame: 'headings, the task, and how to read this',
};

/** What the parts that are not files cost in the rendered text. */
export function partReceipts(
  pack: ContextPack,
  options: RenderOptions,
  count: (text: string) => number,
): Receipt[] {
  const receipts = new Map<string, Receipt>();
  for (const { part, path, text } of options.format === 'json' ? jsonParts(pack) : textParts(pack, options)) {
    if (part === 'file') continue;
    const key = `${part} ${path}`;
    const tokens = (receipts.get(key)?.tokens ?? 0) + count(text);
    receipts.set(key, { part, path, form: 'full', tokens, combinedScore: null, why: WHY[part] });
  }
  return [...receipts.values()];
}

/** The contents of files are priced already, and long. */
function textParts(pack: ContextPack, options: RenderOptions): RenderedPiece[] {
  return renderPieces({ ...pack, items: pack.items.map((item) => ({ ...item, content: '' })) }, options);
}

function jsonParts({ conventions, environment, externals, dependencies }: ContextPack): RenderedPiece[] {
  const part = (name: Receipt['part'], value: unknown, path = ''): RenderedPiece => {
    return { part: name, path, text: JSON.stringify(value) };
  };
  return [
    ...conventions.map((one) => part('convention', one, one.path)),
    ...(environment.commands.length > 0 ? [part('environment', environment)] : []),
    ...(externals.length > 0 ? [part('externals', externals)] : []),
    ...(dependencies.length > 0 ? [part('dependencies', dependencies)] : []),
  ];
}
