import type { ContextItem, ContextPack, Receipt } from '../../model/context-pack.ts';
import { jsonItem, jsonPieces } from './json-pieces.ts';
import { MARKDOWN_DIALECT } from './markdown-dialect.ts';
import type { PackDialect } from './pack-dialect.ts';
import { XML_DIALECT } from './xml-dialect.ts';

export const PACK_FORMATS = ['markdown', 'xml', 'json'] as const;

export type PackFormat = (typeof PACK_FORMATS)[number];

export interface RenderOptions {
  readonly format: PackFormat;
  /** In JSON the numbers are in `lineRuns` anyway. */
  readonly lineNumbers: boolean;
  /** A name may hold a secret; text formats show what this makes of it. JSON is for programs, which open files by it. */
  readonly shownName?: (name: string) => string;
}

/** A stretch of the rendered text: the text of the pieces in order is the text of the package. */
export interface RenderedPiece {
  readonly part: Receipt['part'];
  readonly path: string;
  readonly text: string;
}

const DIALECTS: Readonly<Record<'markdown' | 'xml', PackDialect>> = {
  markdown: MARKDOWN_DIALECT,
  xml: XML_DIALECT,
};

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The parts of a package that hold names, as people and models are to see them. */
function withShownNames(pack: ContextPack, shownName: (name: string) => string): ContextPack {
  const at = <Part extends { readonly path: string }>(part: Part): Part => ({
    ...part,
    path: shownName(part.path),
  });
  return {
    ...pack,
    targets: pack.targets.map(shownName),
    dependencies: pack.dependencies.map(({ from, to }) => ({ from: shownName(from), to: shownName(to) })),
    environment: { commands: pack.environment.commands.map(at) },
    conventions: pack.conventions.map(at),
    externals: pack.externals.map(at),
    items: pack.items.map((item) => withShownName(item, shownName)),
  };
}

function withShownName(item: ContextItem, shownName: (name: string) => string): ContextItem {
  return { ...item, path: shownName(item.path), symbols: item.symbols.map(shownName) };
}

/** One item alone, as it stands in the whole: what a fitter asks for to know its price. */
export function renderPiece(given: ContextItem, { format, lineNumbers, shownName }: RenderOptions): string {
  if (format === 'json') return jsonItem(given);
  const dialect = DIALECTS[format];
  const item = shownName ? withShownName(given, shownName) : given;
  return item.form === 'mention' ? dialect.mention(item) : dialect.item(item, lineNumbers);
}

function dialectPieces(given: ContextPack, options: RenderOptions, dialect: PackDialect): RenderedPiece[] {
  const pack = options.shownName ? withShownNames(given, options.shownName) : given;
  const piece = (part: Receipt['part'], text: string, path = ''): RenderedPiece => ({ part, path, text });
  const itemPiece = (item: ContextItem) => piece('file', renderPiece(item, options), item.path);
  const items = [...given.items].sort(byPath);
  const present = items.filter(({ form }) => form !== 'mention');
  const mentions = items.filter(({ form }) => form === 'mention');
  return [
    // what is the same for every task comes first, so that a provider's cache of prompts keeps hitting
    piece('frame', dialect.header),
    ...pack.conventions.map((one) => piece('convention', dialect.convention(one), one.path)),
    ...(pack.environment.commands.length > 0
      ? [piece('environment', dialect.environment(pack.environment))]
      : []),
    ...(pack.tree !== '' ? [piece('tree', dialect.tree(pack.tree))] : []),
    ...present.filter(({ source }) => source === 'always').map(itemPiece),
    ...present.filter(({ source }) => source !== 'always').map(itemPiece),
    ...(pack.externals.length > 0 ? [piece('externals', dialect.externals(pack.externals))] : []),
    ...(pack.dependencies.length > 0 ? [piece('dependencies', dialect.dependencies(pack.dependencies))] : []),
    ...(mentions.length > 0 && dialect.mentionsHeading !== ''
      ? [piece('frame', dialect.mentionsHeading)]
      : []),
    ...mentions.map(itemPiece),
    ...(pack.diff !== '' ? [piece('diff', dialect.diff(pack.diff))] : []),
    piece('frame', dialect.closing(pack)),
    piece('frame', dialect.end),
  ].filter(({ text }) => text !== '');
}

/** What a numbered part of a package begins and ends with. */
export function partFrame(format: 'markdown' | 'xml', part: number): { head: string; tail: string } {
  const { header, partNote, end } = DIALECTS[format];
  return { head: `${header}${partNote(part)}`, tail: end };
}

/** The rendered text piece by piece, for fitters, streams and splits. */
export function renderPieces(pack: ContextPack, options: RenderOptions): RenderedPiece[] {
  return options.format === 'json'
    ? jsonPieces(pack)
    : dialectPieces(pack, options, DIALECTS[options.format]);
}

/** The whole package as text. Equal packages give equal bytes. */
export function renderPack(pack: ContextPack, options: RenderOptions): string {
  return renderPieces(pack, options)
    .map(({ text }) => text)
    .join('');
}
