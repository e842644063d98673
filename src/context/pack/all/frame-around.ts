import type { ContextPack } from '../../../model/context-pack.ts';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import type { OpenScan } from '../../../scan/run-scan.ts';
import { partFrame, type RenderedPiece, renderPieces } from '../../render/render-pack.ts';
import { renderTree } from '../../render/render-tree.ts';
import { EMPTY_PACK } from '../empty-pack.ts';
import { findEnvironment } from '../environment/find-environment.ts';
import { manifestsOf } from '../manifests-of.ts';
import type { PackContext } from '../pack-context.ts';
import { sharesOf } from '../shares.ts';

/** Of the budget; a larger tree says less than the files that it would push out. */
const TREE_SHARE = 0.05;
const BEFORE_FILES: ReadonlySet<string> = new Set(['convention', 'environment', 'tree']);

export interface Frame {
  readonly tokens: number;
  /** What stands in front of the files and behind them, and around both. */
  with(omitted: readonly string[]): FrameTexts;
}

export interface FrameTexts {
  readonly header: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** Everything around the files of a package that has no task. */
export async function frameAround(
  { role = null, label = '' }: { readonly role?: string | null; readonly label?: string },
  context: PackContext,
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
  const { tail } = partFrame(render.format === 'xml' ? 'xml' : 'markdown', 1);
  const piecesFor = (omitted: readonly string[]) => {
    const left = omitted.map((path) => ({ path, reason: 'no room', combinedScore: 0, cost: null }));
    const [header, ...pieces] = renderPieces({ ...pack, omitted: left }, render);
    return { header: header!.text, pieces: pieces.filter(({ text }) => text !== tail) };
  };
  const { header, pieces } = piecesFor([]);
  const before = joined(pieces, true);
  const texts = (after: string): FrameTexts => ({ header, before, after, end: tail });
  const after = joined(pieces, false);
  return {
    tokens: count(header) + count(before) + count(after) + count(tail),
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

/** How a file of one of several repositories is called. */
export function labelled(label: string, path: string): string {
  return label === '' ? path : `${label}/${path}`;
}
