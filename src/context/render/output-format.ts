import type {
  ContextItem,
  ContextPack,
  Convention,
  Dependency,
  ExternalSignature,
  PackEnvironment,
  Receipt,
} from '../../model/context-pack.ts';

/**
 * A format that a package can be written in. Each one is an object in `formats/`, and a row of the table in
 * `render-pack.ts`. Nothing else may ask for a format by its name.
 */
export interface OutputFormat {
  /** The whole package in the order of the text. */
  pieces(pack: ContextPack, options: PieceOptions): RenderedPiece[];
  /** One file alone, exactly as `pieces` shows it: this is what the file costs. */
  file(item: ContextItem, options: PieceOptions): string;
  /** The pieces to count for the receipts of the parts beside the files. */
  partPieces(pack: ContextPack, options: PieceOptions): RenderedPiece[];
  /** How a numbered part of a package begins, and how every part ends. */
  partHead(part: number): string;
  readonly end: string;
  /** A whole text for a package that only says why it is empty. */
  notice(message: string, pack: ContextPack): string;
  /** The text shows prices, receipts and its own token count, so they have to fit into the budget as well. */
  readonly showsAccounts: boolean;
}

export interface PieceOptions {
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

/**
 * How a text format writes and escapes the parts of a package. Every text begins with a character that is neither white
 * space nor `/` and ends with exactly one line end: tokenizers split there, so the tokens of the parts add up to those
 * of the whole.
 */
export interface TextDialect {
  readonly header: string;
  convention(convention: Convention): string;
  environment(environment: PackEnvironment): string;
  tree(tree: string): string;
  item(item: ContextItem, lineNumbers: boolean): string;
  mention(item: ContextItem): string;
  readonly mentionsHeading: string;
  externals(externals: readonly ExternalSignature[]): string;
  dependencies(dependencies: readonly Dependency[]): string;
  diff(diff: string): string;
  /** The task, and everything else that differs from task to task. */
  closing(pack: ContextPack): string;
  readonly end: string;
  /** Follows the header of a package that comes in parts. */
  partNote(part: number): string;
  notice(message: string): string;
}

/** A format for people and models: the same parts in the same order, whatever the dialect. */
export function textFormat(dialect: TextDialect): OutputFormat {
  const file = (given: ContextItem, { lineNumbers, shownName }: PieceOptions): string => {
    const item = shownName ? withShownName(given, shownName) : given;
    return item.form === 'mention' ? dialect.mention(item) : dialect.item(item, lineNumbers);
  };
  const pieces = (given: ContextPack, options: PieceOptions): RenderedPiece[] => {
    const pack = options.shownName ? withShownNames(given, options.shownName) : given;
    const piece = (part: Receipt['part'], text: string, path = ''): RenderedPiece => ({ part, path, text });
    const filePiece = (item: ContextItem) => piece('file', file(item, options), item.path);
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
      ...present.filter(({ source }) => source === 'always').map(filePiece),
      ...present.filter(({ source }) => source !== 'always').map(filePiece),
      ...(pack.externals.length > 0 ? [piece('externals', dialect.externals(pack.externals))] : []),
      ...(pack.dependencies.length > 0
        ? [piece('dependencies', dialect.dependencies(pack.dependencies))]
        : []),
      ...(mentions.length > 0 ? [piece('frame', dialect.mentionsHeading)] : []),
      ...mentions.map(filePiece),
      ...(pack.diff !== '' ? [piece('diff', dialect.diff(pack.diff))] : []),
      piece('frame', dialect.closing(pack)),
      piece('frame', dialect.end),
    ].filter(({ text }) => text !== '');
  };
  return {
    pieces,
    file,
    // the contents of files are priced already, and long
    partPieces: (pack, options) =>
      pieces({ ...pack, items: pack.items.map((item) => ({ ...item, content: '' })) }, options),
    partHead: (part) => `${dialect.header}${dialect.partNote(part)}`,
    end: dialect.end,
    notice: dialect.notice,
    showsAccounts: false,
  };
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

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

const MAX_FIRST_FILES = 5;

/** Where a reader should begin. Files are in the order of their paths, which does not tell. */
export function firstFiles({ items }: ContextPack): string[] {
  return items
    .filter(({ form }) => form !== 'mention')
    .slice(0, MAX_FIRST_FILES)
    .map(({ path }) => path);
}
