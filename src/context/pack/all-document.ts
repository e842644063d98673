import type { ContextItem, ContextPack } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import type { OpenScan } from '../../scan/index.ts';
import { type ComposeContext, EMPTY_PACK, findEnvironment, manifestsOf, sharesOf } from '../compose/index.ts';
import { formatOf, type RenderedPiece, renderPieces, renderTree } from '../render/index.ts';
import { createSplitter, type SplitOptions } from './split-pack.ts';

export type AllForm = 'full' | 'signatures';

export interface RenderedFile {
  readonly item: ContextItem;
  readonly text: string;
  /** Looked up only for files that have to be cut. */
  readonly symbols: () => readonly SymbolDefinition[];
}

/** Takes a package of everything piece by piece; a promise makes the next piece wait. */
export interface AllWriter {
  begin(frame: FrameTexts): void | Promise<void>;
  /** `again` renders the file once more, for a writer that has to cut it. */
  file(bytes: Buffer, tokens: number, again: () => RenderedFile | null): void | Promise<void>;
  end(frame: FrameTexts): void | Promise<void>;
  /** Files may have to be cut between their definitions. */
  readonly cutsFiles?: boolean;
}

type WriteText = (text: string | Buffer) => void | Promise<void>;

/** One document. Of several repositories the first opens it and the last closes it. */
export function documentWriter(write: WriteText, { opens = true, closes = true } = {}): AllWriter {
  return {
    begin: ({ header, before }) => write(`${opens ? header : ''}${before}`),
    file: (bytes) => write(bytes),
    end: ({ after, end }) => write(`${after}${closes ? end : ''}`),
  };
}

interface PartsWriter extends AllWriter {
  /** Ends the last part. */
  finish(): Promise<{ readonly parts: number; readonly diagnostics: readonly Diagnostic[] }>;
}

/** Numbered documents of a limited size. */
export function partsWriter(options: SplitOptions): PartsWriter {
  const splitter = createSplitter(options);
  return {
    cutsFiles: true,
    begin: ({ before }) => splitter.addText(before, 'the outline'),
    file: (bytes, tokens, again) =>
      splitter.addRendered(bytes.toString('utf8'), tokens, () => {
        const rendered = again();
        return rendered && { item: rendered.item, symbols: rendered.symbols() };
      }),
    end: ({ after }) => splitter.addText(after, 'the end'),
    finish: () => splitter.finish(),
  };
}

/** Of the budget; a larger tree says less than the files that it would push out. */
const TREE_SHARE = 0.05;
const BEFORE_FILES: ReadonlySet<string> = new Set(['convention', 'environment', 'tree']);

export interface Frame {
  readonly tokens: number;
  /** The texts before and behind the files, and around both. */
  with(omitted: readonly string[]): FrameTexts;
}

interface FrameTexts {
  readonly header: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** Everything around the files of a package that has no task. */
export async function frameAround(
  { role = null, label = '' }: { readonly role?: string | null; readonly label?: string },
  context: ComposeContext,
  { index }: OpenScan,
  files: readonly SnapshotFile[],
): Promise<Frame> {
  const { count, budget, sources, allow, render } = context;
  const shares = sharesOf(budget);
  const { shownName = (name: string) => name } = render;
  const tree = renderTree(
    files.map(({ path }) => ({ path: shownName(labelled(label, path)), tokens: null })),
  );
  const manifests = manifestsOf(index.snapshot.files, sources, allow);
  const { commands } = await findEnvironment(manifests, shares.environment, count);
  const pack: ContextPack = {
    ...EMPTY_PACK,
    role,
    tokenBudget: budget,
    environment: {
      commands: commands.map((one) => ({ ...one, path: labelled(label, one.path) })),
    },
    tree: hasAtMost(tree, budget * TREE_SHARE, count) ? tree : '',
  };
  const { end } = formatOf(render);
  const piecesFor = (omitted: readonly string[]) => {
    const left = omitted.map((path) => ({ path, reason: 'no room', combinedScore: 0, cost: null }));
    const [header, ...pieces] = renderPieces({ ...pack, omitted: left }, render);
    return { header: header!.text, pieces: pieces.filter(({ text }) => text !== end) };
  };
  const { header, pieces } = piecesFor([]);
  const before = joined(pieces, true);
  const texts = (after: string): FrameTexts => ({ header, before, after, end });
  const after = joined(pieces, false);
  return {
    tokens: count(header) + count(before) + count(after) + count(end),
    with: (omitted) => texts(omitted.length === 0 ? after : joined(piecesFor(omitted).pieces, false)),
  };
}

function joined(pieces: readonly RenderedPiece[], isBefore: boolean): string {
  const wanted = pieces.filter(({ part }) => BEFORE_FILES.has(part) === isBefore);
  return wanted.map(({ text }) => text).join('');
}

/** A token has at least one byte, and no estimate says two for it: a short text need not be counted. */
function hasAtMost(text: string, tokens: number, count: (text: string) => number): boolean {
  return Buffer.byteLength(text) * 2 <= tokens || count(text) <= tokens;
}

/** The name of a file in a package of several repositories. */
export function labelled(label: string, path: string): string {
  return label === '' ? path : `${label}/${path}`;
}
