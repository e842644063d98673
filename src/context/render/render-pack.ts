import type { ContextItem, ContextPack } from '../../model/context-pack.ts';
import { JSON_FORMAT } from './formats/json.ts';
import { MARKDOWN } from './formats/markdown.ts';
import { XML } from './formats/xml.ts';
import { type OutputFormat, type PieceOptions, type RenderedPiece, showsContents } from './output-format.ts';

/** Every format by the name that users give. A new format is a file in `formats/` and a row here. */
const FORMATS = { markdown: MARKDOWN, xml: XML, json: JSON_FORMAT } as const satisfies Readonly<
  Record<string, OutputFormat>
>;

/** The name of a format. */
export type PackFormat = keyof typeof FORMATS;

/** All names, for settings and help. */
export const PACK_FORMATS = Object.keys(FORMATS) as [PackFormat, ...PackFormat[]];

/** The format, and how files are shown in it. */
export interface RenderOptions extends PieceOptions {
  readonly format: PackFormat;
}

/** The whole package as text. Equal packages give equal bytes. */
export function renderPack(pack: ContextPack, options: RenderOptions): string {
  return renderPieces(pack, options)
    .map(({ text }) => text)
    .join('');
}

/** The rendered text piece by piece, for fitters, streams and splits. */
export function renderPieces(pack: ContextPack, options: RenderOptions): RenderedPiece[] {
  return formatOf(options).pieces(pack, options);
}

/** One item alone, exactly as the package shows it. Its token count is the price of the item. */
export function renderPiece(item: ContextItem, options: RenderOptions): string {
  return formatOf(options).file(item, options);
}

/** The line of an item in the table of contents; empty when the package has no table, or the item no line in it. */
export function contentsLine(
  item: ContextItem,
  pack: Pick<ContextPack, 'order' | 'tokenBudget'>,
  options: RenderOptions,
): string {
  if (!showsContents(pack) || item.form === 'mention') return '';
  return formatOf(options).contentsLine(item, options);
}

/** The object that writes this format. */
export function formatOf({ format }: Pick<RenderOptions, 'format'>): OutputFormat {
  return FORMATS[format];
}
