import type { ContextPack } from '../../model/context-pack.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { renderPieces } from '../../render/render-pack.ts';
import { renderTree } from '../../render/render-tree.ts';
import type { OpenScan } from '../../scan/run-scan.ts';
import { findEnvironment } from '../environment/find-environment.ts';
import { manifestsOf } from '../manifests-of.ts';
import type { PackDesk } from '../pack-desk.ts';
import { sharesOf } from '../shares.ts';

/** Of the budget; a larger tree says less than the files that it would push out. */
const TREE_SHARE = 0.05;
const BEFORE_FILES: ReadonlySet<string> = new Set(['convention', 'environment', 'tree']);

export interface Frame {
  readonly tokens: number;
  /** What stands in front of the files and behind them. */
  with(omitted: readonly string[]): { readonly before: string; readonly after: string };
}

/** Everything around the files of a package that has no task. */
export async function frameAround(
  { role = null }: { readonly role?: string | null },
  desk: PackDesk,
  { index }: OpenScan,
  files: readonly SnapshotFile[],
): Promise<Frame> {
  const { count, budget, sources, allow, render } = desk;
  const shares = sharesOf(budget);
  const tree = renderTree(files.map(({ path }) => ({ path, tokens: null })));
  const pack: ContextPack = {
    id: '',
    task: '',
    role,
    targets: [],
    tokenBudget: budget,
    tokenCount: 0,
    encoding: '',
    items: [],
    dependencies: [],
    omitted: [],
    environment: await findEnvironment(
      manifestsOf(index.snapshot.files, sources, allow),
      shares.environment,
      count,
    ),
    conventions: [],
    externals: [],
    tree: count(tree) <= budget * TREE_SHARE ? tree : '',
    diff: '',
    receipts: [],
    diagnostics: [],
  };
  const around = (omitted: readonly string[]) => {
    const left = omitted.map((path) => ({ path, reason: 'no room', combinedScore: 0, cost: null }));
    const pieces = renderPieces({ ...pack, omitted: left }, render);
    const isBefore = (at: number) => at === 0 || BEFORE_FILES.has(pieces[at]!.part);
    const join = (keep: (at: number) => boolean) =>
      pieces.map(({ text }, at) => (keep(at) ? text : '')).join('');
    return { before: join(isBefore), after: join((at) => !isBefore(at)) };
  };
  const { before, after } = around([]);
  return { tokens: count(before) + count(after), with: around };
}
