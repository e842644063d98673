import type {
  ContextItem,
  ContextPack,
  Convention,
  Dependency,
  ExternalSignature,
  ItemForm,
  PackEnvironment,
  Receipt,
} from '../../model/context-pack.ts';
import { shownLines } from './shown-text.ts';

/**
 * A format that a package can be written in. Each format is one object in `formats/` and one row of the table in
 * `render-pack.ts`. No other code may compare the name of a format.
 */
export interface OutputFormat {
  /** The whole package as pieces, in the order of the text. */
  pieces(pack: ContextPack, options: PieceOptions): RenderedPiece[];
  /** One file alone, exactly as `pieces` shows it: this is what the file costs. */
  file(item: ContextItem, options: PieceOptions): string;
  /** The line of a file in the table of contents. */
  contentsLine(item: ContextItem, options: PieceOptions): string;
  /** The pieces to count for the receipts of the parts beside the files. */
  partPieces(pack: ContextPack, options: PieceOptions): RenderedPiece[];
  /** The beginning of a numbered part, when a package is split into several texts. */
  partHead(part: number): string;
  /** The end of the package and of every part of it. */
  readonly end: string;
  /** A whole text for a package that only says why it is empty. */
  notice(message: string, pack: ContextPack): string;
  /** The text contains prices, receipts and its own token count, so they have to fit into the budget as well. */
  readonly showsAccounts: boolean;
}

/** How files are shown, in every format. */
export interface PieceOptions {
  /** Put the line number in front of each line. JSON ignores it: the numbers are in `lineRuns`. */
  readonly lineNumbers: boolean;
  /** Replaces secrets in file names. Text formats use it; JSON keeps true names, because programs open files by them. */
  readonly shownName?: (name: string) => string;
}

/** A piece of the rendered text. All pieces in order are the text of the package. */
export interface RenderedPiece {
  /** The part of the package that pays for this piece. */
  readonly part: Receipt['part'];
  /** The true path; empty when the piece is not about a file. */
  readonly path: string;
  readonly text: string;
}

/**
 * How a text format writes and escapes the parts of a package. Every text must begin with a character that is neither
 * white space nor `/`, and end with exactly one line end. Tokenizers split there, so the tokens of the pieces add up to
 * the tokens of the whole.
 */
export interface TextDialect {
  readonly header: string;
  convention(convention: Convention): string;
  environment(environment: PackEnvironment): string;
  tree(tree: string): string;
  item(item: ContextItem, lineNumbers: boolean): string;
  mention(item: ContextItem): string;
  /** The table of contents around its lines. */
  contents(lines: string): string;
  /** `lines` are those that an excerpt shows, or empty; `why` is the first reason. */
  contentsLine(entry: ContentsEntry): string;
  readonly mentionsHeading: string;
  externals(externals: readonly ExternalSignature[]): string;
  dependencies(dependencies: readonly Dependency[]): string;
  diff(diff: string): string;
  /** The task, and everything else that changes from task to task. */
  closing(pack: ContextPack): string;
  readonly end: string;
  /** Follows the header in a package that is split into parts. */
  partNote(part: number): string;
  /** A whole text with nothing but a message. */
  notice(message: string): string;
}

/** Makes a format for people and models. All dialects have the same parts in the same order. */
export function textFormat(dialect: TextDialect): OutputFormat {
  const file = (given: ContextItem, { lineNumbers, shownName }: PieceOptions): string => {
    const item = shownName ? withShownName(given, shownName) : given;
    return item.form === 'mention' ? dialect.mention(item) : dialect.item(item, lineNumbers);
  };
  const contentsLine = (given: ContextItem, { shownName }: PieceOptions): string =>
    dialect.contentsLine(contentsEntry(shownName ? withShownName(given, shownName) : given));
  const pieces = (given: ContextPack, options: PieceOptions): RenderedPiece[] => {
    const pack = options.shownName ? withShownNames(given, options.shownName) : given;
    const piece = (part: Receipt['part'], text: string, path = ''): RenderedPiece => ({ part, path, text });
    const filePiece = (item: ContextItem) => piece('file', file(item, options), item.path);
    const items = given.order === 'relevance' ? given.items : [...given.items].sort(byPath);
    const present = items.filter(({ form }) => form !== 'mention');
    const mentions = items.filter(({ form }) => form === 'mention');
    return [
      // Parts that are the same for every task come first, so that the prompt cache of a provider can be used. Where the
      // files are best first, their table is more use to a reader than a cache.
      piece('frame', dialect.header),
      ...(showsContents(pack) && present.length > 0
        ? [piece('frame', dialect.contents(present.map((item) => contentsLine(item, options)).join('')))]
        : []),
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
    contentsLine,
    // The contents of files are priced already, and rendering them again would take time.
    partPieces: (pack, options) =>
      pieces({ ...pack, items: pack.items.map((item) => ({ ...item, content: '' })) }, options),
    partHead: (part) => `${dialect.header}${dialect.partNote(part)}`,
    end: dialect.end,
    notice: dialect.notice,
    showsAccounts: false,
  };
}

/** One file in the table of contents. */
export interface ContentsEntry {
  readonly path: string;
  readonly form: ItemForm;
  readonly lines: string;
  readonly why: string;
}

/** Longer reasons are cut: the table is to be read at a glance. */
const MAX_WHY = 90;

/** The line of a file in the table of contents. */
export function contentsEntry(item: ContextItem): ContentsEntry {
  const [why = ''] = item.reason.split('; ');
  return {
    path: item.path,
    form: item.form,
    lines: item.form === 'excerpt' ? shownLines(item) : '',
    why: why.length <= MAX_WHY ? why : `${[...why].slice(0, MAX_WHY).join('').trimEnd()}...`,
  };
}

/** In a smaller package the table would take the room of a file. */
const CONTENTS_FROM = 4_000;

/** Whether the text begins with a table of its files. */
export function showsContents({ order, tokenBudget }: Pick<ContextPack, 'order' | 'tokenBudget'>): boolean {
  return order === 'relevance' && tokenBudget >= CONTENTS_FROM;
}

/** The package with replaced names in all parts that show names. */
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

/** The most relevant files, where a reader should begin. None if the text itself has the best files first. */
export function firstFiles({ items, order }: ContextPack): string[] {
  if (order === 'relevance') return [];
  return items
    .filter(({ form }) => form !== 'mention')
    .slice(0, MAX_FIRST_FILES)
    .map(({ path }) => path);
}
