import { LoadoutError } from '../../model/loadout-error.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { shownName } from '../../redact/outgoing-text.ts';
import { loadTokenCounter } from '../fit/count-tokens.ts';
import { loadModelCounter } from '../fit/models.ts';
import { buildPackage } from '../pack.ts';
import { resolveTokenCount } from '../render/resolve-token-count.ts';
import { joinPacks, repositoryLabels } from './join-packs.ts';
import type { BuiltPackage, PackageRequest } from './package-request.ts';

export interface JointRequest extends Omit<PackageRequest, 'repo' | 'targets' | 'split'> {
  readonly repos: readonly { readonly path: string; readonly targets?: readonly string[] }[];
}

/** Shares are moved to where something was left out so many times at the most. */
const MAX_ROUNDS = 5;
const FULL_ENOUGH = 0.97;

/**
 * One package for a task that concerns several repositories. Each gets the same share of the budget; what one has no
 * use for goes to the others. Paths begin with the name of the repository's folder.
 */
export async function buildJointPackage({ repos, ...request }: JointRequest): Promise<BuiltPackage> {
  const { settings, model, format = 'markdown', lineNumbers = false, redact = true } = request;
  const budget = settings.tokenBudget;
  const roots = repos.map(({ path }) => openSafeRoot(path));
  const labels = repositoryLabels(roots.map(({ path }) => path));
  const count = await (model ? loadModelCounter(model) : loadTokenCounter('o200k_base'));
  const render = { format, lineNumbers, ...(redact ? { shownName } : {}) };
  const shares = repos.map(() => Math.floor(budget / repos.length));
  let best: BuiltPackage | null = null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const packs: { label: string; pack: BuiltPackage['pack'] }[] = [];
    for (const [at, { path, targets = [] }] of repos.entries()) {
      const own = { ...settings, tokenBudget: Math.max(1, shares[at]!) };
      const { pack } = await buildPackage({ ...request, repo: path, targets, settings: own });
      packs.push({ label: labels[at]!, pack });
    }
    const joint = resolveTokenCount(joinPacks(packs, budget, render, count), render, count);
    const { tokenCount } = joint.pack;
    const over = tokenCount - budget;
    if (over <= 0 && tokenCount >= (best?.pack.tokenCount ?? 0)) best = joint;
    const wanting = packs.flatMap(({ pack }, at) => (pack.omitted.length > 0 ? [at] : []));
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
