import type { Settings } from '../../config/settings.ts';
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
import { type Tuning, type TuningTask, tuneMultipliers, writeTunedWeights } from './tuning.ts';

export interface EvaluationRequest {
  readonly repo: string;
  readonly settings: Settings;
  /** How many commits to ask for. */
  readonly commits: number;
  /** Token budgets of packages. */
  readonly budgets: readonly number[];
  /** Builds packages; without it none are asked for. */
  readonly packPaths?: PackPaths;
  /** Look for weights that suit this repository, and keep them when they do. */
  readonly tune: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

export interface Evaluation {
  readonly head: string;
  readonly tasks: readonly EvaluatedTask[];
  readonly summary: Summary;
  readonly tuning: Tuning | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Commits that are looked at for each that is wanted: many change no source file. */
const LOOKED_AT = 20;

/**
 * How well this repository's own past is answered: the message of each commit is the task, the state before it the
 * repository, and the files it changed are what should be found. The user's work tree and git directory are only read.
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
    throw new LoadoutError(
      'no-history',
      'no commit changed between 1 and 10 source files that were there before',
      {
        subject: repository.root.path,
        hint: 'a shallow clone may have too little history: git fetch --unshallow',
      },
    );
  const tuning = request.tune ? tuneMultipliers(list.map(({ tuning: task }) => task)) : null;
  if (tuning?.isBetter) writeTunedWeights(repository, request.settings.cacheDir, tuning.multipliers);
  const tasks = list.map(({ evaluated }) => evaluated);
  return { head, tasks, summary: summarize(tasks, request.budgets), tuning, diagnostics };
}

interface Replayed {
  readonly evaluated: EvaluatedTask;
  readonly tuning: TuningTask;
}

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
      onProgress?.({ label: 'asking past commits', done: list.length, total: commits });
      if (past.changed.every((path) => knownSources.get(path) === false)) continue;
      const replayed = await replayTask(past, { ...request, git, tree, prefix, knownSources });
      if (replayed.missingFiles > 0) incomplete++;
      if (replayed.result !== null && list.push(replayed.result) === commits) break;
    }
    onProgress?.({ label: 'asking past commits', done: list.length, total: list.length });
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

/** The path of the root in the work tree: `''` or `folder/`. */
function prefixBelow(workTree: string, rootPath: string): string {
  return rootPath === workTree ? '' : `${rootPath.slice(workTree.length).replace(/^\//, '')}/`;
}

/** A commit as a task: what its message asks for, at the state before it. */
export interface PastTask {
  readonly commit: string;
  readonly parent: string;
  readonly task: string;
  /** Files that were there before and that the commit changed, as they were called then; from the work tree's root. */
  readonly changed: readonly string[];
}

const BATCH = 50;
/** More is a sweep through the code, not a task. */
const MAX_CHANGED = 30;
/** People and tools sign their work; that says nothing about it. */
const TRAILER = /^(?:[A-Z][\w-]+-[bB]y|Change-Id|Reviewed-on|Cr-[\w-]+|git-svn-id): .*$/gm;
const WORD = /[\p{L}\p{N}]{2,}/gu;
const MIN_WORDS = 2;

/** The commits that `head` reaches as tasks, newest first; looks at `limit` commits at most. */
async function* pastTasks(history: GitHistory, head: string, limit: number): AsyncGenerator<PastTask> {
  const { commits } = await history.list(head, limit);
  // what a shallow clone cut off has no parent to go back to
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

interface BudgetSummary {
  readonly budget: number;
  /** How often every changed file is in the package. */
  readonly all: number;
  /** Mean share of the changed files that are in. */
  readonly share: number;
}

export interface AnswerSummary extends Measures {
  readonly budgets: readonly BudgetSummary[];
}

export interface Summary {
  readonly commits: number;
  readonly ranking: AnswerSummary;
  readonly plain: AnswerSummary;
}

/** The mean of all answers, for the ranking and for the plain search that it is compared with. */
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
