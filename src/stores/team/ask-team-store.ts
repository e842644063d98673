// The team's store as ranking sees it: an overlay of the store over the index of the work tree. Files that
// changed here are judged by the index alone.

import type { Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KnowledgeStore, RankedList, StoreCall, StoreSnapshot } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { originName } from '../../platform/git/locate-repository.ts';
import type { OpenScan } from '../../scan/index.ts';
import { rankedList } from '../knowledge-store/search-snapshots.ts';
import { chooseTeamStore } from './team-store.ts';

/** The stores to ask, in order. */
export interface StoreChoice {
  readonly stores: readonly KnowledgeStore[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The team's store for this work tree, then the index: the first that answers is used. */
export async function teamStores(
  scan: OpenScan,
  settings: Settings,
  local: KnowledgeStore,
): Promise<StoreChoice> {
  const team = openTeamStore(settings);
  if (typeof team === 'string') {
    const message = `${team}: the local store is asked instead`;
    const warning: Diagnostic = { code: 'store-unavailable', severity: 'warning', message };
    return { stores: [local], diagnostics: [warning] };
  }
  const name = await branchScope(scan, settings);
  // Only files whose content is the one in the store take scores from there.
  const hashes = new Map(scan.index.snapshot.files.map(({ path, hash }) => [path, hash]));
  // The connection is closed after one search: a ranking asks once.
  const overlay: KnowledgeStore = {
    ...team,
    search: async (queries, call) => {
      try {
        const branch = await branchIn(team, name, call);
        const filter = { repositories: [name.repository], branches: [branch] };
        const there = await team.search(
          queries.map((query) => ({ ...query, filter: { ...query.filter, ...filter } })),
          call,
        );
        const here = await local.search(queries, call);
        return queries.map(({ limit }, at) => lay(here[at]!, there[at]!, hashes, limit));
      } finally {
        await team.close();
      }
    },
  };
  return { stores: [overlay, local], diagnostics: [] };
}

/** A variable that is not set must not cost a hook its answer, but a wrong name is an error. */
function openTeamStore(settings: Settings): KnowledgeStore | string {
  try {
    return chooseTeamStore(settings);
  } catch (error) {
    if (error instanceof LoadoutError && error.code === 'bad-setting') return error.message;
    throw error;
  }
}

/**
 * The snapshot counts for files that are unchanged here. For all other files the index of the work tree counts, so that
 * no answer names content that is gone.
 */
function lay(
  here: RankedList,
  there: RankedList,
  hashes: ReadonlyMap<string, string>,
  limit: number,
): RankedList {
  const known = new Map(
    there.filter(({ path, contentHash }) => hashes.get(path) === contentHash).map((hit) => [hit.path, hit]),
  );
  const hits = here.map((hit) => ({ ...hit, score: known.get(hit.path)?.score ?? hit.score }));
  return rankedList(hits, limit);
}

/** Branches that others start from. */
const USUAL_BRANCHES = ['main', 'master'];

/** The branch that is checked out, or the one that it most likely came from. */
async function branchIn(
  store: KnowledgeStore,
  { repository, branch }: { readonly repository: string; readonly branch: string },
  call: StoreCall | undefined,
): Promise<string> {
  const all = (await store.snapshots(call)).filter((one) => one.repository === repository);
  const named = (wanted: string): StoreSnapshot | undefined => all.find((one) => one.branch === wanted);
  const found = [branch, ...USUAL_BRANCHES].map(named).find(Boolean) ?? all[0];
  if (found) return found.branch;
  throw new LoadoutError(
    'store-unavailable',
    `it has nothing of ${repository}: loadout scan --store fills it`,
  );
}

/** The part of the team's store that belongs to a work tree. */
export interface BranchScope {
  readonly repository: string;
  /** Empty when no branch is checked out. */
  readonly branch: string;
}

/** The repository and branch under which the team's store keeps a work tree. */
export async function branchScope(
  { repository: { git, root } }: Pick<OpenScan, 'repository'>,
  settings: Pick<Settings, 'storeRepository' | 'storeBranch'>,
): Promise<BranchScope> {
  const folder = root.path.split(/[\\/]/).filter(Boolean).at(-1) ?? 'repository';
  const repository = settings.storeRepository || (git && originName(git.commonDirectory)) || folder;
  if (settings.storeBranch !== '') return { repository, branch: settings.storeBranch };
  const head = git ? await git.run(['symbolic-ref', '--short', 'HEAD']) : null;
  const branch = head?.exitCode === 0 ? head.stdout.toString().trim() : git ? '' : 'main';
  return { repository, branch };
}

/** Returns the branch, or refuses when none is checked out. */
export function needBranch(branch: string): string {
  if (branch !== '') return branch;
  throw new LoadoutError('no-branch', 'no branch is checked out', {
    hint: 'give the name of the branch in the store: --store-branch main',
  });
}
