import { analyzeTask } from './analyze/analyze-task.ts';
import { chooseTeamStore } from './choose-team-store.ts';
import type { Settings } from './config/settings.ts';
import { LoadoutError } from './model/loadout-error.ts';
import { textSearches } from './retrieve/given-evidence.ts';
import type { RankedList, StoreSnapshot } from './store/knowledge-store.ts';

export interface TeamSearchRequest {
  readonly settings: Settings;
  readonly task: string;
  /** Patterns such as `org/*`. */
  readonly repositories: readonly string[];
  readonly limit: number;
  readonly signal?: AbortSignal;
}

const USUAL_BRANCHES = ['main', 'master'];

/** Finds files in many repositories of the team, by their words alone. There is no other answer than the store's. */
export async function searchTeamStore(request: TeamSearchRequest): Promise<RankedList> {
  const { settings, task, repositories, limit, signal } = request;
  if (task.trim() === '')
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'say in a line what is to be done' });
  const store = chooseTeamStore(settings);
  const call = { ...(signal ? { signal } : {}), budgetMs: settings.storeTimeout };
  try {
    const { words } = textSearches(analyzeTask(task, { domains: new Map(), packages: [] }));
    const chosen = oneBranchEach(await store.snapshots(call), settings.storeBranch);
    const filter = { repositories, branches: [...new Set(chosen.values())] };
    const branches = Math.max(1, filter.branches.length);
    const [list] = await store.search(
      [{ channel: 'lexical', ...words, filter, limit: limit * branches }],
      call,
    );
    return list!.filter(({ repository, branch }) => chosen.get(repository) === branch).slice(0, limit);
  } finally {
    await store.close();
  }
}

/** Of each repository the branch that was asked for, or the one that most people mean. */
function oneBranchEach(snapshots: readonly StoreSnapshot[], wanted: string): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  const rank = (branch: string) => {
    const at = [...(wanted ? [wanted] : []), ...USUAL_BRANCHES].indexOf(branch);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  for (const { repository, branch } of snapshots) {
    const known = chosen.get(repository);
    if (known === undefined || rank(branch) < rank(known)) chosen.set(repository, branch);
  }
  return chosen;
}
