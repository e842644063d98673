import type { Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';
import type { GitClient } from '../../platform/git/git.ts';
import type { CommitObject, GitHistory, PathChange } from '../../platform/git/git-history.ts';
import { openScratchWorkTree } from '../../platform/git/scratch-work-tree.ts';
import { decodeMessage } from '../../scan/history/index.ts';
import { openRepository, type Repository, type ScanStep } from '../../scan/index.ts';
import { type Measures, mean, meanMeasures } from './measures.ts';
import { type Answer, type EvaluatedTask, type PackPaths, replayTask } from './replay-task.ts';
import { writeTunedWeights } from './tuned-weights.ts';
import { type Tuning, type TuningTask, tuneMultipliers } from './tuning.ts';

/** The options of `loadout eval`. */
export interface EvaluationRequest {
  readonly repo: string;
  readonly settings: Settings;
  /** The number of commits to replay. Fewer are replayed if the history is short. */
  readonly commits: number;
  /** Token budgets of the packages to build for each commit. */
  readonly budgets: readonly number[];
  /** Builds packages. Without it only the ranking is measured. */
  readonly packPaths?: PackPaths;
  /** Search weights for this repository, and keep them if they are better. */
  readonly tune: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** The result for one repository. */
export interface Evaluation {
  /** The commit that the history was read from. */
  readonly head: string;
  /** The replayed commits, newest first. */
  readonly tasks: readonly EvaluatedTask[];
  readonly summary: Summary;
  /** Null when no tuning was asked for. */
  readonly tuning: Tuning | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** How many commits are read for each wanted one: many change no source file. */
const LOOKED_AT = 20;

/**
 * Measures the ranking on the history of a repository. The message of each commit is the task, the state before it is
 * the repository, and the files that it changed should be found. The user's work tree and git directory are only read.
 */
export async function evaluateRepository(request: EvaluationRequest): Promise<Evaluation> {
  const repository = await openRepository(request.repo, request.settings.cacheDir);
  const { git } = repository;
  const head = (await git?.head()) ?? null;
  if (git === null || head === null)
    throw new LoadoutError('no-history', `${repository.root.path} has no commits to learn from`, {
      subject: repository.root.path,
      hint: 'run it in a git repository with some history',
    });
  const { list, diagnostics } = await replayAll(request, repository, git, head);
  if (list.length === 0)
    throw new LoadoutError('no-history', 'no commit changed 1 to 10 existing source files', {
      subject: repository.root.path,
      hint: 'a shallow clone may have too little history: git fetch --unshallow',
    });
  const tuning = request.tune ? tuneMultipliers(list.map(({ tuning: task }) => task)) : null;
  if (tuning?.isBetter) writeTunedWeights(repository, request.settings.cacheDir, tuning.multipliers);
  const tasks = list.map(({ evaluated }) => evaluated);
  return { head, tasks, summary: summarize(tasks, request.budgets), tuning, diagnostics };
}

/** The result of one commit, for the report and for the tuning. */
interface Replayed {
  readonly evaluated: EvaluatedTask;
  readonly tuning: TuningTask;
}

/** Replays commits in a scratch work tree, until enough have an answer. Only one evaluation runs at a time. */
async function replayAll(
  request: EvaluationRequest,
  repository: Repository,
  git: GitClient,
  head: string,
): Promise<{ readonly list: readonly Replayed[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { settings, commits, signal, onProgress } = request;
  const key = repository.cache.path.split(/[\\/]/).at(-1)!;
  const folder = new CacheFolder(`${settings.cacheDir}/eval`);
  const lock = tryLock(folder.filePath(`${key}.lock`));
  if (lock === null)
    throw new LoadoutError('eval-running', 'another evaluation of this repository is running', {
      subject: repository.root.path,
      hint: 'wait for it, or set LOADOUT_CACHE_DIR to another folder',
    });
  const list: Replayed[] = [];
  let incomplete = 0;
  let tree: ReturnType<typeof openScratchWorkTree> | null = null;
  try {
    tree = openScratchWorkTree(folder.filePath(key), git.commonDirectory);
    const prefix = prefixBelow(git.workTree, repository.root.path);
    const knownSources = new Map<string, boolean>();
    for await (const past of pastTasks(git.history, head, commits * LOOKED_AT)) {
      signal?.throwIfAborted();
      onProgress?.({ label: 'replaying past commits', done: list.length, total: commits });
      // Skip commits that changed only files known not to be source, such as a changelog.
      if (past.changed.every((path) => knownSources.get(path) === false)) continue;
      const replayed = await replayTask(past, { ...request, git, tree, prefix, knownSources });
      if (replayed.missingFiles > 0) incomplete++;
      if (replayed.result !== null && list.push(replayed.result) === commits) break;
    }
    onProgress?.({ label: 'replaying past commits', done: list.length, total: list.length });
  } finally {
    tree?.remove();
    lock.release();
  }
  return { list, diagnostics: incomplete === 0 ? [] : [sayIncomplete(incomplete)] };
}

function sayIncomplete(commits: number): Diagnostic {
  const message = `this clone lacks contents of ${commits} past states: files without content were left out`;
  return { code: 'history-incomplete', severity: 'warning', message };
}

/** The path of the root below the work tree: `''` or `folder/`. */
function prefixBelow(workTree: string, rootPath: string): string {
  return rootPath === workTree ? '' : `${rootPath.slice(workTree.length).replace(/^\//, '')}/`;
}

/** A commit as a task: its message, and the state before it. */
export interface PastTask {
  readonly commit: string;
  /** The commit before it, whose files are searched. */
  readonly parent: string;
  /** The message without trailers. */
  readonly task: string;
  /** The changed files that existed before, by their old names, relative to the work tree. */
  readonly changed: readonly string[];
}

/** Commits that one call of git reads. */
const BATCH = 50;
/** A commit with more files is a sweep through the code, not a task. */
const MAX_CHANGED = 30;
/** Lines such as `Signed-off-by:`, which say nothing about the change. */
const TRAILER = /^(?:[A-Z][\w-]+-[bB]y|Change-Id|Reviewed-on|Cr-[\w-]+|git-svn-id): .*$/gm;
const WORD = /[\p{L}\p{N}]{2,}/gu;
const MIN_WORDS = 2;

/** The commits before `head` as tasks, newest first. It reads at most `limit` commits. */
async function* pastTasks(history: GitHistory, head: string, limit: number): AsyncGenerator<PastTask> {
  const { commits } = await history.list(head, limit);
  // Merges have two parents, and the oldest commit of a shallow clone has none.
  const usable = commits.filter(({ parents }) => parents.length === 1);
  for (let start = 0; start < usable.length; start += BATCH) {
    const batch = usable.slice(start, start + BATCH);
    const objects = new Map((await history.objects(batch.map(({ id }) => id))).map((one) => [one.id, one]));
    const changes = new Map<string, readonly PathChange[]>();
    await history.changes(batch, (id, list) => void changes.set(id, list));
    for (const { id, parents } of batch) {
      const changed = existingPaths(changes.get(id) ?? []);
      const task = taskOf(objects.get(id));
      if (changed.length === 0 || changed.length > MAX_CHANGED || task === null) continue;
      yield { commit: id, parent: parents[0]!, task, changed };
    }
  }
}

function existingPaths(changes: readonly PathChange[]): string[] {
  return changes.flatMap(({ kind, path, from }) => (kind === 'added' ? [] : [from ?? path]));
}

function taskOf(commit: CommitObject | undefined): string | null {
  if (!commit) return null;
  const text = decodeMessage(commit.message, commit.encoding).replace(TRAILER, '').trim();
  const words = text.match(WORD)?.length ?? 0;
  return words < MIN_WORDS ? null : text;
}

/** How packages of one budget did; 0..1. */
interface BudgetSummary {
  readonly budget: number;
  /** Share of the tasks whose package has every changed file. */
  readonly all: number;
  /** Mean share of the changed files that are in the package. */
  readonly share: number;
}

/** The means of all tasks, for one way of answering. */
export interface AnswerSummary extends Measures {
  readonly budgets: readonly BudgetSummary[];
}

/** The ranking beside a plain search over words. */
export interface Summary {
  readonly commits: number;
  readonly ranking: AnswerSummary;
  readonly plain: AnswerSummary;
}

/** The means of all answers, for the ranking and for the plain search. */
function summarize(tasks: readonly EvaluatedTask[], budgets: readonly number[]): Summary {
  return {
    commits: tasks.length,
    ranking: summarizeAnswers(
      tasks.map(({ ranking }) => ranking),
      budgets,
    ),
    plain: summarizeAnswers(
      tasks.map(({ plain }) => plain),
      budgets,
    ),
  };
}

/** A budget counts only if every task has a package for it. */
function summarizeAnswers(answers: readonly Answer[], budgets: readonly number[]): AnswerSummary {
  const known = budgets.filter((budget) => answers.every(({ packed }) => packed[budget] !== undefined));
  return {
    ...meanMeasures(answers.map(({ measures }) => measures)),
    budgets: known.map((budget) => ({
      budget,
      all: mean(answers.map(({ packed }) => (packed[budget] === 1 ? 1 : 0))),
      share: mean(answers.map(({ packed }) => packed[budget]!)),
    })),
  };
}
