import type { ContextPack } from '../../model/context-pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import {
  fileReceipts,
  instructionsPart,
  NO_ROOM,
  packId,
  partReceipts,
  renderOptions,
  resolveTokenCount,
} from '../compose/index.ts';
import { loadModelCounter } from '../fit/index.ts';
import { buildPackage } from '../pack.ts';
import { type RenderOptions, renderPiece } from '../render/index.ts';
import type { BuiltPackage, PackageRequest } from './package-request.ts';

export interface JointRequest extends Omit<PackageRequest, 'repo' | 'targets' | 'split'> {
  readonly repos: readonly { readonly path: string; readonly targets?: readonly string[] }[];
}

/** How often shares are moved to repositories whose files were left out. */
const MAX_ROUNDS = 5;
const FULL_ENOUGH = 0.97;

/**
 * One package for a task that concerns several repositories. Each gets the same share of the budget; what one has no
 * use for is given to the others. Paths begin with the name of the repository's folder.
 */
export async function buildJointPackage({
  repos,
  instructions = '',
  ...request
}: JointRequest): Promise<BuiltPackage> {
  const { settings, model } = request;
  const budget = settings.tokenBudget;
  const roots = repos.map(({ path }) => openSafeRoot(path));
  const labels = repositoryLabels(roots.map(({ path }) => path));
  const count = await loadModelCounter(model);
  const render = renderOptions(request);
  const own = instructionsPart({ ...request, instructions }, budget, count);
  const shares = repos.map(() => Math.floor(budget / repos.length));
  let best: BuiltPackage | null = null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const packs: { label: string; pack: BuiltPackage['pack'] }[] = [];
    for (const [at, { path, targets = [] }] of repos.entries()) {
      const share = { ...settings, tokenBudget: Math.max(1, shares[at]!) };
      const { pack } = await buildPackage({ ...request, repo: path, targets, settings: share });
      packs.push({ label: labels[at]!, pack });
    }
    const joint = resolveTokenCount(joinPacks(packs, budget, own, render, count), render, count);
    const { tokenCount } = joint.pack;
    const over = tokenCount - budget;
    if (over <= 0 && tokenCount >= (best?.pack.tokenCount ?? 0)) best = joint;
    const wanting = packs.flatMap(({ pack }, at) => (lacksRoom(pack) ? [at] : []));
    if (over <= 0 && (tokenCount >= budget * FULL_ENOUGH || wanting.length === 0)) break;
    // a repository that uses less than its share keeps what it uses; the rest is for those that left something out
    for (const [at, { pack }] of packs.entries())
      if (over > 0 || !wanting.includes(at)) shares[at] = Math.min(shares[at]!, pack.tokenCount);
    if (over > 0)
      for (const at of shares.keys()) shares[at] = shares[at]! - Math.ceil(over / repos.length) - 8;
    else for (const at of wanting) shares[at] = shares[at]! + Math.floor(-over / wanting.length);
  }
  if (best === null)
    throw new LoadoutError(
      'budget-too-small',
      `${budget} tokens are too few for ${repos.length} repositories`,
      {
        subject: '--budget',
        hint: 'give at least 2k for each of them',
      },
    );
  return best;
}

/** A file was left out for want of room, and not because it was worth less than its tokens. */
function lacksRoom({ omitted }: ContextPack): boolean {
  return omitted.some(({ reason }) => reason === NO_ROOM);
}

interface LabelledPack {
  /** Comes before every path of this repository. */
  readonly label: string;
  readonly pack: ContextPack;
}

/** One package out of those of several repositories for the same task; the best of all come first. */
function joinPacks(
  packs: readonly LabelledPack[],
  tokenBudget: number,
  own: { readonly instructions?: string },
  options: RenderOptions,
  count: (text: string) => number,
): ContextPack {
  const first = packs[0]!.pack;
  const prefixed = packs.map(({ label, pack }) => withLabel(pack, label));
  const all = <Key extends 'dependencies' | 'omitted' | 'conventions' | 'externals' | 'targets'>(key: Key) =>
    prefixed.flatMap((pack) => pack[key] as ContextPack[Key][number][]);
  const items = prefixed
    .flatMap((pack) => pack.items)
    .map((item) => ({ ...item, tokens: count(renderPiece(item, options)) }))
    .sort((a, b) => b.combinedScore - a.combinedScore || (a.path < b.path ? -1 : 1));
  const content = {
    task: first.task,
    role: first.role,
    targets: all('targets'),
    tokenBudget,
    encoding: first.encoding,
    ...(first.order ? { order: first.order } : {}),
    ...own,
    items,
    dependencies: all('dependencies'),
    omitted: all('omitted'),
    environment: { commands: prefixed.flatMap((pack) => pack.environment.commands) },
    conventions: all('conventions'),
    externals: all('externals'),
    tree: '',
    diff: prefixed.map((pack) => pack.diff).join(''),
    diagnostics: prefixed.flatMap((pack) => pack.diagnostics),
  };
  const pack: ContextPack = { ...content, id: packId(content), tokenCount: 0, receipts: [] };
  const receipts = [...fileReceipts(items, pack.omitted), ...partReceipts(pack, options, count)];
  return { ...pack, receipts };
}

function withLabel(pack: ContextPack, label: string): ContextPack {
  const at = <Thing extends { readonly path: string }>(thing: Thing): Thing => {
    return { ...thing, path: `${label}/${thing.path}` };
  };
  return {
    ...pack,
    targets: pack.targets.map((path) => `${label}/${path}`),
    items: pack.items.map(at),
    dependencies: pack.dependencies.map((one) => {
      return { ...one, from: `${label}/${one.from}`, to: one.external ? one.to : `${label}/${one.to}` };
    }),
    omitted: pack.omitted.map(at),
    environment: { commands: pack.environment.commands.map(at) },
    conventions: pack.conventions.map(at),
    externals: pack.externals.map(at),
    diff: pack.diff === '' ? '' : `# ${label}\n${pack.diff}`,
    diagnostics: pack.diagnostics.map((one) => ({ ...one, message: `${label}: ${one.message}` })),
  };
}

/** A name for each repository: that of its folder, numbered when two are called the same. */
export function repositoryLabels(paths: readonly string[]): string[] {
  const used = new Set<string>();
  return paths.map((path) => {
    const name = path.split('/').filter(Boolean).at(-1) ?? 'repository';
    let label = name;
    for (let number = 2; used.has(label); number++) label = `${name}-${number}`;
    used.add(label);
    return label;
  });
}
