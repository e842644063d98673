import type { Settings } from '../config/index.ts';
import type {
  KnowledgeStore,
  StoreCall,
  StoredSymbol,
  StoreHit,
  StoreSnapshot,
} from '../model/knowledge-store.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';
import { wordParts } from '../model/word-parts.ts';
import { chooseTeamStore } from '../stores/index.ts';
import { analyzeTask } from './analyze/index.ts';
import { textSearches } from './rank/index.ts';

export interface TeamSearchRequest {
  readonly settings: Settings;
  readonly task: string;
  /** Patterns such as `org/*`. */
  readonly repositories: readonly string[];
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** A file of some repository of the team, with the definitions whose names the task's words are in. */
export interface TeamHit extends StoreHit {
  readonly symbols: readonly {
    readonly name: string;
    readonly startLine: number;
    readonly endLine: number;
  }[];
}

const MAX_SYMBOLS = 6;
const USUAL_BRANCHES = ['main', 'master'];

/** Finds files in many repositories of the team, by their words alone. Only the store can answer this. */
export async function searchTeamStore(request: TeamSearchRequest): Promise<readonly TeamHit[]> {
  const { settings, task, repositories, limit, signal } = request;
  if (task.trim() === '')
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'describe the task in a sentence' });
  const store = chooseTeamStore(settings);
  const call = { ...(signal ? { signal } : {}), budgetMs: settings.storeTimeout };
  try {
    const analysis = analyzeTask(task, { domains: new Map(), packages: [] });
    const { words } = textSearches(analysis);
    const chosen = oneBranchEach(await store.snapshots(call), settings.storeBranch);
    const filter = { repositories, branches: [...new Set(chosen.values())] };
    const branches = Math.max(1, filter.branches.length);
    const [list] = await store.search(
      [{ channel: 'lexical', ...words, filter, limit: limit * branches }],
      call,
    );
    const hits = list!.filter(({ repository, branch }) => chosen.get(repository) === branch);
    return await withSymbols(store, hits.slice(0, limit), analysis, call);
  } finally {
    await store.close();
  }
}

async function withSymbols(
  store: KnowledgeStore,
  hits: readonly StoreHit[],
  { keywords }: TaskAnalysis,
  call: StoreCall,
): Promise<TeamHit[]> {
  const weights = new Map(keywords.map(({ word, weight }) => [word, weight]));
  const worthOf = ({ name }: StoredSymbol) =>
    wordParts(name).reduce((sum, part) => sum + (weights.get(part) ?? 0), 0);
  return Promise.all(
    hits.map(async (hit) => {
      const file = await store.file(hit.repository, hit.branch, hit.path, call);
      const matching = (file?.symbols ?? [])
        .map((symbol) => ({ symbol, worth: worthOf(symbol) }))
        .filter(({ worth }) => worth > 0)
        .sort((a, b) => b.worth - a.worth || a.symbol.line - b.symbol.line)
        .slice(0, MAX_SYMBOLS)
        .map(({ symbol: { name, line, endLine } }) => ({ name, startLine: line, endLine }));
      return { ...hit, symbols: matching };
    }),
  );
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
